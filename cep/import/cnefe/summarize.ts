/**
 * Summary of the addresses of a file: of each group its place, its locality and
 * its most frequent streets.
 */
import type { AddressCounter } from "./address_counter.ts";
import { ByGroup } from "./by_group.ts";
import { orderOf } from "./cep_order.ts";
import {
  type FileCounts,
  type GroupColumns,
  type MunicipalityColumns,
  NO_POINT,
} from "./file_counts.ts";
import { StreetFinder } from "./group_streets.ts";
import { medianPoint } from "./median_point.ts";
import { decodeText } from "./street_name.ts";
import { StreetRows } from "./street_rows.ts";
import { TextList } from "./text_list.ts";

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
  const order = orderOf(counter.groups.firsts.subarray(0, counter.groups.size));
  const groups = newGroups(order.length);
  const streets = new StreetRows();
  const finder = new StreetFinder(counter.streets, texts);
  const streetsByGroup = new ByGroup(counter.streets.pairs, order.length);
  const localityOf = localitiesOf(counter, texts);
  for (let i = 0; i < order.length; i++) {
    if (i % GROUPS_PER_TURN === 0) await pause();
    const group = order[i]!;
    groups.ceps[i] = counter.groups.firsts[group]!;
    groups.municipalities[i] = counter.groups.seconds[group]!;
    groups.addresses[i] = counter.addresses[group]!;
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
      const text = texts[groupLocalities.seconds[index]!]!;
      if (text === 0) continue;
      counts.set(text, (counts.get(text) ?? 0) + localityAddresses[index]!);
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
