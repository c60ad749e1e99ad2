import { hasGeneralCep, type Locality } from "./locality.ts";
import { prefixesOf, type StateFacts } from "./states.ts";
import { WELL_KNOWN_STREETS, WELL_KNOWN_USERS } from "./well_known.ts";

// Streets of a prefix; a few of its CEPs remain free.
const USED_OF_PREFIX = 860;

/** Left free in every DNE, so that the well-known addresses fit into any. */
export const WELL_KNOWN_PREFIXES: ReadonlySet<number> = new Set(
  [...WELL_KNOWN_STREETS, ...WELL_KNOWN_USERS].map((address) =>
    Number(address.cep.slice(0, 5))
  ),
);

/** Gives each municipality a run of prefixes and its CEPs within it. */
export function givePrefixes(
  state: StateFacts,
  localities: readonly Locality[],
): void {
  const area = prefixesOf(state.capital.ranges);
  const inCapital = new Set(area);
  const rest = prefixesOf(state.ranges).filter((it) => !inCapital.has(it));
  const families = localities.filter((it) => it.type === "M").map((it) =>
    localities.filter((other) => other === it || other.parent === it)
  );
  const needs = families.map((family) =>
    family.reduce((sum, locality) => sum + prefixesNeeded(locality), 0)
  );
  const needed = needs.slice(1).reduce((left, right) => left + right, 0);
  const others = Math.max(1, families.length - 1);
  const spare = Math.floor((rest.length - needed) / others);
  let taken = 0;
  families.forEach((family, i) => {
    const size = (needs[i] ?? 0) + spare;
    const block = i === 0 ? area : rest.slice(taken, taken + size);
    if (i > 0) taken += size;
    const free = block.filter((prefix) => !WELL_KNOWN_PREFIXES.has(prefix));
    if (spare < 0 || free.length < (needs[i] ?? 0)) {
      throw new RangeError(`Cannot place all streets of ${state.uf}: too many`);
    }
    (family[0] as Locality).area = block;
    for (const locality of family) {
      const own = free.splice(0, prefixesNeeded(locality));
      locality.home = own[0] ?? 0;
      locality.streetPrefixes = own.slice(hasGeneralCep(locality) ? 1 : 0);
    }
  });
}

function prefixesNeeded(locality: Locality): number {
  const general = hasGeneralCep(locality) ? 1 : 0;
  return general + Math.ceil(locality.streets / USED_OF_PREFIX);
}
