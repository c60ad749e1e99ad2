import { abbreviate, streetName } from "./names.ts";
import { WELL_KNOWN_PREFIXES } from "./prefixes.ts";
import type { Random } from "./random.ts";
import { FIRST_SHAPE_NUMBER } from "./shapes/shapes.ts";
import { Ceps, type Round, type StreetChange } from "./round.ts";
import type { Row } from "./table.ts";

// Columns of LOG_LOGRADOURO.
const [NUMBER, LOCALITY, START, END] = [0, 2, 3, 4];
const [NAME, COMPLEMENT, CEP, TYPE, IS_WRITTEN, SHORT] = [5, 6, 7, 8, 9, 10];
const LAST_OF_STREETS = 899;
const STREETS_OF_A_NEW_PLACE = 4;
const LAST_PART = /^- de \d+\/(\d+) ao fim\s*$/;

/** LOG_LOGRADOURO of one state. */
export function evolveStreets(
  round: Round,
  rows: readonly Row[],
): readonly Row[] {
  return new Streets(round, rows).evolve();
}

class Streets {
  readonly #kept: Row[] = [];
  readonly #added: Row[] = [];
  /** CEPs that streets of this state gave up. */
  readonly #released: string[] = [];
  readonly #ceps: Ceps;
  readonly #random: Random;

  constructor(readonly round: Round, readonly rows: readonly Row[]) {
    this.#ceps = new Ceps(rows, CEP);
    this.#random = round.streetKinds.random;
  }

  evolve(): readonly Row[] {
    const { round, rows } = this;
    for (let i = 0; i < rows.length; i++) {
      const row = this.#inPlace(rows[i]!);
      const after = rows[i + 1];
      const kind = isFixed(row)
        ? undefined
        : round.streetKinds.draw((it) =>
          it === "split"
            ? LAST_PART.test(row[COMPLEMENT]!)
            : it !== "swap" || after !== undefined && !isFixed(after)
        );
      if (kind !== "swap") {
        this.#change(row, kind);
        continue;
      }
      // Two streets exchange their CEPs.
      this.#kept.push(row.with(CEP, after![CEP]!));
      this.#kept.push(this.#inPlace(after!).with(CEP, row[CEP]!));
      i++;
    }
    this.#fillNewPlaces();
    return [...this.#kept, ...this.#added];
  }

  #inPlace(row: Row): Row {
    const { neighbourhoods } = this.round;
    const [start = "", end = ""] = [row[START], row[END]];
    if (!neighbourhoods.removed.has(start)) {
      if (!neighbourhoods.removed.has(end)) return row;
      return row.with(END, neighbourhoods.current(end));
    }
    return row.with(START, neighbourhoods.current(start))
      .with(END, neighbourhoods.current(end));
  }

  #change(row: Row, kind: StreetChange | undefined): void {
    switch (kind) {
      case "remove":
        this.round.streets.removed.add(row[NUMBER]!);
        this.#released.push(row[CEP]!);
        return;
      case "rename":
        this.#kept.push(named(row, streetName(this.#random)));
        return;
      case "move":
        this.#kept.push(this.#moved(row));
        return;
      case "split":
        this.#kept.push(this.#split(row));
        return;
      case "insert":
        this.#insert(row, this.#reuse(row[CEP]!));
    }
    this.#kept.push(row);
  }

  #moved(row: Row): Row {
    const cep = this.#take(row[CEP]!);
    if (cep === undefined) return row;
    this.#released.push(row[CEP]!);
    return row.with(CEP, cep);
  }

  /** Gives the rest of a street a row and a CEP of its own. */
  #split(row: Row): Row {
    const cep = this.#take(row[CEP]!);
    if (cep === undefined) return row;
    const from = Number(LAST_PART.exec(row[COMPLEMENT]!)![1]);
    const to = from + 2 * (50 + this.#random.int(400));
    const number = this.round.streetNumber();
    const complement = `- de ${to + 1}/${to + 2} ao fim`;
    this.#added.push(
      row.with(NUMBER, number).with(CEP, cep).with(COMPLEMENT, complement),
    );
    this.round.sections.add(number, `${to + 1}`, "99998");
    this.round.sections.end(row[NUMBER]!, `${to}`);
    return row.with(COMPLEMENT, `- de ${from - 1}/${from} a ${to - 1}/${to}`);
  }

  /** Adds a street beside another. */
  #insert(near: Row, cep: string | undefined): void {
    if (cep === undefined) return;
    const number = this.round.streetNumber();
    const row = named(near, streetName(this.#random));
    this.#added.push(
      row.with(NUMBER, number).with(CEP, cep).with(COMPLEMENT, ""),
    );
    const { sections } = this.round;
    if (this.#random.chance(50)) sections.add(number, "1", "99999");
  }

  /** Returns the last CEP that was given up if it is near, or a free one. */
  #reuse(near: string): string | undefined {
    const isNear = this.#released.at(-1)?.slice(0, 5) === near.slice(0, 5);
    return isNear ? this.#released.pop() : this.#take(near);
  }

  #take(near: string): string | undefined {
    return this.#ceps.take(near, 0, LAST_OF_STREETS);
  }

  /** Adds streets of new neighbourhoods, and of localities newly coded. */
  #fillNewPlaces(): void {
    const first = this.rows[0];
    const { coded, neighbourhoods } = this.round;
    for (const place of neighbourhoods.added) {
      const near = this.rows.find((row) => row[LOCALITY] === place[2]);
      if (near !== undefined) this.#fill(near.with(START, place[0]!));
    }
    for (const [locality, place] of coded) {
      if (first === undefined || place[1] !== first[1]) continue;
      const start = this.round.centres.get(locality)!;
      this.#fill(
        first.with(LOCALITY, locality).with(START, start).with(END, "")
          .with(CEP, place[3]!),
      );
    }
  }

  #fill(near: Row): void {
    for (let i = 0; i < STREETS_OF_A_NEW_PLACE; i++) {
      this.#insert(near, this.#take(near[CEP]!));
    }
  }
}

function isFixed(row: Row): boolean {
  return Number(row[NUMBER]) >= FIRST_SHAPE_NUMBER ||
    WELL_KNOWN_PREFIXES.has(Number(row[CEP]!.slice(0, 5)));
}

function named(row: Row, name: string): Row {
  const written = row[IS_WRITTEN] === "S" ? `${row[TYPE]} ${name}` : name;
  const short = abbreviate(written);
  const width = row[SHORT]!.endsWith(" ") ? row[SHORT]!.length : 0;
  return row.with(NAME, name).with(SHORT, short.padEnd(width));
}
