import { Choices, Random } from "./random.ts";
import type { Row } from "./text_file.ts";

/** Options of a round of changes. */
export interface RoundOptions {
  /** Street rows of the first release. */
  readonly rows: number;
  readonly seed: number;
  /** Number of the release that the changes lead to, from 1. */
  readonly release: number;
}

/** Numbers that a release removes from a file. */
export class Numbers {
  readonly removed = new Set<string>();
}

/** Neighbourhoods of a release that differ from those of the one before. */
export class Neighbourhoods extends Numbers {
  /** Neighbourhoods that replace the removed ones. */
  readonly replacements = new Map<string, string>();
  /** Rows that a release adds, whose streets come after them. */
  readonly added: Row[] = [];

  /** Returns the neighbourhood in the place of another, usually the same. */
  current(number: string): string {
    return this.replacements.get(number) ?? number;
  }
}

/** Rows of LOG_NUM_SEC that change with their streets. */
export class Sections {
  readonly #streets: Numbers;
  readonly #added: Row[] = [];
  readonly #ends = new Map<string, string>();

  constructor(streets: Numbers) {
    this.#streets = streets;
  }

  /** Adds a row. */
  add(street: string, from: string, to: string, side = "A"): void {
    this.#added.push([street, from, to, side]);
  }

  /** Sets the last number of a street that has a row. */
  end(street: string, to: string): void {
    this.#ends.set(street, to);
  }

  /** Returns the rows of the next release. */
  apply(rows: readonly Row[]): readonly Row[] {
    return rows.filter(([street = ""]) => !this.#streets.removed.has(street))
      .map((row) => {
        const to = this.#ends.get(row[0] ?? "");
        return to === undefined ? row : row.with(2, to);
      }).concat(this.#added);
  }
}

/** Changes from one release to the next, in the order of its files. */
export class Round {
  readonly localities = new Numbers();
  /** Rows of localities that become coded by street, by LOC_NU. */
  readonly coded = new Map<string, Row>();
  /** Neighbourhoods for the streets of these localities, by LOC_NU. */
  readonly centres = new Map<string, string>();
  readonly neighbourhoods = new Neighbourhoods();
  readonly streets = new Numbers();
  readonly sections = new Sections(this.streets);
  readonly units = new Numbers();
  readonly mailboxes = new Numbers();
  /** Kinds of changes of streets, for the files of all states. */
  readonly streetKinds: Kinds<StreetChange>;
  #nextStreet: number;

  constructor(readonly options: RoundOptions) {
    const { rows, release } = options;
    this.streetKinds = new Kinds(this.random("streets"), STREET_CHANGES);
    // Above the numbers of all earlier releases.
    this.#nextStreet = rows + release * (1000 + Math.ceil(rows / 10));
  }

  /** Creates the random numbers of one file. */
  random(stream: string): Random {
    const { seed, release } = this.options;
    return new Random(seed, `release ${release} ${stream}`);
  }

  /** Returns the next LOG_NU. */
  streetNumber(): string {
    return String(this.#nextStreet++);
  }
}

/** Change of a row of a street file. */
export type StreetChange =
  | "rename"
  | "move"
  | "remove"
  | "insert"
  | "split"
  | "swap";

const STREET_CHANGES: Readonly<Record<StreetChange, number>> = {
  rename: 4,
  move: 2,
  remove: 2,
  insert: 6,
  split: 30,
  swap: 1,
};

const MEAN_START = 4;

/** Kinds of changes, each with its frequency per thousand. */
export class Kinds<K extends string> {
  /** Kinds that have not occurred, so that each occurs in a small release. */
  readonly #pending: K[];
  readonly #choices: Choices<K | undefined>;

  constructor(readonly random: Random, odds: Readonly<Record<K, number>>) {
    const kinds = Object.entries(odds) as [K, number][];
    this.#pending = kinds.map(([kind]) => kind);
    const rest = kinds.reduce((left, [, odd]) => left - odd, 1000);
    this.#choices = new Choices([...kinds, [undefined, rest]]);
  }

  /** Draws the kind of change for a row, of those that suit the row. */
  draw(suits: (kind: K) => boolean = () => true): K | undefined {
    const first = this.#pending.findIndex(suits);
    if (first >= 0 && this.random.int(MEAN_START) === 0) {
      return this.#pending.splice(first, 1)[0];
    }
    const kind = this.#choices.pick(this.random);
    return kind !== undefined && suits(kind) ? kind : undefined;
  }
}

/** CEPs of a file. */
export class Ceps {
  readonly #taken: Set<string>;

  constructor(rows: readonly Row[], column: number) {
    this.#taken = new Set(rows.map((row) => row[column] ?? ""));
  }

  /**
   * Takes the next free CEP with the same five digits, its last three digits in
   * a range.
   */
  take(near: string, first: number, last: number): string | undefined {
    const size = last - first + 1;
    const start = Number(near.slice(5)) - first;
    for (let i = 1; i < size; i++) {
      const suffix = first + (start + i) % size;
      const cep = near.slice(0, 5) + String(suffix).padStart(3, "0");
      if (this.#taken.has(cep)) continue;
      this.#taken.add(cep);
      return cep;
    }
    return undefined;
  }
}

/** Returns the number after the largest of a file. */
export function nextNumber(rows: readonly Row[]): number {
  return 1 + rows.reduce((most, [nu]) => Math.max(most, Number(nu)), 0);
}
