/**
 * Summary of the addresses of a file: of each group its place, its locality and
 * its most frequent streets.
 */
import type { AddressCounter } from "./address_counter.ts";
import { Growing } from "../../util/growing.ts";
import { orderOf, type PairTable, TextList, type Texts } from "./tables.ts";
import { decodeText, type GroupStreet, StreetFinder } from "./group_streets.ts";
import { medianPoint } from "./point_samples.ts";

/** Value of coordinates without a point. */
export const NO_POINT = 0x7FFFFFFF;

/** Groups: the addresses of a CEP in a municipality. */
export interface GroupColumns {
  readonly ceps: Uint32Array<ArrayBuffer>;
  readonly municipalities: Uint32Array<ArrayBuffer>;
  readonly addresses: Uint32Array<ArrayBuffer>;
  /** 1/100000 of a degree, {@linkcode NO_POINT} without. */
  readonly latitudes: Int32Array<ArrayBuffer>;
  /** 1/100000 of a degree, {@linkcode NO_POINT} without. */
  readonly longitudes: Int32Array<ArrayBuffer>;
  readonly radii: Uint32Array<ArrayBuffer>;
  /** Index of the text of the locality. */
  readonly localities: Uint32Array<ArrayBuffer>;
  /** Number of distinct named streets. */
  readonly streetCounts: Uint32Array<ArrayBuffer>;
  /** Position of the first street, and at the end the number of streets. */
  readonly firstStreets: Uint32Array<ArrayBuffer>;
}

/** Streets of the groups, that with most addresses of a group first. */
export interface StreetColumns {
  /** Index of the text of the type. */
  readonly types: Uint32Array<ArrayBuffer>;
  /** Index of the text of title and name. */
  readonly names: Uint32Array<ArrayBuffer>;
  readonly addresses: Uint32Array<ArrayBuffer>;
  /** Lowest odd number, 0 without. */
  readonly oddFrom: Uint32Array<ArrayBuffer>;
  readonly oddTo: Uint32Array<ArrayBuffer>;
  /** Lowest even number, 0 without. */
  readonly evenFrom: Uint32Array<ArrayBuffer>;
  readonly evenTo: Uint32Array<ArrayBuffer>;
}

/** Rows of municipalities, by which files with the same rows are found. */
export interface MunicipalityColumns {
  readonly codes: Uint32Array<ArrayBuffer>;
  readonly rows: Uint32Array<ArrayBuffer>;
  /** Sum of hashes of the rows. */
  readonly sums: Uint32Array<ArrayBuffer>;
}

export interface FileCounts {
  /** In order of CEP. */
  readonly groups: GroupColumns;
  readonly streets: StreetColumns;
  readonly texts: Texts;
  readonly municipalities: MunicipalityColumns;
}

/** Lists the memory of counts, to hand it on to another thread. */
export function buffersOf(counts: FileCounts): ArrayBuffer[] {
  return Object.values(counts).flatMap((columns) =>
    Object.values(columns as Record<string, Uint32Array<ArrayBuffer>>)
      .map(({ buffer }) => buffer)
  );
}

/** Groups between two pauses. */
const GROUPS_PER_TURN = 4096;

/**
 * Summarizes the addresses of a file.
 *
 * @param pause Called from time to time, to let other work proceed.
 */
export async function summarize(
  counter: AddressCounter,
  pause: () => Promise<void>,
): Promise<FileCounts> {
  const texts = new TextList();
  const order = orderOf(counter.groups.firsts.all);
  const groups = newGroups(order.length);
  const streets = new StreetRows();
  const finder = new StreetFinder(counter.streets, texts);
  const streetsByGroup = new ByGroup(counter.streets.pairs, order.length);
  const localityOf = localitiesOf(counter, texts);
  for (let i = 0; i < order.length; i++) {
    if (i % GROUPS_PER_TURN === 0) await pause();
    const group = order[i]!;
    groups.ceps[i] = counter.groups.firsts.at(group);
    groups.municipalities[i] = counter.groups.seconds.at(group);
    groups.addresses[i] = counter.addresses.at(group);
    const point = medianPoint(counter.points.bestOf(group));
    groups.latitudes[i] = point?.latitude ?? NO_POINT;
    groups.longitudes[i] = point?.longitude ?? NO_POINT;
    groups.radii[i] = point?.radius ?? 0;
    groups.localities[i] = localityOf(group);
    const found = finder.find(streetsByGroup.of(group));
    groups.streetCounts[i] = found.count;
    groups.firstStreets[i] = streets.size;
    for (const street of found.streets) streets.add(street);
  }
  groups.firstStreets[order.length] = streets.size;
  return {
    groups,
    streets: streets.toColumns(),
    texts: texts.toTexts(),
    municipalities: municipalitiesOf(counter),
  };
}

