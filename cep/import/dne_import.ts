import type { DirectoryFile } from "./dne/directory.ts";
import type { Importer } from "./dne/importer.ts";
import type { FileReport } from "./dne/report.ts";

/** Options of {@linkcode importDne}. */
export interface DneImportOptions {
  /** Files, in the order of import. */
  readonly files: readonly DirectoryFile[];
  /** Import of their lines. */
  readonly importer: Importer;
  /** Called with the number of bytes that were read of a file. */
  readonly onBytes: (file: string, bytes: number) => void;
  /** Called with the report of each file after it is read. */
  readonly onFile: (report: FileReport) => void;
  /** Aborts the import. */
  readonly signal: AbortSignal | undefined;
}

/** Imports the files one after another. */
export async function importDne(
  { files, importer, onBytes, onFile, signal }: DneImportOptions,
): Promise<FileReport[]> {
  const reports: FileReport[] = [];
  for (const file of files) {
    const chunks = countBytes(
      file,
      signal,
      (bytes) => onBytes(file.name, bytes),
    );
    const report = await importer.importFile(file, chunks);
    onFile(report);
    reports.push(report);
  }
  return reports;
}

/** Reads a file, reports the size of each chunk, and stops if aborted. */
async function* countBytes(
  file: DirectoryFile,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of file.read()) {
    signal?.throwIfAborted();
    onBytes(chunk.byteLength);
    yield chunk;
  }
}
