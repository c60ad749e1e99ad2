import { list } from "../list.ts";
import type { Random } from "../random.ts";
import { Choices, Zipf } from "../zipf.ts";
import { COUNTRIES, STATES, WORLD_CITIES } from "./geography.ts";
import { SAINTS } from "./namesakes.ts";
import { FLOWERS, PRECIOUS, TREES, TUPI_WORDS } from "./nature.ts";
import { givenName, surname } from "./people.ts";
import type { NameOptions } from "./street_names.ts";

/** Frequent names without a word in front of them. */
const PLAIN = new Zipf(
  list(`
    Boa Vista, Bela Vista, São José, Santo Antônio, Centro Histórico, Planalto,
    Industrial, Santa Luzia, São Francisco, São Pedro, Santa Cruz, Cruzeiro,
    Aeroporto, São João, Liberdade, Santa Rita, Bom Jesus, Alvorada,
    São Sebastião, Nova Esperança, Floresta, Universitário, Progresso,
    Primavera, São Cristóvão, Santa Maria, Alto, Morada do Sol, Morumbi, Brasil,
    Canaã, Cidade Nova, Cohab, Independência, Jardim, Boa Esperança, Vila Nova,
    Operário, Nossa Senhora de Fátima, Nossa Senhora das Graças, Petrópolis,
    Glória, Ipiranga, Copacabana, Ipanema, Santa Mônica, Santa Terezinha,
    Tiradentes, Rodoviário, Redenção, Renascença, Vitória, Paraíso, Ouro Verde,
    Bandeirantes, Nova Brasília, Novo Horizonte, Nova Veneza, Eldorado,
    Pioneiros, Expedicionários, Estação, Ponte Nova, Campestre, Lagoa Seca,
    Lagoinha, Barra, Praia Grande, Prainha, Serrinha, Cachoeira, Várzea,
    Rio Branco, Rio Verde, Ponta Grossa, Barreiro, Barreiros, Capão Redondo,
    Olaria, Matadouro, Mutirão, Carandá, Coroado, Compensa, Piçarra`),
  8,
);
const CORES = new Zipf(
  list(`
    América, Europa, Paulista, Brasília, Alvorada, das Flores, das Palmeiras,
    Primavera, Planalto, Bela Vista, Boa Vista, São Paulo, Itália, Paraíso,
    São José, Santa Rosa, Industrial, dos Ipês, Nova Esperança, das Acácias,
    do Lago, do Bosque, do Sol, Tropical, Imperial, Real, Colonial, Califórnia,
    Florença, Nova Era, Novo Mundo, Guanabara, Oriente, Maracanã, Esplanada,
    Aeroporto, Aurora, Ipanema, Leblon, Flamboyant, Panorama, Monte Verde,
    Santa Fé, Verde, Vitória, União, Eldorado, Bandeirantes, das Nações,
    dos Estados, dos Pássaros, das Rosas, das Américas, Monte Carlo, Versalhes,
    Luxemburgo, Montreal, Cidade Alta, Morada Nova, Monte Castelo, Monte Líbano,
    Santo Amaro, Pinheiros, Iguaçu`),
  10,
);
const saints = new Zipf(SAINTS, 6);

const PREFIXES = new Choices<string>([
  ["Jardim", 30],
  ["Vila", 21],
  ["Parque", 10],
  ["Residencial", 12],
  ["Loteamento", 6],
  ["Conjunto Habitacional", 5],
  ["Conjunto", 4],
  ["Parque Residencial", 2],
  ["Núcleo Habitacional", 2],
  ["Cidade", 2],
  ["Alto", 1],
  ["Recanto", 1],
  ["Chácara", 1],
  ["Portal", 1],
  ["Nova", 1],
  ["Condomínio", 1],
]);
/** Words in front of names in Goiás and Tocantins. */
const SECTORS = new Choices<string>([
  ["Setor", 50],
  ["Jardim", 20],
  ["Residencial", 20],
  ["Vila", 6],
  ["Parque", 4],
]);
const WITH_SECTORS = ["GO", "TO"];
const ROMAN = ["II", "III", "IV"];

/** Names of the neighbourhoods of one locality, none of them twice. */
export class NeighbourhoodNames {
  readonly #used = new Set<string>();
  readonly #random: Random;
  readonly #options: NameOptions;

  constructor(random: Random, options: NameOptions) {
    this.#random = random;
    this.#options = options;
  }

  /** Takes a name, if it is free. */
  take(name: string): boolean {
    if (this.#used.has(name)) return false;
    this.#used.add(name);
    return true;
  }

  /** Draws a name. */
  draw(): string {
    for (let tries = 0; tries < 20; tries++) {
      const name = this.#invent();
      if (this.take(name)) return name;
      const next = ROMAN.map((it) => `${name} ${it}`).find((it) =>
        !this.#used.has(it)
      );
      if (next && this.#random.chance(40) && this.take(next)) return next;
    }
    const name = `Jardim ${
      this.#options.word(this.#random)
    } ${this.#used.size}`;
    this.take(name);
    return name;
  }

  #invent(): string {
    const random = this.#random;
    if (random.chance(32)) return this.#plain();
    const { uf } = this.#options;
    const prefixes = WITH_SECTORS.includes(uf) ? SECTORS : PREFIXES;
    return `${prefixes.pick(random)} ${this.#core()}`;
  }

  #plain(): string {
    const random = this.#random;
    const kind = random.int(100);
    if (kind < 55) return PLAIN.pick(random);
    if (kind < 70) return saints.pick(random);
    if (kind < 80) return random.pick(TUPI_WORDS);
    if (kind < 90) return random.pick(this.#options.municipalities);
    return random.pick(TREES);
  }

  #core(): string {
    const random = this.#random;
    const kind = random.int(100);
    if (kind < 40) return CORES.pick(random);
    if (kind < 56) return saints.pick(random);
    if (kind < 68) return givenName(random);
    if (kind < 78) {
      return surname(random, this.#options).replace(/^d[aoe]s? /, "");
    }
    if (kind < 84) return random.pick(WORLD_CITIES);
    if (kind < 88) return random.pick(TUPI_WORDS);
    if (kind < 91) return random.pick(COUNTRIES);
    if (kind < 94) return random.pick(FLOWERS);
    if (kind < 96) return random.pick(PRECIOUS);
    if (kind < 97) return random.pick(STATES);
    return random.pick(this.#options.municipalities);
  }
}
