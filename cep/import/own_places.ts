import type { Locality, Neighbourhood } from "../record/entry.ts";
import { stateOfIbge } from "../record/states.ts";
import { mainStreet } from "./census_entry.ts";
import type { CensusPlace, CensusPlaces, PlacedRow } from "./census_places.ts";

/**
 * Places that rows of the CNEFE name: their municipalities, numbered by their
 * IBGE codes, and their neighbourhoods, numbered from 1 in order of appearance.
 */
export class OwnPlaces implements CensusPlaces {
  readonly #names: ReadonlyMap<string, string>;
  readonly #localities = new Map<string, Locality>();
  readonly #neighbourhoods = new Map<string, Neighbourhood>();
  /** Numbers of addresses by the IBGE code of their municipality. */
  readonly #addresses = new Map<string, number>();

  /**
   * Creates places without any.
   *
   * @param names Names of municipalities by IBGE code.
   */
  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names;
  }

  /** Municipalities of the rows that were added. */
  get localities(): Locality[] {
    return [...this.#localities.values()];
  }

  /** Neighbourhoods of the rows that were added. */
  get neighbourhoods(): Neighbourhood[] {
    return [...this.#neighbourhoods.values()];
  }

  /** Adds the places of a row, unless its municipality is unknown. */
  add({ ibge, locality: name, addresses }: PlacedRow): void {
    this.#addresses.set(ibge, (this.#addresses.get(ibge) ?? 0) + addresses);
    const locality = this.#addLocality(ibge);
    if (locality === undefined || name === "") return;
    const key = toKey(ibge, name);
    if (this.#neighbourhoods.has(key)) return;
    this.#neighbourhoods.set(key, {
      number: this.#neighbourhoods.size + 1,
      uf: locality.uf,
      locality: locality.number,
      name,
      abbreviation: "",
    });
  }

  #addLocality(ibge: string): Locality | undefined {
    const known = this.#localities.get(ibge);
    if (known !== undefined) return known;
    const name = this.#names.get(ibge);
    const uf = stateOfIbge(ibge);
    if (name === undefined || uf === undefined) return undefined;
    const locality: Locality = {
      number: Number(ibge),
      uf,
      name,
      cep: "",
      situation: "0",
      type: "M",
      parent: null,
      ibge,
      abbreviation: "",
    };
    this.#localities.set(ibge, locality);
    return locality;
  }

  find(row: PlacedRow): CensusPlace | undefined {
    const { ibge, locality: name } = row;
    const locality = this.#localities.get(ibge);
    if (locality === undefined) return undefined;
    const neighbourhood = this.#isOfTown(row)
      ? undefined
      : this.#neighbourhoods.get(toKey(ibge, name));
    return {
      uf: locality.uf,
      locality: locality.number,
      neighbourhood: neighbourhood?.number ?? null,
    };
  }

  /**
   * True for the general CEP of a municipality: it has no main street, and at
   * least half of the addresses. Its most frequent neighbourhood is only that of
   * a part of them.
   */
  #isOfTown(row: PlacedRow): boolean {
    const all = this.#addresses.get(row.ibge) ?? 0;
    return mainStreet(row) === undefined && row.addresses * 2 >= all;
  }
}

function toKey(ibge: string, name: string): string {
  return `${ibge} ${name}`;
}
