/** Questions of the evaluation: their texts, and which answers are right. */
import type { Address } from "@carteiro/cep";
import { assert, assertEquals, assertFalse } from "@std/assert";
import {
  ADDRESS_KINDS,
  addressQuestions,
  askExactly,
  SEARCH_KINDS,
} from "../../../scripts/evaluate_search/kinds.ts";
import {
  Directory,
  type Place,
  placeOf,
} from "../../../scripts/evaluate_search/directory.ts";
import {
  draftOf,
  isToldBy,
  type Told,
} from "../../../scripts/evaluate_search/draft.ts";
import { Random } from "../../../scripts/generate_dne/random.ts";
import {
  ALAMEDA,
  BLOCK,
  EVEN,
  NAMESAKE,
  NUMERAL,
  ODD,
  PLOT,
  record,
  RECORDS,
  STREET,
  STREET_ELSEWHERE,
  TOWN,
} from "./_records.ts";

const directory = new Directory(RECORDS, {
  oldNames: new Map([[NUMERAL.cep, ["Rua da Independência"]]]),
  shortNames: new Map([[STREET.cep, "R Cel Rosa"]]),
});

const PLACES: readonly [Address, Place][] = [
  [BLOCK, "Brasília"],
  [ALAMEDA, "Palmas"],
  [PLOT, "neighbourhood with parentheses"],
  [{ ...PLOT, bairro: "Centro" }, "name ending in a number"],
  [record({ logradouro: "Rua Uruguai - E" }), "name ending in a number"],
  [STREET, "others"],
];

for (const [street, place] of PLACES) {
  Deno.test(`placeOf ${street.logradouro}, ${street.bairro}: ${place}`, () => {
    assertEquals(placeOf(street), place);
  });
}

/** Changes of what a text tells, and records that it then does not mean. */
const TOLD: readonly [Address, Partial<Told>, Address, boolean][] = [
  [STREET, {}, STREET_ELSEWHERE, false],
  [STREET, { neighbourhood: "" }, STREET_ELSEWHERE, true],
  [STREET, { neighbourhood: "", cep: true }, STREET_ELSEWHERE, false],
  [STREET, {}, { ...STREET, cep: "1", cidade: "Mossoró" }, false],
  [STREET, {}, { ...STREET, cep: "1", tipo_origem: "unid_oper" }, false],
  [STREET, {}, { ...STREET, cep: "1", uf: "SC" }, false],
  [STREET, { state: false }, { ...STREET, cep: "1", uf: "SC" }, true],
  [EVEN, { number: 12 }, ODD, false],
  [EVEN, { number: undefined }, ODD, true],
  [PLOT, {}, { ...PLOT, cep: "1", complemento: "" }, true],
  [PLOT, { complement: true }, { ...PLOT, cep: "1", complemento: "" }, false],
  [PLOT, { neighbourhood: "Santana" }, { ...PLOT, cep: "1" }, true],
  [NUMERAL, {}, {
    ...NUMERAL,
    cep: "1",
    logradouro: "Rua 7 de Setembro",
  }, true],
];

TOLD.forEach(([asked, told, found, isMeant], i) => {
  const verb = isMeant ? "accepts" : "refuses";
  Deno.test(`isToldBy ${verb} ${found.cep} for ${asked.cep}, case ${i}`, () => {
    const draft = draftOf(asked, new Random(7, ""), directory);
    const isTold = isToldBy(
      { ...draft, told: { ...draft.told, ...told } },
      directory,
    );
    assertEquals(isTold(found), isMeant);
    assert(isTold(asked));
  });
});

/** Kinds of searches, and patterns of what they write. */
const SEARCHES: readonly [kind: string, Address, RegExp][] = [
  ["as written", STREET, /^Rua Coronel Rosa.* Natal( - |\/| |$)/i],
  ["no accents", BLOCK, /^qnn 5 conjunto a[^á-ú]* brasilia/],
  ["no type", STREET, /^Coronel Rosa/i],
  ["abbreviated", STREET, /^R\.? Cel\.? Rosa/i],
  ["abbreviated as in the directory", STREET, /^R Cel Rosa/i],
  ["another order", STREET, /^(Natal|Centro)/i],
  ["last word half typed", STREET, /^Rua Coronel Ro$/],
  ["city half typed", STREET, /^Rua Coronel Rosa,? Nat$/i],
  ["other spelling of a person", EVEN, /^Avenida Luis Sousa/i],
  ["numeral", NUMERAL, /^Rua 7 de Setembro/i],
  ["missing title", record({ logradouro: "Rua Doutor João Rosa" }), /João/i],
  ["old name", NUMERAL, /^Rua da Independência/i],
  ["glued words", STREET, /^(Rua ?coronelrosa|Ruacoronel rosa)/i],
  ["with its complement", PLOT, /^Rua Projetada 3 \(?Lot Santana/i],
  ["quadra and lote", PLOT, /^Rua Projetada 3 q\S* \S+ l\S* \d+/i],
  ["chat", STREET, /(na|da|é) Rua Coronel Rosa/i],
  ["Brasília by its town", BLOCK, /^QNN 5 Conjunto A,? Ceilândia$/i],
  ["Brasília, casa", BLOCK, /^QNN 5 Conjunto A casa \d+/i],
  ["Palmas, abbreviated", ALAMEDA, /^(q\S* )?1103 S\S* Al\S* 9/i],
  ["town", TOWN, /^(cep de |cidade de )?Macau( |\/|$)/i],
  ["neighbourhood", PLOT, /Jardim Lola \(Santana\) Natal/i],
];

for (const [kind, asked, pattern] of SEARCHES) {
  Deno.test(`a search "${kind}" asks for ${asked.logradouro || "Macau"}`, () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = new Random(seed, kind);
      const search = SEARCH_KINDS[kind]!.ask(asked, random, directory);
      // Some letters cannot be mistaken.
      if (search === undefined) continue;
      assert(pattern.test(search.query.q!), search.query.q);
      assert(search.isAnswer(asked));
    }
  });
}

