import { isDeepStrictEqual } from "node:util";
import {
  type AnyRow,
  type DeltaContent,
  type DeltaLine,
  type DeltaTally,
  detailKey,
  type ReportLine,
} from "./delta.ts";
import type {
  DetailRow,
  DetailTable,
  Entry,
  Locality,
  Move,
  Neighbourhood,
  Origin,
} from "../../record/entry.ts";
import { Places } from "../../record/places.ts";
import type { PresentRows } from "../../store/store.ts";
import { tableOf } from "../dne/details.ts";

/** Row that a delta changes. */
interface RowChange<T extends AnyRow> {
  /** Rows of the release with its key: one, none, or repeated ones. */
  readonly before: readonly T[];
  /** Row after the delta, `undefined` if it is deleted. */
  readonly after: T | undefined;
}

/** Line that decides about a key. */
interface Decision<T extends AnyRow> {
  readonly line: DeltaLine<T>;
  /** True if there are further lines of the key. */
  readonly hasOthers: boolean;
}

/**
 * Applies the lines of a file in order, and counts their effects. The last line
 * of a key decides: deltas accumulate, so that one may insert a row that an
 * earlier one has inserted, or insert and update it.
 *
 * - An updated row that the release lacks is inserted, with a warning.
 * - An inserted row that the release has with another content replaces it, with
 *   a warning.
 * - A deleted row that the release lacks is not an error.
 *
 * @param find Returns the rows of the release with a key.
 * @returns The rows that change, by key.
 */
function applyLines<T extends AnyRow>(
  lines: readonly DeltaLine<T>[],
  find: (key: string) => readonly T[],
  tally: DeltaTally,
  report: ReportLine,
): Map<string, RowChange<T>> {
  const changes = new Map<string, RowChange<T>>();
  for (const [key, { line, hasOthers }] of decide(lines, tally)) {
    const before = find(key);
    const after = line.operation === "DEL" ? undefined : line.row;
    if (isSame(before, after)) {
      tally.unchanged++;
      continue;
    }
    changes.set(key, { before, after });
    if (after === undefined) {
      tally.deleted++;
    } else if (before.length === 0) {
      tally.inserted++;
      if (line.operation === "UPD" && !hasOthers) misfit(line, "unknown");
    } else {
      tally.updated++;
      if (line.operation === "INS" && !hasOthers) misfit(line, "known");
    }
  }
  return changes;

  function misfit(
    { line, key }: DeltaLine,
    kind: "known" | "unknown",
  ): void {
    tally.warn(`${kind} number`);
    report(line, `${kind} number`, key);
  }
}

/** Returns the line that decides about each key. */
function decide<T extends AnyRow>(
  lines: readonly DeltaLine<T>[],
  tally: DeltaTally,
): Map<string, Decision<T>> {
  const decisions = new Map<string, Decision<T>>();
  for (const line of lines) {
    const earlier = decisions.get(line.key)?.line;
    if (earlier !== undefined) tally.unchanged++;
    const isOlder = earlier !== undefined && deletesOlder(line, earlier);
    decisions.set(line.key, {
      line: isOlder ? earlier : line,
      hasOthers: earlier !== undefined,
    });
  }
  return decisions;
}

/**
 * True if a line deletes the row of an optional file that an earlier line has
 * replaced: the new row comes first.
 */
function deletesOlder(line: DeltaLine, earlier: DeltaLine): boolean {
  return line.operation === "DEL" && earlier.operation !== "DEL" &&
    Array.isArray(line.row) && !isDeepStrictEqual(line.row, earlier.row);
}

function isSame<T extends AnyRow>(
  before: readonly T[],
  after: T | undefined,
): boolean {
  if (after === undefined) return before.length === 0;
  return before.length === 1 && isEqual(before[0]!, after);
}

/** True if two rows are equal but for their position in the file. */
function isEqual(a: AnyRow, b: AnyRow): boolean {
  return Array.isArray(a)
    ? isDeepStrictEqual(a, b)
    : isDeepStrictEqual({ ...a, order: 0 }, { ...b, order: 0 });
}

