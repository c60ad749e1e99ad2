/**
 * Queries for the records of an address.
 *
 * @module
 */
import { STATES } from "../address.ts";
import type { SearchQuery } from "../store/store.ts";
import type { Subject } from "./comparison.ts";
import type { Ranking } from "./ranking.ts";
import { correctType } from "./street_in_text.ts";

/** Records per query. */
const CANDIDATES = 10;

/** Yields queries, the most specific first, until a good record is found. */
export function* queries(
  { parts, number: parsed }: Subject,
  ranking: Pick<Ranking, "isGood" | "hasAcceptable">,
): Generator<SearchQuery> {
  const { numero, complemento, bairro, cidade, uf } = parts;
  const logradouro = correctType(parts.logradouro);
  const hasNumber = parsed !== undefined && parsed !== null;
  const state = STATES.includes(uf) && { uf };
  const place = { ...state, ...cidade && { city: cidade } };
  const common = { limit: CANDIDATES, prefix: false };
  const exact = { ...common, ...place, misspelt: false };
  if (logradouro !== "") {
    const number = hasNumber && { number: numero };
    const text = logradouro;
    if (bairro !== "") {
      yield { ...exact, ...number, text, neighbourhood: bairro };
      if (ranking.isGood) return;
    }
    yield { ...exact, ...number, text };
    if (ranking.isGood) return;
    if (number) yield { ...exact, text };
    if (ranking.isGood) return;
    // In Brasília, the complement is a part of the street.
    if (complemento !== "") {
      yield { ...exact, text: `${text} ${complemento}` };
      if (ranking.isGood) return;
    }
    const lenient = { ...common, ...place, ...number, text };
    if (bairro !== "") yield { ...lenient, neighbourhood: bairro };
    if (ranking.isGood) return;
    yield lenient;
    if (ranking.isGood) return;
    // The city may be unknown, or be the name of a neighbourhood.
    if (cidade !== "" || bairro !== "") {
      yield { ...common, ...state, text: `${text} ${cidade || bairro}` };
    }
    if (ranking.hasAcceptable) return;
  }
  // A small city or district has one CEP for all its streets.
  if (cidade !== "") yield { ...common, ...place, text: cidade };
  if (bairro !== "" && !ranking.hasAcceptable) {
    yield { ...exact, city: bairro, text: bairro };
  }
}
