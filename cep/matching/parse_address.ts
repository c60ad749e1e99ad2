/**
 * Parser of addresses as people write them.
 *
 * @module
 */
import { completeCep, takeCep } from "./cep_in_text.ts";
import { type AddressParts, NO_PARTS, type Part, PARTS } from "./parts.ts";
import { assignPlaces, type IsCity } from "./place_in_text.ts";
import { splitUf, toUf } from "./state_in_text.ts";
import {
  isComplement,
  splitNumber,
  splitStreet,
  startsStreet,
} from "./street_in_text.ts";
import { fold } from "./words.ts";

export type { IsCity } from "./place_in_text.ts";

/** Options of {@linkcode parseAddress}. */
export interface ParseOptions {
  /**
   * Parts that are known, e.g. from columns of a table.
   *
   * @default {{}}
   */
  readonly known?: Partial<AddressParts>;
  /** Tells cities from neighbourhoods; by default, by their positions. */
  readonly isCity?: IsCity;
}

/** Parts while they are filled; the first value of a part stays. */
class Draft {
  readonly parts: Record<Part, string>;

  constructor(known: AddressParts) {
    this.parts = { ...known };
  }

  fill(part: Part, value: string): void {
    if (this.parts[part] !== "") return;
    this.parts[part] = value.replace(/^(km.*\d)\.(?=\d)/i, "$1,");
  }

  addComplement(value: string): void {
    const { complemento } = this.parts;
    if (value === "") return;
    this.parts.complemento = complemento === ""
      ? value
      : `${complemento}, ${value}`;
  }
}

/**
 * Parses an address: `Av. Paulista 1578, Bela Vista, São Paulo/SP`. Commas,
 * hyphens between spaces, slashes, brackets and line breaks separate its parts.
 * A part that is not recognized is added to the complement.
 */
export function parseAddress(
  text: string,
  { known = {}, isCity }: ParseOptions = {},
): AddressParts {
  const draft = new Draft(completeParts(known));
  const { cep, rest } = takeCep(clean(text));
  draft.fill("cep", cep);
  let segments = takeLabelled(segmentsOf(rest), draft);
  segments = takeState(segments, draft, isCity);
  if (draft.parts.cep !== "" && segments.every(isNumberOrUnit)) {
    segments = takeNumber(segments, draft);
  } else if (draft.parts.logradouro === "") {
    segments = takeStreet(segments, findStreet(segments, isCity), draft);
  }
  const { cidade, bairro, others } = assignPlaces(
    takeComplements(segments, draft),
    draft.parts,
    isCity,
  );
  draft.fill("cidade", cidade);
  draft.fill("bairro", bairro);
  others.forEach((other) => draft.addComplement(other));
  return draft.parts;
}

/**
 * Cleans known parts. The street may contain its number and the complement, and
 * the city its state.
 */
export function completeParts(known: Partial<AddressParts>): AddressParts {
  const parts: Record<Part, string> = { ...NO_PARTS };
  for (const part of PARTS) parts[part] = clean(known[part] ?? "");
  parts.cep = completeCep(parts.cep) || parts.cep;
  const city = splitUf(parts.cidade);
  if (city !== undefined && ["", city.uf].includes(toUf(parts.uf))) {
    [parts.cidade, parts.uf] = [city.before, city.uf];
  }
  parts.uf = toUf(parts.uf) || parts.uf;
  const draft = new Draft({ ...parts, logradouro: "" });
  const segments = takeStreet(segmentsOf(parts.logradouro), 0, draft);
  takeComplements(segments, draft).forEach((it) => draft.addComplement(it));
  return draft.parts;
}

function clean(text: string): string {
  return text.normalize("NFC").replaceAll(/[\r\n]+/g, ", ")
    // deno-lint-ignore no-control-regex -- files contain any character
    .replaceAll(/[\x00-\x1F\x7F\s]+/g, " ").trim();
}

const SEPARATORS =
  /\s*[,;|()[\]]\s*|\s+[-–—]+\s*|[-–—]+\s+|\s+\/\s+|(?<=\d)\.\s+/;

function segmentsOf(text: string): string[] {
  return text
    .replaceAll(/(\bkm\.?\s*\d+),(?=\d)/gi, "$1.") // not a separator
    .split(SEPARATORS)
    .map((segment) => segment.replace(/[\s.:-]+$/, ""))
    .filter((segment) => /[\p{L}\p{N}]/u.test(segment));
}

const LABELS: readonly (readonly [RegExp, Part])[] = [
  [/^(?:endere[cç]o|end|logradouro)\s*:\s*/i, "logradouro"],
  [/^(?:compl?|complemento)\s*:\s*/i, "complemento"],
  [/^bairro\s*:\s*/i, "bairro"],
  [/^(?:cidade|munic[ií]pio|localidade)\s*:\s*/i, "cidade"],
  [/^(?:uf|estado)\s*:\s*/i, "uf"],
];

