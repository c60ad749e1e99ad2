/** Imports of small invented files of both sources. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seed, type SeedOptions } from "../../../cep/import/seed.ts";
import type { SeedReport } from "../../../cep/import/seed.ts";
import type { Writer } from "../../../cep/store/mod.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { csv, type Values } from "./cnefe/_census.ts";
import { type Files, writeDirectory } from "../_directory.ts";
import { CapturingLogger } from "../_logger.ts";

/** Files of an import; a source that is left out is not imported. */
export interface Sources {
  /** Files of the small DNE that are replaced. */
  readonly dne?: Files;
  /** Rows of the CNEFE by file, or the bytes of a file. */
  readonly cnefe?: Readonly<
    Record<string, readonly Values[] | Uint8Array | string>
  >;
}

/** Rows in two places of the small DNE, by the names of their files. */
export const CENSUS: NonNullable<Sources["cnefe"]> = {
  "12_AC.csv": repeat(4, {
    COD_UF: "12",
    COD_MUNICIPIO: "1299904",
    CEP: "69990001",
    DSC_LOCALIDADE: "CIDADE NOVA",
    NOM_TIPO_SEGLOGR: "TRAVESSA",
    NOM_SEGLOGR: "TRES",
    LATITUDE: "-9.974990",
    LONGITUDE: "-67.824350",
  }),
  "35_SP.csv": [
    // In the DNE, with another street.
    ...repeat(3, { COD_MUNICIPIO: "3599901", CEP: "01900001" }),
    // Not in the DNE.
    ...repeat(2, {
      COD_MUNICIPIO: "3599901",
      CEP: "01900005",
      DSC_LOCALIDADE: "CENTRO",
    }),
  ],
};

/** Rows of São Paulo, with which the CNEFE alone makes a release. */
export const SAO_PAULO: NonNullable<Sources["cnefe"]> = {
  "35_SP.csv": [
    ...repeat(3, {
      COD_MUNICIPIO: "3550308",
      CEP: "01310100",
      DSC_LOCALIDADE: "BELA VISTA",
      NOM_TIPO_SEGLOGR: "AVENIDA",
      NOM_SEGLOGR: "PAULISTA",
      LATITUDE: "-23.561684",
      LONGITUDE: "-46.655981",
    }),
    ...repeat(2, {
      COD_MUNICIPIO: "3550308",
      CEP: "01001000",
      DSC_LOCALIDADE: "REPUBLICA",
      NOM_TIPO_SEGLOGR: "PRACA",
      NOM_SEGLOGR: "DA SE",
    }),
  ],
};

/** Returns addresses with the same values. */
export function repeat(count: number, values: Values): Values[] {
  return Array.from({ length: count }, () => values);
}

/** Writes the files of both sources into a folder. */
export function writeSources(
  folder: string,
  { dne, cnefe }: Sources,
): Pick<SeedOptions, "directory" | "cnefe"> {
  const directory = join(folder, "dne");
  const census = join(folder, "cnefe");
  if (dne !== undefined) writeDirectory(directory, dne);
  if (cnefe !== undefined) {
    mkdirSync(census, { recursive: true });
    let firstCode = 1;
    for (const [name, content] of Object.entries(cnefe)) {
      const isRows = typeof content !== "string" &&
        !(content instanceof Uint8Array);
      writeFileSync(
        join(census, name),
        isRows ? csv(content, { firstCode }) : content,
      );
      if (isRows) firstCode += content.length;
    }
  }
  return {
    ...(dne === undefined ? {} : { directory }),
    ...(cnefe === undefined ? {} : { cnefe: census }),
  };
}

/** Imports small files of both sources. */
export async function seedBoth(
  store: Writer,
  sources: Sources,
  options: Partial<SeedOptions> = {},
): Promise<SeedReport> {
  using folder = new TemporaryFolder();
  return await seed({
    logger: new CapturingLogger(),
    ...options,
    ...writeSources(folder.path, sources),
    store,
  });
}
