/** Names of the CNEFE as people write them. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  accented,
  titleCase,
  unaccented,
} from "../../../../cep/import/cnefe/names.ts";
import data from "../../../../cep/import/cnefe/accents.json" with {
  type: "json",
};
import { municipalityNames } from "../../../../cep/record/municipality_names.ts";
import { CODE_POINT } from "../../_characters.ts";

const NAMES: readonly (readonly [name: string, written: string])[] = [
  ["SAO JOSE DOS CAMPOS", "São José dos Campos"],
  ["DOUTOR ARNALDO", "Doutor Arnaldo"],
  ["VINTE E TRES DE MAIO", "Vinte e Três de Maio"],
  ["QUINZE B", "Quinze B"],
  ["DOM PEDRO II", "Dom Pedro II"],
  ["XV DE NOVEMBRO", "XV de Novembro"],
  ["BR 101", "BR 101"],
  ["SP 270 KM 12", "SP 270 KM 12"],
  ["PE DE SERRA", "Pé de Serra"],
  ["OLHO D AGUA", "Olho d'Água"],
  ["OLHO D'AGUA", "Olho d'Água"],
  ["SANTA BARBARA D OESTE", "Santa Bárbara d'Oeste"],
  ["D AVILA", "D'Ávila"],
  ["RUA D", "Rua D"],
  ["SANT ANA", "Sant'Ana"],
  ["GUAJARA-MIRIM", "Guajará-Mirim"],
  ["PARA", "Pará"],
  ["ESTADO DO PARA", "Estado do Pará"],
  ["CAMINHO PARA O MAR", "Caminho Para o Mar"],
  ["MARQUES DE SAO VICENTE", "Marquês de São Vicente"],
  ["JOAO MARQUES DE SOUZA", "João Marques de Souza"],
  ["BEM TE VI", "Bem Te Vi"],
  ["JOAO VI", "João VI"],
  ["A", "A"],
  ["PROJETADA A", "Projetada A"],
  ["BLOCO E LOTE 3A", "Bloco E Lote 3A"],
  ["SQN 208", "SQN 208"],
  ["SEM DENOMINACAO", "Sem Denominação"],
  ["IRMAOS GONCALVES", "Irmãos Gonçalves"],
  ["DAS ACACIAS", "Das Acácias"],
  ["FRANCA", "Franca"],
  ["SECRETARIA", "Secretaria"],
  ["", ""],
  [" - ", " - "],
];

for (const [name, written] of NAMES) {
  Deno.test(`titleCase writes "${name}" as "${written}"`, () => {
    assertEquals(titleCase(name), written);
  });
}

Deno.test("titleCase keeps a leading particle in lower case after other words", () => {
  const names = ["DA SE", "DE PORTO ALEGRE", "DO SABIA", "D AGUA", "E", "RUA"];
  assertEquals(names.map((it) => titleCase(it, { continues: true })), [
    "da Sé",
    "de Porto Alegre",
    "do Sabiá",
    "d'Água",
    "E",
    "Rua",
  ]);
});

/** Words of the list, particles, abbreviations and letters in capitals. */
const WORD = fc.oneof(
  fc.constantFrom(...data.words.join(" ").split(" ")).map((it) =>
    unaccented(it).toUpperCase()
  ),
  fc.constantFrom(...data.plain.join(" ").toUpperCase().split(" ")),
  fc.constantFrom(
    ..."A E O D DA DE DO SE PARA SANT AGUA II BR SQN 3A".split(" "),
  ),
  fc.stringMatching(/^[A-Z0-9]{1,12}$/),
  fc.stringMatching(/^[ -_]{1,4}$/),
);
const NAME = fc.tuple(
  fc.array(WORD, { maxLength: 8 }),
  fc.constantFrom(" ", "  "),
)
  .map(([words, blank]) => words.join(blank));

/** The name in capitals without accents; an apostrophe was a blank. */
function capitals(name: string): string {
  return unaccented(name).toUpperCase().replaceAll("'", " ");
}

Deno.test("titleCase changes nothing but letter case, accents and apostrophes", () => {
  fc.assert(fc.property(NAME, fc.boolean(), (name, continues) => {
    assertEquals(capitals(titleCase(name, { continues })), capitals(name));
  }));
});

Deno.test("titleCase keeps a name that it has written", () => {
  fc.assert(fc.property(NAME, fc.boolean(), (name, continues) => {
    const once = titleCase(name, { continues });
    assertEquals(titleCase(once, { continues }), once);
  }));
});

Deno.test("titleCase accepts any text", () => {
  fc.assert(fc.property(fc.string({ unit: CODE_POINT }), (text) => {
    assertEquals(typeof titleCase(text), "string");
  }));
});

Deno.test("titleCase remembers a bounded number of words", () => {
  for (let i = 0; i < 250_000; i++) titleCase(`X${i.toString(36)}Y`);
  assertEquals(titleCase("SAO JOAO"), "São João");
});

Deno.test("titleCase restores the names of nearly all municipalities", () => {
  const names = [...municipalityNames().values()];
  const lost = names.filter((name) =>
    titleCase(capitals(name)).toLowerCase() !== name.toLowerCase()
  );
  assert(lost.length < names.length * 0.02, `${lost.length}: ${lost}`);
});

Deno.test("accented changes only accents", () => {
  fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
    assertEquals(unaccented(accented(word)), word);
  }));
});

Deno.test("accents.json lists each word once, with an accent, in order", () => {
  const words = data.words.join(" ").split(" ");
  for (const word of words) {
    assert(word === word.toLowerCase() && unaccented(word) !== word, word);
  }
  const keys = words.map(unaccented);
  assertEquals(keys, [...new Set(keys)].toSorted());
  const plain = data.plain.join(" ").split(" ");
  assertEquals(plain, [...new Set(plain)].toSorted());
  for (const word of plain) assert(!keys.includes(word), word);
});
