import type { CensusRow } from "../record/census.ts";
import { toDegrees, toUnits } from "./points/points_layout.ts";
import type { Counted } from "../record/fields.ts";
import { Growing } from "../util/growing.ts";
import { NumberSet } from "../util/number_set.ts";

/** Latitude of a CEP without a place. */
const NOWHERE = -1 << 31;

/** Place of a CEP, in the units of `points_layout.ts`. */
export interface PointInUnits {
  readonly cep: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** Part of the rows that records need, in 24 bytes a CEP. */
export class CensusPoints {
  readonly #ceps = new Growing();
  readonly #municipalities = new Growing();
  readonly #latitudes = new Growing();
  readonly #longitudes = new Growing();
  readonly #radii = new Growing();
  readonly #addresses = new Growing();
  /** Indexes of the rows that records have taken. */
  readonly #taken = new NumberSet();

  get size(): number {
    return this.#ceps.length;
  }

  /**
   * Adds a row.
   *
   * @throws {TypeError} If its CEP is not above that of the previous row.
   */
  add({ cep, ibge, point, addresses }: CensusRow): void {
    const { length } = this.#ceps;
    if (length > 0 && Number(cep) <= this.#ceps.at(length - 1)) {
      throw new TypeError(
        `Cannot add census row ${cep}: rows must be in order of CEP`,
      );
    }
    this.#ceps.push(Number(cep));
    this.#municipalities.push(Number(ibge));
    // The array keeps the lower 32 bits of a negative number.
    this.#latitudes.push(point ? toUnits(point.latitude) : NOWHERE);
    this.#longitudes.push(point ? toUnits(point.longitude) : 0);
    this.#radii.push(point?.radius ?? 0);
    this.#addresses.push(addresses);
  }

  /**
   * Returns what the record of a CEP has of its row. A row of another
   * municipality is that of misread addresses: its place is left out.
   *
   * @param ibge IBGE code of the record's municipality, `""` if unknown.
   */
  take(cep: number, ibge: string): Counted | undefined {
    const i = this.#ceps.findSorted(cep);
    if (i < 0) return undefined;
    this.#taken.add(i);
    if (ibge !== "" && this.#municipalities.at(i) !== Number(ibge)) {
      this.#latitudes.set(i, NOWHERE);
      return undefined;
    }
    return { point: this.#pointAt(i), addresses: this.#addresses.at(i) };
  }

  #pointAt(i: number): Counted["point"] {
    const latitude = this.#latitudes.at(i) | 0;
    if (latitude === NOWHERE) return null;
    return {
      latitude: toDegrees(latitude),
      longitude: toDegrees(this.#longitudes.at(i) | 0),
      radius: this.#radii.at(i),
    };
  }

  /** Iterates over the places of records, in units and in order of CEP. */
  *points(): Generator<PointInUnits> {
    for (let i = 0; i < this.size; i++) {
      const latitude = this.#latitudes.at(i) | 0;
      if (latitude === NOWHERE || !this.#taken.has(i)) continue;
      const longitude = this.#longitudes.at(i) | 0;
      yield { cep: this.#ceps.at(i), latitude, longitude };
    }
  }

  /** Frees the rows. None can be read or added afterwards. */
  free(): void {
    this.#ceps.free();
    this.#municipalities.free();
    this.#latitudes.free();
    this.#longitudes.free();
    this.#radii.free();
    this.#addresses.free();
  }
}
