import type { DataSource } from "../store/store.ts";

/** Source of the CNEFE, to be named wherever its data are shown. */
export const CENSUS_CREDIT =
  "Fonte: IBGE, Cadastro Nacional de Endereços para Fins Estatísticos " +
  "(CNEFE), Censo Demográfico 2022. Dados agregados por CEP por Carteiro.";

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