/** Takes the segments with a label: `Bairro: Centro`. */
function takeLabelled(segments: readonly string[], draft: Draft): string[] {
  return segments.flatMap((segment) => {
    const found = LABELS.find(([label]) => label.test(segment));
    if (found === undefined) return segment;
    const [label, part] = found;
    const value = segment.replace(label, "");
    if (part === "logradouro") return value;
    const city = part === "cidade" ? splitUf(value) : undefined;
    if (city) draft.fill("uf", city.uf);
    draft.fill(part, part === "uf" ? toUf(value) : city?.before ?? value);
    return [];
  });
}

/** Takes the state, and the country after it. */
function takeState(
  given: readonly string[],
  draft: Draft,
  isCity: IsCity | undefined,
): string[] {
  const segments = [...given];
  if (segments.length > 1 && /^bra[sz]il$/i.test(segments.at(-1)!)) {
    segments.pop();
  }
  for (let i = segments.length - 1; i >= 0; i--) {
    const segment = segments[i]!;
    const uf = segment.length === 2 && segments.length > 1 ? toUf(segment) : "";
    if (uf !== "") {
      draft.fill("uf", uf);
      return segments.toSpliced(i, 1);
    }
    // A word of two letters without a sign before it is a state at the end.
    const city = splitUf(segment);
    if (city && (i === segments.length - 1 || /[/-]\s*..\.?$/.test(segment))) {
      draft.fill("uf", city.uf);
      return segments.with(i, city.before);
    }
  }
  const [before, last = ""] = segments.slice(-2);
  const uf = segments.length > 1 ? toUf(last) : "";
  if (uf === "") return segments;
  draft.fill("uf", uf);
  // São Paulo and Rio de Janeiro are cities, too.
  const isName = /^(sao paulo|rio de janeiro)$/.test(fold(last)) &&
    !isCity?.(before!, uf);
  return isName ? segments : segments.slice(0, -1);
}

function isNumberOrUnit(segment: string): boolean {
  return isComplement(segment) || splitNumber(segment) !== undefined;
}

/** Takes the number of an address without a street: `01310-200, 1578`. */
function takeNumber(segments: readonly string[], draft: Draft): string[] {
  const [first = "", ...others] = segments;
  const found = splitNumber(first);
  if (found === undefined) return [...segments];
  draft.fill("numero", found.numero);
  return found.rest === "" ? others : [found.rest, ...others];
}

/** Returns the index of the segment with the street, -1 without one. */
function findStreet(
  segments: readonly string[],
  isCity: IsCity | undefined,
): number {
  const typed = segments.findIndex((it) => startsStreet(withoutNumber(it)));
  if (typed >= 0) return typed;
  const numbered = segments.findIndex((segment, i) =>
    splitStreet(segment).numero !== "" ||
    i + 1 < segments.length && splitNumber(segments[i + 1]!) !== undefined
  );
  if (numbered >= 0) return numbered;
  const [first = ""] = segments;
  return segments.length === 0 || segments.length === 1 && isCity?.(first, "")
    ? -1
    : 0;
}

/** Removes a number before the street: `100 Rua das Flores`. */
function withoutNumber(text: string): string {
  return text.replace(/^\d+\s+/, "");
}

/** Takes the street of a segment, and the number in it or after it. */
function takeStreet(
  segments: readonly string[],
  at: number,
  draft: Draft,
): string[] {
  const segment = segments[at];
  if (segment === undefined) return [...segments];
  const bare = withoutNumber(segment);
  if (bare !== segment && startsStreet(bare)) {
    draft.fill("numero", segment.slice(0, -bare.length).trim());
    return takeStreet(segments.with(at, bare), at, draft);
  }
  const next = splitNumber(segments[at + 1] ?? "");
  const street = next?.rest === "" && isNumberedName(segment)
    ? { logradouro: segment, numero: "", complemento: "", rest: "" }
    : splitStreet(segment);
  draft.fill("logradouro", street.logradouro);
  draft.addComplement(street.complemento);
  const rest = street.rest === "" ? [] : [street.rest];
  if (street.numero !== "") {
    draft.fill("numero", street.numero);
    return segments.toSpliced(at, 1, ...rest);
  }
  if (next === undefined) return segments.toSpliced(at, 1, ...rest);
  draft.fill("numero", next.numero);
  return segments.toSpliced(at, 2, ...next.rest === "" ? [] : [next.rest]);
}

/**
 * True if the number in a street is a part of its name, if another number
 * follows: `Rua Projetada 03`, `SCEN Trecho 3 Lotes 1A e 1B`.
 */
function isNumberedName(street: string): boolean {
  const { numero, complemento, rest } = splitStreet(street);
  return complemento + rest !== "" || /^(?:0\d+|\d{1,2})$/.test(numero);
}

function takeComplements(segments: readonly string[], draft: Draft): string[] {
  return segments.filter((segment) => {
    if (!isComplement(segment)) return true;
    draft.addComplement(segment);
    return false;
  });
}
