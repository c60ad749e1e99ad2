import type { CensusRow } from "../../record/census.ts";
import type { Entry, Locality, Neighbourhood } from "../../record/entry.ts";
import { fold } from "../../search/fold.ts";

/** Place of an entry. */
type Place = Pick<Entry, "uf" | "locality" | "neighbourhood">;

/** Places of the DNE. */
export class DnePlaces {
  /** Municipalities by IBGE code. */
  readonly #municipalities = new Map<string, Locality>();
  /** Numbers of neighbourhoods by LOC_NU and folded name. */
  readonly #neighbourhoods = new Map<string, number>();

  /** Creates an index of places; the first of two with a name is used. */
  constructor(
    localities: Iterable<Locality>,
    neighbourhoods: Iterable<Neighbourhood>,
  ) {
    for (const locality of localities) {
      const { ibge, parent } = locality;
      if (ibge === "" || parent !== null) continue;
      if (!this.#municipalities.has(ibge)) {
        this.#municipalities.set(ibge, locality);
      }
    }
    const wanted = new Set(
      Array.from(this.#municipalities.values(), ({ number }) => number),
    );
    for (const { number, locality, name } of neighbourhoods) {
      const key = toKey(locality, name);
      if (wanted.has(locality) && !this.#neighbourhoods.has(key)) {
        this.#neighbourhoods.set(key, number);
      }
    }
  }

  /**
   * Finds the place of a CEP of the CNEFE, `undefined` if the DNE does not have
   * its municipality.
   */
  find(
    { ibge, locality: name }: Pick<CensusRow, "ibge" | "locality">,
  ): Place | undefined {
    const municipality = this.#municipalities.get(ibge);
    if (municipality === undefined) return undefined;
    const { uf, number: locality } = municipality;
    const neighbourhood = name === ""
      ? undefined
      : this.#neighbourhoods.get(toKey(locality, name));
    return { uf, locality, neighbourhood: neighbourhood ?? null };
  }
}

function toKey(locality: number, name: string): string {
  // `D'Água` is written `D Agua`, too.
  return `${locality} ${fold(name).join("")}`;
}
