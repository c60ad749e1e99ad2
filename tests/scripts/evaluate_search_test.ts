import type { Address } from "@carteiro/cep";
import { assert, assertEquals } from "@std/assert";
import { KINDS } from "../../scripts/evaluate_search/kinds.ts";
import {
  contains,
  numberIn,
  parseComplement,
  parseSection,
  type Stretch,
} from "../../scripts/evaluate_search/stretch.ts";
import { Random } from "../../scripts/generate_dne/random.ts";

const COMPLEMENTS: readonly [string, Stretch | undefined][] = [
  ["- até 697 - lado ímpar", { from: 1, to: 697, side: "odd" }],
  ["- de 232 a 790 - lado par", { from: 232, to: 790, side: "even" }],
  ["- de 4121/4122 a 7799/7800", { from: 4121, to: 7800, side: "both" }],
  ["- de 7801/7802 ao fim", { from: 7801, to: 99999, side: "both" }],
  ["- de 791 ao fim - lado ímpar", { from: 791, to: 99999, side: "odd" }],
  ["- até 379/380", { from: 1, to: 380, side: "both" }],
  ["- lado par ", { from: 1, to: 99999, side: "even" }],
  ["- do km 10,000 ao km 11,000", undefined],
  ["(Lot Santana)", undefined],
  ["Comércio", undefined],
  ["", undefined],
];

for (const [text, stretch] of COMPLEMENTS) {
  Deno.test(`parseComplement reads "${text}"`, () => {
    assertEquals(parseComplement(text), stretch);
  });
}

Deno.test("parseSection reads whole numbers only", () => {
  const row = { SEC_NU_INI: "2", SEC_NU_FIM: "99998", SEC_IN_LADO: "P" };
  assertEquals(parseSection(row), { from: 2, to: 99998, side: "even" });
  assertEquals(parseSection({ ...row, SEC_NU_INI: "00010,000" }), undefined);
  assertEquals(parseSection({ ...row, SEC_IN_LADO: "D" }), undefined);
});

Deno.test("contains compares the number and its side", () => {
  const stretch = { from: 10, to: 20, side: "even" } as const;
  assert(contains(stretch, 10) && contains(stretch, 20));
  assert(!contains(stretch, 8) && !contains(stretch, 11));
  assert(contains({ ...stretch, side: "both" }, 11));
  assert(!contains({ ...stretch, side: "odd" }, 12));
  assert(!contains(undefined, 12));
});

Deno.test("numberIn returns a number on the side of the stretch", () => {
  const random = new Random(7, "numbers");
  for (const side of ["even", "odd"] as const) {
    for (let i = 0; i < 100; i++) {
      const stretch = { from: 10 + (side === "odd" ? 1 : 0), to: 21, side };
      const number = numberIn(stretch, random);
      assert(contains(stretch, number), `${number}`);
    }
  }
});

const RECORD: Address = {
  cep: "59000001",
  logradouro: "Rua Coronel Rosa",
  complemento: "",
  bairro: "Centro",
  distrito: "",
  cidade: "Natal",
  uf: "RN",
  codigo_ibge: "2408102",
  tipo_logradouro: "Rua",
  tipo_origem: "logradouro",
  nome: "",
  nome_origem: "LOG_LOGRADOURO_RN.TXT",
  latitude: "",
  longitude: "",
  raio_m: "",
  enderecos: "",
};

const subject = {
  record: RECORD,
  shortName: "R Cel Rosa",
  stretch: { from: 10, to: 10, side: "even" },
} as const;

const QUESTIONS: readonly [string, object][] = [
  ["as written", { text: "Rua Coronel Rosa, Natal" }],
  ["without accents and capitals", { text: "rua coronel rosa, Natal" }],
  ["without its type", { text: "Coronel Rosa, Natal" }],
  ["abbreviated", { text: "R Cel Rosa, Natal" }],
  ["last word half typed", {
    text: "Rua Coronel Ro",
    city: "Natal",
    uf: "RN",
  }],
  ["number, right CEP first", {
    text: "Rua Coronel Rosa",
    city: "Natal",
    neighbourhood: "Centro",
    uf: "RN",
    number: "10",
  }],
];

for (const [name, query] of QUESTIONS) {
  Deno.test(`KINDS asks for a street ${name}`, () => {
    const question = KINDS[name]!.ask(subject, new Random(7, name));
    assertEquals(question?.query, query);
    assert(question?.isAnswer(RECORD));
  });
}

for (const name of ["letter wrong", "letter missing", "letters swapped"]) {
  Deno.test(`KINDS misspells one word of the name: ${name}`, () => {
    for (let seed = 0; seed < 50; seed++) {
      const { query } = KINDS[name]!.ask(subject, new Random(seed, name))!;
      const [, first = "", second = ""] =
        /^Rua (\S+) (\S+), Natal$/.exec(query.text) ?? [];
      const length = "CoronelRosa".length - (name === "letter missing" ? 1 : 0);
      assertEquals((first + second).length, length);
      assert(first === "Coronel" || second === "Rosa", query.text);
    }
  });
}

Deno.test("KINDS does not accept a street of the same name elsewhere", () => {
  const other = { ...RECORD, cep: "59000002" };
  const { isAnswer } = KINDS["as written"]!.ask(subject, new Random(7, ""))!;
  assert(isAnswer(other));
  assert(!isAnswer({ ...other, cidade: "Mossoró" }));
});

Deno.test("KINDS asks in the state if the city is unknown", () => {
  const record = { ...RECORD, cidade: "" };
  const question = KINDS["as written"]!.ask(
    { ...subject, record },
    new Random(7, ""),
  )!;
  assertEquals(question.query, { text: "Rua Coronel Rosa", uf: "RN" });
  assert(!question.isAnswer({ ...record, cep: "59000002" }));
});