/** Kinds of addresses, and patterns of what they write. */
const ADDRESSES: readonly [kind: string, Address, RegExp][] = [
  ["clean", STREET, /^Rua Coronel Rosa,? (nº |n )?\d+(, | - | )Centro/],
  ["capitals", STREET, /^RUA CORONEL ROSA,? (Nº |N )?\d+.*NATAL/],
  ["city first", STREET, /^Natal( - |\/)RN.*Rua Coronel Rosa/],
  ["with the CEP", STREET, /59000-?001$/],
  ["unit before the number", STREET, /^Rua Coronel Rosa,? \w.* \d+.* Natal/],
  ["quadra and lote without a comma", STREET, /^Rua Coronel Rosa (q|quadra)/i],
  ["half of a neighbourhood", PLOT, /(Jardim Lola|Santana)(, | - | )Natal/],
  ["wrong neighbourhood", STREET, /(Alecrim|Jardim Lola \(Santana\))/],
  ["wrong state", BLOCK, /Brasília( - |\/|, | )(?!DF)[A-Z]{2}$/],
  ["namesake city without a state", NAMESAKE, /Natal$/],
  ["s/n", STREET, /^Rua Coronel Rosa,? s\/?nº?/i],
];

for (const [kind, asked, pattern] of ADDRESSES) {
  Deno.test(`an address "${kind}" is that of ${asked.logradouro}`, () => {
    let count = 0;
    for (let seed = 0; seed < 60; seed++) {
      const random = new Random(seed, kind);
      const written = ADDRESS_KINDS[kind]!.ask(asked, random, directory);
      if (written === undefined) continue;
      count++;
      assert(pattern.test(written.body.endereco!), written.body.endereco);
      assert(written.isAnswer(asked.cep));
      assertFalse(written.isAnswer(null) || written.isAnswer("99999999"));
    }
    assert(count > 0);
  });
}

Deno.test("a street that the city lacks has no CEP", () => {
  for (const kind of ["invented street", "street of another city"]) {
    for (let seed = 0; seed < 60; seed++) {
      const random = new Random(seed, kind);
      const written = ADDRESS_KINDS[kind]!.ask(STREET, random, directory);
      if (written === undefined) continue;
      assert(written.hasNone && written.isAnswer(null));
      assertFalse(written.isAnswer(STREET.cep));
    }
  }
});

Deno.test("a typo is no other street of the city", () => {
  const roza = record({ cep: "59000009", logradouro: "Rua Coronel Roza" });
  const both = new Directory([STREET, roza]);
  for (let seed = 0; seed < 300; seed++) {
    const random = new Random(seed, "typo");
    const { ask } = ADDRESS_KINDS["typo in the street"]!;
    const text = ask(STREET, random, both)?.body.endereco ?? "";
    assertFalse(/^Rua Coronel Roza\b/i.test(text), text);
  }
});

Deno.test("an exact row is asked for without number and CEP", () => {
  const { body, isAnswer } = askExactly(EVEN, directory);
  assertEquals(body, {
    logradouro: "Avenida Luiz Souza",
    bairro: "Centro",
    cidade: "Natal",
    uf: "RN",
  });
  assert(isAnswer(EVEN.cep) && isAnswer(ODD.cep));
  assertFalse(isAnswer(STREET.cep) || isAnswer(null));
});

Deno.test("addressQuestions are the same for the same seed", () => {
  const ask = (seed: number) =>
    [...addressQuestions(RECORDS, { seed, count: 2 })].map(({ kind, body }) =>
      JSON.stringify([kind, body])
    );
  assertEquals(ask(7), ask(7));
  assert(`${ask(7)}` !== `${ask(8)}`);
  assertEquals(new Set(ask(7)).size, ask(7).length);
});
