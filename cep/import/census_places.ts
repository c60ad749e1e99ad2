import type { CensusRow, CensusStreet } from "../record/census.ts";
import type { Entry, Locality, Neighbourhood } from "../record/entry.ts";
import { stateOfCep } from "./cnefe/state_ranges.ts";
import { stateOfIbge } from "../record/states.ts";
import { fold } from "../search/fold.ts";

export type CensusPlace = Pick<Entry, "uf" | "locality" | "neighbourhood">;

/** Members of a row that its place depends on. */
export type PlacedRow = Pick<
  CensusRow,
  "ibge" | "locality" | "addresses" | "streets"
>;

/** Places of a release. */
export interface CensusPlaces {
  /**
   * Finds the place of a CEP, `undefined` if the municipality is unknown.
   */
  find(row: PlacedRow): CensusPlace | undefined;
}

/**
 * Converts a row of the CNEFE into an entry. It has a street only if that has
 * at least half of the addresses: any other CEP is that of a whole place.
 *
 * @param order Position of the row within the import.
 */
export function toCensusEntry(
  row: CensusRow,
  place: CensusPlace,
  order: number,
): Entry {
  const street = mainStreet(row);
  return {
    ...place,
    cep: row.cep,
    number: Number(row.cep),
    streetType: street?.type ?? "",
    typeInName: street !== undefined && street.type !== "",
    street: street?.name ?? "",
    complement: "",
    name: "",
    origin: "cnefe",
    file: row.file,
    order,
  };
}

/** Returns the street that has at least half of the addresses of a CEP. */
export function mainStreet(
  { streets, addresses }: Pick<CensusRow, "streets" | "addresses">,
): CensusStreet | undefined {
  const [first] = streets;
  return first !== undefined && first.addresses * 2 >= addresses
    ? first
    : undefined;
}

/**
 * Number of addresses from which a CEP of another state is believed. Almost all
 * of them are misread CEPs with one or two addresses, such as 31317 for 13317.
 * A village beyond the border of its state, which has the CEP of its
 * neighbours, has more.
 */
const MIN_FOREIGN_ADDRESSES = 10;

/**
 * True for a CEP outside the ranges of the state of its municipality that has
 * too few addresses to be believed.
 */
export function isForeignCode(
  { cep, ibge, addresses }: Pick<CensusRow, "cep" | "ibge" | "addresses">,
): boolean {
  return addresses < MIN_FOREIGN_ADDRESSES &&
    stateOfCep(Number(cep)) !== Number(ibge.slice(0, 2));
}

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

export class DnePlaces implements CensusPlaces {
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
      const key = foldedKey(locality, name);
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
  ): CensusPlace | undefined {
    const municipality = this.#municipalities.get(ibge);
    if (municipality === undefined) return undefined;
    const { uf, number: locality } = municipality;
    const neighbourhood = name === ""
      ? undefined
      : this.#neighbourhoods.get(foldedKey(locality, name));
    return { uf, locality, neighbourhood: neighbourhood ?? null };
  }
}

function foldedKey(locality: number, name: string): string {
  // `D'Água` is written `D Agua`, too.
  return `${locality} ${fold(name).join("")}`;
}
