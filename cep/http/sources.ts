import { CENSUS_CREDIT } from "../record/credit.ts";
import type { DataSource } from "../store/store.ts";

/** Returns the credit that the sources are due, `undefined` for none. */
export function creditOf(sources: readonly DataSource[]): string | undefined {
  return sources.includes("cnefe") ? CENSUS_CREDIT : undefined;
}

/** Describes the data of the sources, in a sentence in Portuguese. */
export function describeSources(sources: readonly DataSource[]): string {
  const credit = creditOf(sources);
  if (credit === undefined) return "CEPs do DNE dos Correios.";
  return sources.includes("dne")
    ? `CEPs do DNE dos Correios, com coordenadas e outros CEPs do CNEFE. ${credit}`
    : `CEPs do CNEFE do IBGE. ${credit}`;
}
