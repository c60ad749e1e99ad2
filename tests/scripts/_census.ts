/** A generated CNEFE in memory. */
import {
  type CensusOptions,
  generateCensus,
} from "../../scripts/generate_cnefe.ts";
import { COLUMNS } from "../../scripts/generate_cnefe/spelling.ts";
import type { Truth } from "../../scripts/generate_cnefe/truth.ts";

/** Options of samples/cnefe. */
export const SAMPLE: CensusOptions = {
  rows: 15_000,
  streets: 1500,
  seed: 2026,
  wellKnown: true,
};

/** Generates the text of each file, by name. */
export function textOf(
  options: CensusOptions,
  truth?: Truth,
): Map<string, string> {
  const files = new Map<string, string>();
  const decoder = new TextDecoder();
  for (const { name, chunk } of generateCensus(options, truth)) {
    files.set(name, (files.get(name) ?? "") + decoder.decode(chunk));
  }
  return files;
}

/** Values of a row by column. */
export type Row = Readonly<Record<string, string>>;

/** Reads the rows of files. */
export function rowsOf(files: ReadonlyMap<string, string>): Row[] {
  return [...files.values()].flatMap((text) =>
    text.split("\n").slice(1, -1).map((line) => {
      const values = line.split(";");
      return Object.fromEntries(COLUMNS.map((it, i) => [it, values[i] ?? ""]));
    })
  );
}
