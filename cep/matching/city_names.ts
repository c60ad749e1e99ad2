/**
 * Names of the municipalities of a release.
 *
 * @module
 */
import { STATES } from "../address.ts";
import type { Reader } from "../store/store.ts";
import type { IsCity } from "./parse_address.ts";
import { fold } from "./words.ts";

/** Store of the places. */
export type PlaceStore = Pick<Reader, "gazetteer">;

/** Names of municipalities, read again for each release. */
export class CityNames {
  readonly #store: PlaceStore;
  #release: number | undefined;
  #isCity: IsCity = () => false;

  constructor(store: PlaceStore) {
    this.#store = store;
  }

  /**
   * Returns the test for a name of a municipality, `undefined` if the database
   * is empty.
   */
  async load(): Promise<IsCity | undefined> {
    const gazetteer = await this.#store.gazetteer();
    if (gazetteer === undefined) return undefined;
    if (gazetteer.release.id === this.#release) return this.#isCity;
    const states = new Map<string, string[]>();
    for (const uf of STATES) {
      for (const { name } of gazetteer.municipalities(uf)) {
        const key = fold(name);
        states.set(key, [...states.get(key) ?? [], uf]);
      }
    }
    this.#release = gazetteer.release.id;
    return this.#isCity = (name, uf) => {
      const found = states.get(fold(name));
      return found !== undefined && (uf === "" || found.includes(uf));
    };
  }
}
