/**
 * Localities and neighbourhoods by the directory's numbers, and the names of
 * where an entry lies.
 *
 * @module
 */
import type { Locality, Neighbourhood, Place } from "./entry.ts";

type Municipality = Pick<Place, "district" | "municipality" | "ibge">;

const NOWHERE: Municipality = { district: "", municipality: "", ibge: "" };

/** The localities and neighbourhoods of one directory. */
export class Places {
  /** Localities by LOC_NU. */
  readonly localities: Map<number, Locality> = new Map();
  /** Neighbourhoods by BAI_NU. */
  readonly neighbourhoods: Map<number, Neighbourhood> = new Map();
  readonly #municipalities = new Map<number, Municipality>();

  /**
   * The names for LOC_NU and BAI_NU, `""` where a number leads nowhere. To be
   * asked when all localities are known: a district may stand before its
   * municipality.
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
    if (locality === undefined) return NOWHERE;
    const isDistrict = locality.parent !== null;
    const municipality = isDistrict
      ? this.localities.get(locality.parent)
      : locality;
    return {
      district: isDistrict ? locality.name : "",
      municipality: municipality?.name ?? "",
      // A district may carry the code of its municipality, and one that became
      // a municipality lately may lack its own.
      ibge: municipality?.ibge || locality.ibge,
    };
  }
}
