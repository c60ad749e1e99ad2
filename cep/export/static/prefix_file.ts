/**
 * Records of a five-digit prefix in compact form: texts that most of them share
 * are written once.
 */
import type { Address, OwnFieldName } from "../../record/address.ts";
import type { PrefixFile } from "./layout.ts";

/** Length of a prefix. */
export const PREFIX_DIGITS = 5;

/**
 * Formats the records of a prefix. The text depends on nothing else.
 *
 * @param records Records in order of CEP, at least one.
 */
export function formatPrefixFile(records: readonly Address[]): string {
  const { cep: _, ...first } = records[0]!;
  const names = Object.keys(first) as (keyof typeof first)[];
  const common: Readonly<Record<string, string>> = Object.fromEntries(
    names.filter((name) => typeof first[name] === "string")
      .map((name) => [name, mostFrequent(records, name as OwnFieldName)]),
  );
  const lines = records.map(({ cep, ...fields }) => {
    const others = Object.entries(fields)
      .filter(([name, value]) => value !== common[name]);
    const suffix = cep.slice(PREFIX_DIGITS);
    return `"${suffix}":${JSON.stringify(Object.fromEntries(others))}`;
  });
  return `{"padrao":${JSON.stringify(common)},"ceps":{\n${
    lines.join(",\n")
  }}}\n`;
}

/** Returns the most frequent text of a field, the first of equals. */
function mostFrequent(
  records: readonly Address[],
  name: OwnFieldName,
): string {
  const counts = new Map<string, number>();
  for (const { [name]: value } of records) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  let [best, most] = ["", 0];
  for (const [value, count] of counts) {
    if (count > most) [best, most] = [value, count];
  }
  return best;
}

/** Returns the record of a CEP from the file of its prefix. */
export function findInPrefixFile(
  { padrao, ceps }: PrefixFile,
  cep: string,
): Address | undefined {
  const suffix = cep.slice(PREFIX_DIGITS);
  if (!Object.hasOwn(ceps, suffix)) return undefined;
  return { cep, ...padrao, ...ceps[suffix] };
}
