/** Deltas of the small DNE, as lines and on disk. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  deltaColumns,
  type DeltaFamily,
  type Operation,
} from "../../cep/import/update/delta.ts";
import type { Row } from "../../cep/import/dne/layout.ts";
import {
  update,
  type UpdateOptions,
  type UpdateReport,
} from "../../cep/import/update/update.ts";
import type { Writer } from "../../cep/store/mod.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { encode, type Files, row } from "./_directory.ts";
import { CapturingLogger } from "./_logger.ts";

/** Returns a valid line of a delta with some fields replaced. */
export function deltaLine<F extends DeltaFamily>(
  family: F,
  operation: Operation | "",
  fields: Partial<Row<F>> = {},
  previousCep = "",
): string {
  const values: Readonly<Record<string, string>> = {
    ...row(family, fields),
    OPERACAO: operation,
    CEP_ANT: previousCep,
  };
  return deltaColumns(family).map((column) => values[column]).join("@");
}

/** Writes files of a delta, with lines in ISO-8859-1 and CRLF. */
export function writeDelta(path: string, files: Files): void {
  mkdirSync(path, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    const bytes = content instanceof Uint8Array ? content : encode(content);
    writeFileSync(join(path, name), bytes);
  }
}

/** Applies a delta of these files. */
export async function updateFiles(
  store: Writer,
  files: Files,
  options: Partial<UpdateOptions> = {},
): Promise<UpdateReport> {
  using folder = new TemporaryFolder();
  writeDelta(folder.path, files);
  return await update({
    logger: new CapturingLogger(),
    ...options,
    directory: folder.path,
    store,
  });
}
