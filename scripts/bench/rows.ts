import { assertEquals } from "@std/assert";
import type { Address } from "../../cep/record/address.ts";
import type { Programs } from "./programs.ts";

/** Record. */
export type Row = Address;

/** Columns that only a release with the CNEFE has. */
const CENSUS_COLUMNS = `,
  x.latitude / 1e5 AS latitude, x.longitude / 1e5 AS longitude, x.raio_m,
  x.enderecos`;

/**
 * Draws random records from a release, by default that of the plan, with fields
 * by the definitions in the README, not by the queries of the service.
 */
export async function drawRows(
  bench: Pick<Programs, "release" | "sqlite">,
  count: number,
  file?: string,
): Promise<Row[]> {
  const release = file ?? await bench.release();
  const [{ counted }] = JSON.parse(
    await bench.sqlite(
      release,
      ".mode json",
      "SELECT count(*) > 0 AS counted FROM censo",
    ),
  );
  const query = `
    SELECT
      printf('%08d', c.cep) AS cep,
      o.prefixo || c.logradouro AS logradouro,
      c.complemento,
      CASE o.tipo_origem
        WHEN 'localidade' THEN iif(l.loc_nu_sub > 0, l.nome, '')
        ELSE coalesce(b.nome, '')
      END AS bairro,
      iif(l.loc_nu_sub > 0, l.nome, '') AS distrito,
      coalesce(m.nome, '') AS cidade,
      o.uf,
      coalesce(m.mun_nu, '') AS codigo_ibge,
      o.tipo_logradouro, o.tipo_origem, c.nome, o.nome_origem
      ${counted ? CENSUS_COLUMNS : ""}
    FROM cep c
    JOIN origem o ON o.id = c.origem
    LEFT JOIN bairro b USING (bai_nu)
    LEFT JOIN censo x ON x.cep = c.cep
    LEFT JOIN localidade l ON l.loc_nu = c.loc_nu
    LEFT JOIN localidade m
      ON m.loc_nu = iif(l.loc_nu_sub > 0, l.loc_nu_sub, l.loc_nu)
    WHERE c.cep IN (SELECT cep FROM cep ORDER BY random() LIMIT ${count})
    ORDER BY random()`;
  const rows = await bench.sqlite(release, ".mode json", query);
  // A record has no null.
  return JSON.parse(rows, (_name, value) => value ?? undefined);
}

/** Counts the CEPs of a release. */
export async function countCodes(
  bench: Pick<Programs, "sqlite">,
  file: string,
): Promise<number> {
  return Number(await bench.sqlite(file, "SELECT count(*) FROM cep"));
}

/**
 * Compares the JSON that is found for each CEP with its row.
 *
 * @throws {AssertionError} If a field differs.
 */
export async function checkRows(
  rows: readonly Row[],
  find: (cep: string) => Promise<string>,
): Promise<void> {
  for (const row of rows) assertEquals(JSON.parse(await find(row.cep)), row);
}
