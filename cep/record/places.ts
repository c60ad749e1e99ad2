import type { Locality, Neighbourhood, Place } from "./entry.ts";

type Municipality = Pick<Place, "district" | "municipality" | "ibge">;

const UNKNOWN: Municipality = { district: "", municipality: "", ibge: "" };

/** Localities and neighbourhoods of one DNE. */
export class Places {
  /** Localities by LOC_NU. */
  readonly localities: Map<number, Locality> = new Map();
  /** Neighbourhoods by BAI_NU. */
  readonly neighbourhoods: Map<number, Neighbourhood> = new Map();
  readonly #municipalities = new Map<number, Municipality>();

  /**
   * Returns the names for a LOC_NU and a BAI_NU, `""` for unknown numbers. All
   * localities must have been added: a district may precede its municipality.
   */
  find(locality: number, neighbourhood: number | null): Place {
    const { district, municipality, ibge } = this.#municipalityOf(locality);
    const name = neighbourhood === null
      ? ""
      : this.neighbourhoods.get(neighbourhood)?.name ?? "";
    return { neighbourhood: name, district, municipality, ibge };
  }

  #municipalityOf(number: number): Municipality {
    let found = this.#municipalities.get(number);
    if (found === undefined) {
      found = this.#findMunicipality(number);
      this.#municipalities.set(number, found);
    }
    return found;
  }

  #findMunicipality(number: number): Municipality {
    const locality = this.localities.get(number);
    if (locality === undefined) return UNKNOWN;
    const isDistrict = locality.parent !== null;
    const municipality = isDistrict
      ? this.localities.get(locality.parent)
      : locality;
    return {
      district: isDistrict ? locality.name : "",
      municipality: municipality?.name ?? "",
      // The code of a new municipality may be missing although its districts
      // have it.
      ibge: municipality?.ibge || locality.ibge,
    };
  }
}
