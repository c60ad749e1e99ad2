/**
 * Names of municipalities, which the CNEFE does not contain. Sources and
 * license of the data: NOTICE.md.
 */
import data from "./municipality_names.json" with { type: "json" };

let names: ReadonlyMap<string, string> | undefined;

/** Returns the names of all municipalities by IBGE code, in order of code. */
export function municipalityNames(): ReadonlyMap<string, string> {
  names ??= new Map(
    data.rows.map((row) => [row.slice(0, 7), row.slice(8)]),
  );
  return names;
}