/** Tables of alternative names, for which there are no deltas. */
const NAMES = {
  LOG_LOCALIDADE: "var_loc",
  LOG_BAIRRO: "var_bai",
  LOG_LOGRADOURO: "var_log",
} as const;

/** Kinds of files whose lines have a neighbourhood. */
const NEEDS_NEIGHBOURHOOD: ReadonlySet<Origin> = new Set<Origin>([
  "logradouro",
  "grande_usuario",
  "unid_oper",
]);

type Changes<T extends AnyRow> = Map<string, RowChange<T>>;

/** Places of a release after a delta, and its changed rows. */
export class NextRelease {
  /** Localities and neighbourhoods, in the order of their files. */
  readonly places = new Places();
  /** Changed entries by {@linkcode entryKey}, without those of localities. */
  readonly entries: Changes<Entry> = new Map();
  /** Changed rows of optional files, by their keys. */
  readonly details = new Map<DetailTable, Changes<DetailRow>>();
  /** Deleted numbers, by the table of their alternative names. */
  readonly nameless = new Map<DetailTable, Set<number>>();
  /** Changes of CEPs that the present release does not know. */
  moves: readonly Move[] = [];
  /** Number of changed rows. */
  changes = 0;
  readonly #rows: PresentRows;
  /** Present entries whose CEP belongs to another one, in order of CEP. */
  readonly duplicates: readonly Entry[];
  readonly #moves: Move[] = [];

  private constructor(rows: PresentRows, duplicates: readonly Entry[]) {
    this.#rows = rows;
    this.duplicates = duplicates;
  }

  /** Reads the places and the duplicates of the present release. */
  static async from(rows: PresentRows): Promise<NextRelease> {
    const next = new NextRelease(rows, await rows.duplicates());
    const { localities, neighbourhoods } = next.places;
    for (const it of await rows.localities()) localities.set(it.number, it);
    for (const it of await rows.neighbourhoods()) {
      neighbourhoods.set(it.number, it);
    }
    return next;
  }

  /** Applies a file of a delta, and counts its effects. */
  async apply(content: DeltaContent, report: ReportLine): Promise<void> {
    const { family } = content.file;
    this.#moves.push(...content.moves);
    if (family === "LOG_LOCALIDADE") {
      this.#applyPlaces(content, this.places.localities, report);
    } else if (family === "LOG_BAIRRO") {
      this.#applyPlaces(content, this.places.neighbourhoods, report);
    } else {
      const table = tableOf(family);
      if (table === undefined) await this.#applyEntries(content, report);
      else await this.#applyDetails(table, content, report);
    }
  }

