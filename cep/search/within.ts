import { intersect, merge } from "./intervals.ts";
import { DISTRICT, MUNICIPALITY } from "./index_layout.ts";
import { countBits } from "./reading/bits.ts";
import type { AddressReader } from "./reading/address_reader.ts";
import type { NamedPlace } from "./reading/place_finder.ts";
import type { Interval, SearchIndex } from "./search_index.ts";

/** Names of places. */
export interface Filters {
  readonly uf?: string | undefined;
  readonly city?: string | undefined;
  readonly neighbourhood?: string | undefined;
}

/**
 * Finds the records in the places of the filters.
 *
 * @returns Sorted intervals, `undefined` without filters.
 */
export function findWithin(
  index: SearchIndex,
  reader: AddressReader,
  { uf, city, neighbourhood }: Filters,
): readonly Interval[] | undefined {
  let within: readonly Interval[] | undefined;
  let areas: readonly number[] = [];
  if (uf !== undefined) {
    const state = reader.places.stateOf(uf);
    if (state === undefined) return [];
    areas = [state];
    within = index.recordsIn(state);
  }
  for (
    const [part, name] of Object.entries({
      cidade: city,
      bairro: neighbourhood,
    })
  ) {
    if (name === undefined) continue;
    const { localities, neighbourhoods } = reader.findPlaces(name, areas);
    const cities = localities.filter(({ level }) =>
      level === DISTRICT || level === MUNICIPALITY && part === "cidade"
    );
    const places = choose(
      index,
      part === "cidade" ? cities : [...neighbourhoods, ...cities],
      within,
    );
    areas = places.map(({ place }) => place);
    within = merge(places.flatMap(({ records }) => [...records]));
  }
  return within;
}

/** Chooses the places within others that match a name best. */
function choose(
  index: SearchIndex,
  places: readonly NamedPlace[],
  within: readonly Interval[] | undefined,
) {
  const found = places.map(({ place, mask, cost }) => ({
    place,
    // "Vila (São José)" before "São José", which leaves a word.
    cost: cost - countBits(mask),
    records: intersect(within, index.recordsIn(place)),
  })).filter(({ records }) => records.length > 0);
  const least = Math.min(...found.map(({ cost }) => cost));
  return found.filter(({ cost }) => cost <= least + 1e-6);
}
