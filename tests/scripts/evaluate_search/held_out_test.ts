/** Streets that are left out of an import, and questions about them. */
import { assert, assertEquals } from "@std/assert";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Directory } from "../../../scripts/evaluate_search/directory.ts";
import {
  chooseHeldOut,
  copyWithout,
  HELD_OUT_PERCENT,
  heldOutQuestions,
} from "../../../scripts/evaluate_search/held_out.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import {
  EVEN,
  NUMERAL,
  ODD,
  record,
  RECORDS,
  STREET,
  STREET_ELSEWHERE,
} from "./_records.ts";

const directory = new Directory(RECORDS);
const options = { seed: 7, count: 3 };

Deno.test("chooseHeldOut takes all records of a street, and few streets", () => {
  const streets = Array.from({ length: 1000 }, (_, i) => {
    const street = { logradouro: `Rua ${i >> 1}`, cep: `${59100000 + i}` };
    return record(street);
  });
  const { streets: chosen } = chooseHeldOut(new Directory(streets), 7);
  const percent = chosen.length / 10;
  assert(Math.abs(percent - HELD_OUT_PERCENT) < 3, `${percent} %`);
  const byName = Map.groupBy(chosen, ({ logradouro }) => logradouro);
  assert([...byName.values()].every(({ length }) => length === 2));
});

Deno.test("copyWithout leaves the rows of some streets out", () => {
  using folder = new TemporaryFolder();
  const [from, to] = [`${folder.path}/dne`, `${folder.path}/rest`];
  mkdirSync(from);
  const row = (number: number, { cep, logradouro }: typeof STREET) =>
    `${number}@RN@1@1@@${logradouro}@@${cep}@Rua@S@\r\n`;
  const rows = [row(1, STREET), row(2, NUMERAL), row(3, EVEN)];
  writeFileSync(`${from}/LOG_LOGRADOURO_RN.TXT`, rows.join(""), "latin1");
  writeFileSync(`${from}/LOG_BAIRRO.TXT`, "1@RN@1@Centro@\r\n");
  copyWithout(new Directory([NUMERAL]), from, to);
  assertEquals(
    readFileSync(`${to}/LOG_LOGRADOURO_RN.TXT`, "latin1"),
    rows[0]! + rows[2]!,
  );
  assertEquals(
    readFileSync(`${to}/LOG_BAIRRO.TXT`, "utf8"),
    "1@RN@1@Centro@\r\n",
  );
});

Deno.test("heldOutQuestions wants no CEP", () => {
  const heldOut = new Directory([NUMERAL]);
  const questions = [...heldOutQuestions(directory, heldOut, options)];
  assert(questions.some(({ kind }) => kind === "clean"));
  assert(questions.some(({ kind }) => kind === "parts"));
  for (const { record, hasNone, isAnswer } of questions) {
    assertEquals([record, hasNone], [NUMERAL, true]);
    assert(isAnswer(null) && !isAnswer(NUMERAL.cep));
  }
});

Deno.test("heldOutQuestions asks nothing that another record fits as well", () => {
  const kindsOf = (heldOut: Directory) =>
    new Set([...heldOutQuestions(directory, heldOut, options)]
      .map(({ kind }) => kind));
  const kinds = kindsOf(new Directory([STREET]));
  assert(kinds.has("clean"));
  // The street is in another neighbourhood, too.
  assert(!kinds.has("no neighbourhood"), STREET_ELSEWHERE.bairro);
  assert(kindsOf(new Directory([EVEN, ODD])).has("no neighbourhood"));
});