  #applyPlaces<T extends Locality | Neighbourhood>(
    { lines, tally, file: { family } }: DeltaContent,
    places: Map<number, T>,
    report: ReportLine,
  ): void {
    const changes = applyLines(
      lines as readonly DeltaLine<T>[],
      (key) => {
        const found = places.get(Number(key));
        return found === undefined ? [] : [found];
      },
      tally,
      report,
    );
    for (const { before: [before], after } of changes.values()) {
      if (after === undefined) places.delete(before!.number);
      else places.set(after.number, after);
      this.#moveCep(before, after);
    }
    this.#forgetNames(family, changes);
  }

  async #applyEntries(
    { lines, tally, file: { family } }: DeltaContent,
    report: ReportLine,
  ): Promise<void> {
    const entries = lines as readonly DeltaLine<Entry>[];
    const [first] = entries;
    if (first === undefined) return;
    const { origin } = first.row;
    const present = await this.#findEntries(entries);
    const changes = applyLines(
      entries,
      (key) => present.get(key) ?? [],
      tally,
      report,
    );
    for (const [key, change] of changes) {
      this.entries.set(`${origin}/${key}`, change);
      this.#moveCep(change.before[0], change.after);
    }
    this.#forgetNames(family, changes);
  }

  /** Finds the entries of the present release with the numbers of lines. */
  async #findEntries(
    lines: readonly DeltaLine<Entry>[],
  ): Promise<Map<string, Entry[]>> {
    const found = new Map<string, Entry[]>();
    const { origin } = lines[0]!.row;
    const keys = new Set(lines.map(({ key }) => key));
    const candidates = [
      ...await this.#rows.findEntries([...keys].map(Number)),
      ...this.duplicates,
    ];
    for (const entry of candidates) {
      const key = `${entry.number}`;
      if (entry.origin !== origin || !keys.has(key)) continue;
      const same = found.get(key);
      if (same === undefined) found.set(key, [entry]);
      else same.push(entry);
    }
    return found;
  }

  async #applyDetails(
    table: DetailTable,
    { lines, tally }: DeltaContent,
    report: ReportLine,
  ): Promise<void> {
    if (lines.length === 0) return;
    const details = lines as readonly DeltaLine<DetailRow>[];
    const present = new Map<string, DetailRow[]>(
      details.map(({ key }) => [key, []]),
    );
    for await (const rows of this.#rows.details(table)) {
      for (const row of rows) present.get(detailKey(table, row))?.push(row);
    }
    const changes = applyLines(
      details,
      (key) => present.get(key)!,
      tally,
      report,
    );
    this.details.set(table, changes);
    this.changes += changes.size;
  }

  /** Adds a change of a CEP that follows from the rows. */
  #moveCep(
    before: AnyRow | undefined,
    after: AnyRow | undefined,
  ): void {
    this.changes++;
    if (before === undefined || after === undefined) return;
    if (!("cep" in before) || !("cep" in after)) return;
    const { cep: from } = before;
    const { cep: to } = after;
    if (from !== "" && to !== "" && from !== to) this.#moves.push({ from, to });
  }

  /** Notes the deleted numbers, whose alternative names go with them. */
  #forgetNames(family: string, changes: Changes<AnyRow>): void {
    const table = NAMES[family as keyof typeof NAMES] as
      | DetailTable
      | undefined;
    if (table === undefined) return;
    const deleted = [...changes]
      .filter(([, { after }]) => after === undefined)
      .map(([key]) => Number(key));
    this.nameless.set(table, new Set(deleted));
  }

  /**
   * Completes the changes once all files are applied.
   *
   * @param dneVersion Version of the new release.
   */
  async finish(dneVersion: string): Promise<void> {
    const moves = new Map(
      this.#moves.map((it) => [`${it.from}/${it.to}`, it]),
    );
    this.moves = await this.#rows.unknownMoves([...moves.values()], dneVersion);
    await this.#orderEntries();
  }

  /** States that have localities coded by street (LOC_IN_SIT 1). */
  get statesCodedByStreet(): Set<string> {
    const { localities } = this.places;
    return new Set(
      localities.values().filter(({ situation }) => situation === "1")
        .map(({ uf }) => uf),
    );
  }

  /** True if a row refers to a locality or neighbourhood that is unknown. */
  isDangling(row: AnyRow): boolean {
    if (!("number" in row)) return false;
    if ("parent" in row) return this.#isUnplaced(row.number);
    if (!("cep" in row)) return !this.places.localities.has(row.locality);
    const { origin, neighbourhood, locality } = row;
    if (this.#isUnplaced(locality)) return true;
    if (!NEEDS_NEIGHBOURHOOD.has(origin)) return false;
    return neighbourhood === null ||
      !this.places.neighbourhoods.has(neighbourhood);
  }

  /** True if a locality, or its municipality, is unknown. */
  #isUnplaced(number: number): boolean {
    const { localities } = this.places;
    const locality = localities.get(number);
    return locality === undefined ||
      locality.parent !== null && !localities.has(locality.parent);
  }

  /** Gives entries their position: that before the delta, or the last one. */
  async #orderEntries(): Promise<void> {
    if (this.entries.size === 0) return;
    let last = await this.#rows.lastOrder();
    for (const [key, { before, after }] of this.entries) {
      if (after === undefined) continue;
      const orders = before.filter(({ file }) => file === after.file)
        .map(({ order }) => order);
      const order = orders.length === 0 ? ++last : Math.min(...orders);
      this.entries.set(key, { before, after: { ...after, order } });
    }
  }
}

/** Returns the key of a changed entry. */
export function entryKey({ origin, number }: Entry): string {
  return `${origin}/${number}`;
}
