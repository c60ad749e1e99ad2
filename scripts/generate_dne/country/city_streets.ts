import type { Locality, StreetDraft } from "../locality.ts";
import type { Random } from "../random.ts";
import { RANGES, type Segment } from "../segments.ts";
import { Choices } from "../zipf.ts";
import type { Custom } from "./customs.ts";
import { type Family, familyNames, numberedWords } from "./families.ts";
import { highway } from "./highways.ts";
import { NeighbourhoodNames } from "./neighbourhood_names.ts";
import {
  commonName,
  type NameOptions,
  ofTheme,
  streetName,
  type Theme,
  THEMES,
} from "./street_names.ts";
import { type Row, Rows } from "./rows.ts";
import { ORDINAL, streetTypes } from "./street_types.ts";
import { subdivision } from "./subdivisions.ts";

const THEME_NAMES = Object.keys(THEMES) as Theme[];
const WHOLE: Segment = { complement: "" };

const FAMILIES = new Choices<Family>([
  ["numbers", 50],
  ["letters", 20],
  ["words", 10],
  ["suffixed", 7],
  ["codes", 8],
  ["projectedLetters", 5],
]);

/** Families that all estates of a neighbourhood may have. */
const SHARED: readonly Family[] = ["numbers", "numbers", "letters", "words"];

/** Streets of a city, neighbourhood by neighbourhood. */
export class CityStreets {
  readonly #random: Random;
  readonly #locality: Locality;
  readonly #options: NameOptions;
  readonly #custom: Custom;
  readonly #types: Choices<string>;
  readonly #subdivisions: NeighbourhoodNames;
  /** Parts of avenues that reach the next neighbourhoods. */
  #onwards: Row[] = [];

  constructor(
    locality: Locality,
    random: Random,
    options: NameOptions,
    custom: Custom,
  ) {
    this.#locality = locality;
    this.#random = random;
    this.#options = options;
    this.#custom = custom;
    this.#types = streetTypes(locality.uf);
    this.#subdivisions = new NeighbourhoodNames(random, options);
  }

  /** Returns the rows in the order of their CEPs, those of blocks first. */
  drafts(blocks: readonly Row[]): StreetDraft[] {
    const locality = this.#locality;
    return locality.neighbourhoods.flatMap((neighbourhood) => {
      if (neighbourhood.streets === undefined) return [];
      const [first, end] = neighbourhood.streets;
      const rows = end <= blocks.length
        ? blocks.slice(first, end)
        : this.#fill(end - first, neighbourhood.name);
      return rows.map((row, i) => ({
        ...row,
        locality,
        neighbourhood,
        index: first + i,
      }));
    });
  }

