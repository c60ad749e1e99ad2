import type { Address, OwnFieldName } from "../../record/address.ts";
import type { PrefixFile } from "./layout.ts";

/** Length of a prefix. */
export const PREFIX_DIGITS = 5;

/**
 * Formats the records of a prefix in compact form: a text that most of them share
 * is written once. The text depends on nothing else.
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

/** Number of possible prefixes. */
const PREFIXES = 100_000;

/**
 * Set of five-digit prefixes, with a bit for each: prefix `p` is bit `p % 8`,
 * counted from the lowest, of byte `⌊p / 8⌋`. Its text is base64.
 */
export class PrefixSet {
  readonly #bytes: Uint8Array;

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Creates a set of prefixes. */
  static of(prefixes: Iterable<string>): PrefixSet {
    const bytes = new Uint8Array(PREFIXES / 8);
    for (const prefix of prefixes) {
      const [index, bit] = locate(prefix);
      bytes[index]! |= bit;
    }
    return new PrefixSet(bytes);
  }

  /**
   * Parses the text of a set.
   *
   * @returns The set, or `undefined` for any other text.
   */
  static parse(text: string): PrefixSet | undefined {
    let binary: string;
    try {
      binary = atob(text);
    } catch {
      return undefined;
    }
    if (binary.length !== PREFIXES / 8) return undefined;
    return new PrefixSet(
      Uint8Array.from(binary, (character) => character.charCodeAt(0)),
    );
  }

  /** True if the set contains a prefix. */
  has(prefix: string): boolean {
    const [index, bit] = locate(prefix);
    return (this.#bytes[index]! & bit) !== 0;
  }

  /** Returns the text of the set. */
  toString(): string {
    let binary = "";
    for (const byte of this.#bytes) binary += String.fromCharCode(byte);
    return btoa(binary);
  }
}

function locate(prefix: string): [index: number, bit: number] {
  const number = Number(prefix);
  return [Math.floor(number / 8), 1 << number % 8];
}
