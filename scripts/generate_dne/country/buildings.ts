import { list } from "../list.ts";
import type { Random } from "../random.ts";
import type { Buildings } from "../world.ts";
import { Choices } from "../zipf.ts";
import { COMMON_NAMES, SAINTS } from "./namesakes.ts";
import { TUPI_WORDS } from "./nature.ts";
import { personName, surname } from "./people.ts";
import { type NameOptions, streetName } from "./street_names.ts";

/** Large users that many cities have. */
const INSTITUTIONS = list(`
  Banco do Brasil, Caixa Econômica Federal, Prefeitura Municipal,
  Câmara Municipal, Tribunal de Justiça, Ministério Público, Receita Federal,
  INSS, Justiça do Trabalho, Justiça Federal, Tribunal Regional Eleitoral,
  Assembleia Legislativa, DETRAN, SENAI, SENAC, SESC, SEBRAE, OAB,
  Polícia Federal, Corpo de Bombeiros, Banco Bradesco, Banco Itaú,
  Banco Santander, Terminal Rodoviário, Aeroporto, Santa Casa de Misericórdia`);

const KINDS = new Choices<string>([
  ["Edifício *", 26],
  ["Condomínio *", 12],
  ["Condomínio Residencial *", 8],
  ["Residencial *", 8],
  ["Hospital *", 6],
  ["Hospital e Maternidade *", 2],
  ["Universidade *", 3],
  ["Faculdade *", 2],
  ["Colégio *", 4],
  ["Shopping *", 4],
  ["Shopping Center *", 2],
  ["Supermercado *", 4],
  ["Fórum *", 3],
  ["Hotel *", 3],
  ["Companhia de Seguros *", 1],
]);
const COMPANIES = list(`
  Indústria e Comércio Ltda, Transportes Ltda, Alimentos S/A, Têxtil S/A,
  Metalúrgica Ltda, Distribuidora Ltda, Editora Ltda, Engenharia S/A,
  Seguros S/A, Telecomunicações S/A, Móveis Ltda, Papel e Celulose S/A,
  Laboratórios Ltda, Logística Ltda, Calçados Ltda`);
const MAILBOXES = new Choices<string>([
  ["Associação de Moradores *", 20],
  ["Associação Comunitária *", 16],
  ["Povoado *", 16],
  ["Mercearia *", 8],
  ["Mercado *", 6],
  ["Conjunto *", 8],
  ["Comunidade *", 10],
  ["Escola Municipal *", 6],
  ["Sítio *", 5],
  ["Assentamento *", 5],
]);

/** Creates the names of buildings. */
export function buildingNames(
  options: (uf: string) => NameOptions,
): Buildings {
  const own = (random: Random, uf: string): string => {
    const kind = random.int(100);
    if (kind < 35) return personName(random, options(uf));
    if (kind < 55) return random.pick(SAINTS);
    if (kind < 70) return random.pick(TUPI_WORDS);
    return random.pick(COMMON_NAMES).replace(/^d[aoe]s? /, "");
  };
  return {
    largeUser: (random, uf) => {
      const kind = random.int(100);
      if (kind < 18) return random.pick(INSTITUTIONS);
      if (kind > 30) return KINDS.pick(random).replace("*", own(random, uf));
      const name = surname(random, options(uf)).replace(/^d[aoe]s? /, "");
      return `${name} ${random.pick(COMPANIES)}`;
    },
    mailbox: (random, uf) =>
      MAILBOXES.pick(random).replace("*", own(random, uf)),
    street: (random, uf) => `Rua ${streetName(random, options(uf))}`,
    unit: (index, neighbourhood, locality) => {
      if (index > 1) return `AGF ${neighbourhood}`;
      if (index === 1) return `CDD ${neighbourhood}`;
      const isCentre = neighbourhood === "Centro";
      return isCentre ? `AC Central de ${locality}` : `AC ${neighbourhood}`;
    },
  };
}
