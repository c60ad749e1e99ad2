import type { Address } from "@carteiro/cep";
import type { Store } from "@carteiro/cep/store";
import { parseRow } from "@carteiro/cep/dne";
import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Directory } from "./directory.ts";
import { parseSection, type Stretch } from "./stretch.ts";

/** Reads all records of a release, and what only the files of its DNE have. */
export async function readDirectory(
  folder: string,
  store: Store,
): Promise<Directory> {
  const codes = new Map<string, string>();
  const shortNames = new Map<string, string>();
  for await (const text of linesOf(folder, /^LOG_LOGRADOURO_..\.TXT$/i)) {
    const row = parseRow("LOG_LOGRADOURO", text);
    codes.set(row.LOG_NU, row.CEP);
    shortNames.set(row.CEP, row.LOG_NO_ABREV);
  }
  const sections = new Map<string, Stretch>();
  for await (const text of linesOf(folder, /^LOG_NUM_SEC\.TXT$/i)) {
    const row = parseRow("LOG_NUM_SEC", text);
    const stretch = parseSection(row);
    const cep = codes.get(row.LOG_NU);
    if (stretch !== undefined && cep !== undefined) sections.set(cep, stretch);
  }
  const oldNames = new Map<string, string[]>();
  const release = await store.release();
  // The CNEFE has no old names.
  const hasOldNames = release?.sources.includes("dne") ?? false;
  for await (const text of linesOf(folder, /^LOG_VAR_LOG\.TXT$/i)) {
    const row = parseRow("LOG_VAR_LOG", text);
    const cep = codes.get(row.LOG_NU);
    if (cep === undefined || !hasOldNames) continue;
    oldNames.set(cep, [...oldNames.get(cep) ?? [], row.VLO_TX]);
  }
  const records: Address[] = [];
  for await (const page of store.scan()) {
    for (const record of page) records.push(record);
  }
  return new Directory(records, { sections, oldNames, shortNames });
}

async function* linesOf(
  directory: string,
  pattern: RegExp,
): AsyncIterable<string> {
  for (const name of readdirSync(directory).sort()) {
    if (!pattern.test(name)) continue;
    const input = createReadStream(join(directory, name), "latin1");
    for await (const line of createInterface({ input })) {
      if (line !== "") yield line;
    }
  }
}
