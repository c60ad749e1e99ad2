/** Street of an address, in the letter case of the file. */
export interface StreetName {
  /** Type, `""` without one. */
  readonly type: string;
  /** Title and name. */
  readonly name: string;
}

/** Names of streets that have none. */
const NAMELESS: ReadonlySet<string> = new Set([
  "SEM DENOMINACAO",
  "SEM NOME",
  "PROJETADA",
  "PROJETADO",
  "PARTICULAR",
]);

/** Types that are not of streets, but of buildings. */
const NO_STREETS: ReadonlySet<string> = new Set(["EDF"]);

const utf8 = new TextDecoder("utf-8", { fatal: true });
// The Encoding Standard maps this label to windows-1252.
const latin1 = new TextDecoder("iso-8859-1");

/**
 * Decodes bytes: UTF-8, or ISO-8859-1 if they are not UTF-8. IBGE's files have
 * ASCII only. Spaces and control characters become single spaces.
 */
export function decodeText(bytes: Uint8Array): string {
  return decode(bytes).replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return latin1.decode(bytes);
  }
}

/**
 * Puts the type, title and name of a street together, none of them twice.
 *
 * @returns `undefined` for a street without a name.
 */
export function joinStreet(
  type: string,
  title: string,
  name: string,
): StreetName | undefined {
  if (NO_STREETS.has(type)) return undefined;
  const bare = withoutPrefix(name, type);
  const full = title === "" || startsWith(bare, title)
    ? bare
    : `${title} ${bare}`.trim();
  return full === "" || NAMELESS.has(full) ? undefined : { type, name: full };
}

/** Removes the type from the beginning of a name, unless nothing is left. */
function withoutPrefix(name: string, type: string): string {
  return type !== "" && name.startsWith(`${type} `)
    ? name.slice(type.length + 1)
    : name;
}

function startsWith(name: string, title: string): boolean {
  return name === title || name.startsWith(`${title} `);
}