  #fill(count: number, name: string): readonly Row[] {
    const random = this.#random;
    const rows = new Rows(count);
    const reaching = this.#onwards.splice(0, Math.ceil(count / 6));
    for (const row of reaching) rows.add(row);
    if (count >= 6 && random.chance(this.#custom.subdividedPercent)) {
      this.#subdivide(rows);
    }
    const theme = name === "Centro"
      ? "common"
      : random.chance(17)
      ? random.pick(THEME_NAMES)
      : undefined;
    for (let tries = 0; !rows.isFull; tries++) {
      if (tries > 4 * count) {
        rows.add({ ...this.#named(`${this.#options.word(random)} ${tries}`) });
      } else this.#addSome(rows, theme);
    }
    return rows.list;
  }

  #addSome(rows: Rows, theme: Theme | "common" | undefined): void {
    const random = this.#random;
    const drawn = random.int(1000);
    const { familyPermille, wordsPermille } = this.#custom;
    if (drawn < familyPermille) {
      this.#addFamily(rows, 3 + random.int(22), "");
    } else if (drawn < familyPermille + wordsPermille) {
      this.#addNumbered(rows, 2 + random.int(12), "");
    } else this.#addStreet(rows, theme);
  }

  /**
   * Adds the streets of estates, which their complements name. In some, the
   * streets of all estates have the same numbers or letters.
   */
  #subdivide(rows: Rows): void {
    const random = this.#random;
    const shared = random.chance(30) ? random.pick(SHARED) : undefined;
    const estates = shared ? 2 + random.int(3) : 1 + random.int(3);
    if (shared && random.chance(40)) {
      this.#addFamily(rows, 3 + random.int(9), "", shared);
    }
    for (let i = 0; i < estates; i++) {
      const complement = subdivision(random, this.#subdivisions);
      const count = 2 + random.int(11);
      const kind = random.int(100);
      if (shared || kind < 12) {
        this.#addFamily(rows, count, complement, shared);
      } else if (kind < 26) this.#addNumbered(rows, count, complement);
      else {
        for (let i = 0; i < count; i++) {
          rows.add({ ...this.#named(this.#name()), complement });
        }
      }
    }
  }

  #addFamily(
    rows: Rows,
    count: number,
    complement: string,
    shared?: Family,
  ): void {
    const random = this.#random;
    const isRua = shared !== undefined || random.chance(88);
    const type = isRua ? "Rua" : this.#types.pick(random);
    const families = this.#custom.families ?? FAMILIES;
    const family = shared ?? families.pick(random);
    const isFar = shared === undefined && random.chance(25);
    for (const name of familyNames(family, random, { count, isFar })) {
      rows.add({ ...this.#named(name, type), complement });
    }
  }

  #addNumbered(rows: Rows, count: number, complement: string): void {
    const random = this.#random;
    const type = random.chance(80) ? "Rua" : this.#types.pick(random);
    for (const name of numberedWords(random, count)) {
      rows.add({ ...this.#named(name, type), complement });
    }
  }

  #addStreet(rows: Rows, theme: Theme | "common" | undefined): void {
    const random = this.#random;
    const type = this.#types.pick(random);
    if (type === "Rodovia") return this.#addHighway(rows);
    const isOrdinal = ORDINAL.test(type) && rows.list.length > 0;
    const base = isOrdinal
      ? random.pick(rows.list).name
      : this.#themedName(theme);
    const { suffixes } = this.#custom;
    const names = suffixes && !base.includes(" - ")
      ? (random.chance(35) ? suffixes : [random.pick(suffixes)])
        .map((suffix) => base + suffix)
      : [base];
    for (const name of names) {
      this.#addParts(rows, this.#named(name, type), this.#cut(type));
    }
  }

  #themedName(theme: Theme | "common" | undefined): string {
    const random = this.#random;
    if (theme === "common" && random.chance(40)) return commonName(random);
    if (theme === undefined || theme === "common" || random.chance(25)) {
      return this.#name();
    }
    return ofTheme(random, theme);
  }

  #addHighway(rows: Rows): void {
    const random = this.#random;
    const { name, others } = highway(this.#options.uf, random);
    const row = { ...this.#named(name, "Rodovia"), others };
    this.#addParts(
      rows,
      row,
      random.chance(60) ? RANGES.kilometres(random) : [WHOLE],
    );
  }

  /** Adds the parts of a street, some of them in the next neighbourhoods. */
  #addParts(rows: Rows, row: Row, parts: readonly Segment[]): void {
    const street = Symbol();
    let reaches = false;
    for (const [i, part] of parts.entries()) {
      reaches ||= i > 0 && this.#random.chance(30);
      const piece = { ...row, ...part, street };
      if (reaches) this.#onwards.push(piece);
      else if (!rows.add(piece)) return;
    }
  }

  #cut(type: string): readonly Segment[] {
    const random = this.#random;
    const percent = type === "Avenida" ? 22 : type === "Rua" ? 4 : 1;
    if (!random.chance(percent)) return [WHOLE];
    return RANGES.usual.pick(random)(random);
  }

  #name(): string {
    return streetName(this.#random, this.#options);
  }

  #named(name: string, type = "Rua"): Row {
    // One in a few hundred lacks its type in the written address.
    const typeIsWritten = this.#random.int(400) > 0;
    return { type, name, typeIsWritten, complement: "" };
  }
}
