/** Tables of addresses, and the records that they mean. */
import { assert, assertEquals } from "@std/assert";
import type { Address } from "../../../../cep/record/address.ts";
import type { AddressParts } from "../../../../cep/record/address_parts.ts";
import { type Match, Matcher } from "../../../../cep/search/matcher.ts";
import type { SearchQuery, Store } from "../../../../cep/store/mod.ts";
import { openBrazil } from "./_brazil.ts";

/** Free text, or the parts of an address. */
export type Question = string | Partial<AddressParts>;

/**
 * Bounds of a score: `sure` from 0.8 on, `likely` from 0.5 and below 0.8, `found`
 * either of them, `half` for a street of which only the number would tell
 * the CEPs apart, `unsure` below 0.5, where candidates are listed at most,
 * `doubtful` anything below 0.8.
 */
const CERTAINTIES = [
  "sure",
  "likely",
  "found",
  "half",
  "unsure",
  "doubtful",
] as const;

type Certainty = typeof CERTAINTIES[number];

/** Row of a table. */
interface Row {
  readonly question: Question;
  readonly certainty: Certainty;
  /** Label of the record. */
  readonly label: string;
  /** Names of the parts that differ. */
  readonly differences: string;
}

let store: Store;
let records: readonly Address[];

/** Opens the invented DNE, or another one, before the tests of a file. */
export function useBrazil(open = openBrazil): void {
  Deno.test.beforeAll(async () => {
    store = await open();
    records = (await Array.fromAsync(store.scan())).flat();
  });
  Deno.test.afterAll(() => store.close());
}

/** Matches an address, whose answer names no CEP twice. */
export async function match(question: Question): Promise<Match> {
  const matcher = new Matcher(store);
  const found = typeof question === "string"
    ? await matcher.match(question)
    : await matcher.match("", question);
  const { cep, outros_ceps } = found!;
  const ceps = [...cep === null ? [] : [cep], ...outros_ceps];
  assertEquals(ceps, [...new Set(ceps)]);
  return found!;
}

/** Returns the records that a search lists. */
export async function search(
  text: string,
  limit = 10,
  filters: Pick<SearchQuery, "uf" | "city" | "neighbourhood"> = {},
): Promise<Address[]> {
  const { data } = (await store.search({ text, limit, ...filters }))!;
  return data.map(({ json }) => JSON.parse(json));
}

/**
 * Defines the tests of a table. Each line is
 * `certainty question -> record ! differences`: the question is a free text, or
 * parts such as `logradouro=Rua 1; numero=5`; the record is a street and any of
 * its neighbourhood, complement, city and name, after `|`. A row that is `unsure`
 * names a candidate, or nothing; one that is `half` all records of the street;
 * one that is `doubtful` nothing.
 * Lines that begin with `#` are comments.
 */
export function testRows(table: string): void {
  for (const line of table.trim().split("\n")) {
    if (!line.trim().startsWith("#")) testRow(parseRow(line.trim()));
  }
}

function parseRow(line: string): Row {
  const [, word, asked = "", label = "", differences = ""] =
    /^(\w+) +(.*?) *->(?: (.*?)(?: ! (.*))?)?$/.exec(line)!;
  const certainty = CERTAINTIES.find((it) => it === word);
  if (certainty === undefined) throw new TypeError(`Cannot read row: ${line}`);
  const parts = asked.split("; ").map((part) => part.split("=", 2));
  const question = parts.every(({ length }) => length === 2)
    ? Object.fromEntries(parts)
    : asked;
  return { question, certainty, label, differences };
}

function testRow({ question, certainty, label, differences }: Row): void {
  const asked = typeof question === "string"
    ? `"${question}"`
    : JSON.stringify(question);
  const which = label === "" ? "no record" : label;
  Deno.test(`Matcher.match is ${certainty} of ${which} for ${asked}`, async () => {
    const found = await match(question);
    const expected = findAll(label).map(({ cep }) => cep);
    const shown = show(found);
    assertEquals(found.registro?.cep ?? null, found.cep, shown);
    if (certainty === "doubtful") {
      assert(found.pontuacao < 0.8, shown);
      return;
    }
    if (certainty === "unsure") {
      assertEquals([found.cep, found.diferencas], [null, []], shown);
      assert(found.pontuacao < 0.5, shown);
      const { outros_ceps } = found;
      assert(expected.every((cep) => outros_ceps.includes(cep)), shown);
      return;
    }
    assert(expected.includes(found.cep!), shown);
    assert(isAsLikely(found.pontuacao, certainty), shown);
    if (certainty === "half") {
      const others = expected.filter((cep) => cep !== found.cep);
      assert(others.every((it) => found.outros_ceps.includes(it)), shown);
    } else assertEquals(expected.length, 1, `${label} is one record`);
    const campos = found.diferencas.map(({ campo }) => campo);
    assertEquals(campos.join(" "), differences, shown);
  });
  const isUnsure = certainty === "unsure" || certainty === "doubtful";
  if (typeof question !== "string" || isUnsure) return;
  Deno.test(`Store.search lists ${which} first for ${asked}`, async () => {
    const found = await search(question);
    const expected = findAll(label).map(({ cep }) => cep);
    const shown = found.slice(0, 3).map(labelOf).join("; ");
    assert(expected.includes(found[0]?.cep ?? ""), shown);
  });
}

function isAsLikely(score: number, certainty: Certainty): boolean {
  if (certainty === "half") return score === 0.5;
  if (certainty === "sure") return score >= 0.8 && score <= 1;
  return score >= 0.5 && score < (certainty === "likely" ? 0.8 : 1.01);
}

/** Finds the records with a street, and with all other items of a label. */
export function findAll(label: string): Address[] {
  if (label === "") return [];
  const [street, ...others] = label.split("|").map((item) => item.trim());
  const found = records.filter((it) => {
    const names = [it.bairro, it.complemento, it.cidade, it.nome, it.distrito];
    const district = `${it.distrito}/${it.uf}`;
    names.push(`${it.cidade}/${it.uf}`, district);
    const isTown = it.distrito === "" || others.includes(district);
    return it.logradouro === street && (street !== "" || isTown) &&
      others.every((it) => names.includes(it));
  });
  assert(found.length > 0, `${label} is no record`);
  return found;
}

function labelOf({ logradouro, complemento, bairro, cidade, uf }: Address) {
  return `${logradouro} ${complemento} | ${bairro} | ${cidade}/${uf}`;
}

function show({ registro, pontuacao, diferencas, outros_ceps }: Match): string {
  const differing = diferencas.map(({ campo, informado, encontrado }) =>
    `${campo}: ${informado} -> ${encontrado}`
  );
  const others = records.filter(({ cep }) => outros_ceps.includes(cep));
  return `${registro ? labelOf(registro) : null} ${pontuacao} ` +
    `[${differing.join("; ")}] others: ${others.map(labelOf).join("; ")}`;
}