function newGroups(length: number): GroupColumns {
  return {
    ceps: new Uint32Array(length),
    municipalities: new Uint32Array(length),
    addresses: new Uint32Array(length),
    latitudes: new Int32Array(length),
    longitudes: new Int32Array(length),
    radii: new Uint32Array(length),
    localities: new Uint32Array(length),
    streetCounts: new Uint32Array(length),
    firstStreets: new Uint32Array(length + 1),
  };
}

/** Returns a function that finds the most frequent locality of a group. */
function localitiesOf(
  { groups, groupLocalities, localityAddresses, localities }: AddressCounter,
  list: TextList,
): (group: number) => number {
  const texts = new Uint32Array(localities.size);
  for (let i = 0; i < texts.length; i++) {
    texts[i] = list.indexOf(decodeText(localities.at(i)));
  }
  const byGroup = new ByGroup(groupLocalities, groups.size);
  return (group) => {
    const counts = new Map<number, number>();
    for (const index of byGroup.of(group)) {
      const text = texts[groupLocalities.seconds.at(index)]!;
      if (text === 0) continue;
      counts.set(text, (counts.get(text) ?? 0) + localityAddresses.at(index));
    }
    let best = 0;
    let most = 0;
    for (const [text, count] of counts) {
      const isMore = count > most ||
        count === most && list.compare(text, best) < 0;
      if (isMore) [best, most] = [text, count];
    }
    return best;
  };
}

function municipalitiesOf(
  { municipalities }: AddressCounter,
): MunicipalityColumns {
  const facts = [...municipalities].sort(([a], [b]) => a - b);
  return {
    codes: Uint32Array.from(facts, ([code]) => code),
    rows: Uint32Array.from(facts, ([, { rows }]) => rows),
    sums: Uint32Array.from(facts, ([, { sum }]) => sum),
  };
}

/** Indexes of the pairs of each group, in the order in which they were added. */
class ByGroup {
  readonly #starts: Uint32Array;
  readonly #indexes: Uint32Array;

  /** @param groups Number of groups: the first numbers of the pairs. */
  constructor({ size, firsts }: PairTable, groups: number) {
    const starts = this.#starts = new Uint32Array(groups + 1);
    const indexes = this.#indexes = new Uint32Array(size);
    for (let index = 0; index < size; index++) starts[firsts.at(index) + 1]!++;
    for (let group = 0; group < groups; group++) {
      starts[group + 1]! += starts[group]!;
    }
    const next = starts.slice();
    for (let index = 0; index < size; index++) {
      indexes[next[firsts.at(index)]!++] = index;
    }
  }

  /** Returns the indexes of a group. */
  of(group: number): Uint32Array {
    return this.#indexes.subarray(this.#starts[group], this.#starts[group + 1]);
  }
}

/** Streets of the groups, one after another. */
class StreetRows {
  readonly #types = new Growing();
  readonly #names = new Growing();
  readonly #addresses = new Growing();
  readonly #oddFrom = new Growing();
  readonly #oddTo = new Growing();
  readonly #evenFrom = new Growing();
  readonly #evenTo = new Growing();

  get size(): number {
    return this.#types.length;
  }

  add(street: GroupStreet): void {
    this.#types.push(street.type);
    this.#names.push(street.name);
    this.#addresses.push(street.addresses);
    this.#oddFrom.push(street.oddFrom);
    this.#oddTo.push(street.oddTo);
    this.#evenFrom.push(street.evenFrom);
    this.#evenTo.push(street.evenTo);
  }

  toColumns(): StreetColumns {
    return {
      types: this.#types.all.slice(),
      names: this.#names.all.slice(),
      addresses: this.#addresses.all.slice(),
      oddFrom: this.#oddFrom.all.slice(),
      oddTo: this.#oddTo.all.slice(),
      evenFrom: this.#evenFrom.all.slice(),
      evenTo: this.#evenTo.all.slice(),
    };
  }
}
