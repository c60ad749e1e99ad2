import type { RawRecord } from "./raw_record.ts";

/** Names in the IANA database by state; all others have the one of Brasília. */
const BY_STATE: Readonly<Record<string, string>> = {
  AC: "America/Rio_Branco",
  AL: "America/Maceio",
  AM: "America/Manaus",
  AP: "America/Belem",
  BA: "America/Bahia",
  CE: "America/Fortaleza",
  MA: "America/Fortaleza",
  MS: "America/Campo_Grande",
  MT: "America/Cuiaba",
  PA: "America/Belem",
  PB: "America/Fortaleza",
  PE: "America/Recife",
  PI: "America/Fortaleza",
  RN: "America/Fortaleza",
  RO: "America/Porto_Velho",
  RR: "America/Boa_Vista",
  SE: "America/Maceio",
  TO: "America/Araguaina",
};

/** Municipalities whose time differs from that of their state's capital. */
const BY_MUNICIPALITY: Readonly<Record<string, string>> = {
  "1300201": "America/Eirunepe", // Atalaia do Norte
  "1300607": "America/Eirunepe", // Benjamin Constant
  "1301407": "America/Eirunepe", // Eirunepé
  "1301506": "America/Eirunepe", // Envira
  "1301654": "America/Eirunepe", // Guajará
  "1301803": "America/Eirunepe", // Ipixuna
  "1304062": "America/Eirunepe", // Tabatinga
  "2605459": "America/Noronha", // Fernando de Noronha
};

/** Returns the time zone of a record's municipality. */
export function timeZone(
  { uf, codigo_ibge }: Pick<RawRecord, "uf" | "codigo_ibge">,
): string {
  return BY_MUNICIPALITY[codigo_ibge] ?? BY_STATE[uf] ?? "America/Sao_Paulo";
}
