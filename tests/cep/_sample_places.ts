/** Places of the bundled sample. */
import type { Gazetteer } from "../../cep/release/gazetteer.ts";
import { openStore } from "../../cep/store/mod.ts";
import { seedSample } from "./_seeding.ts";

let places: Promise<Gazetteer> | undefined;

/** Returns the places of the bundled sample, which the first call imports. */
export function samplePlaces(): Promise<Gazetteer> {
  places ??= importPlaces();
  return places;
}

async function importPlaces(): Promise<Gazetteer> {
  // Not closed, because the places are queried until the end of the tests.
  const store = await openStore({ path: ":memory:" });
  await seedSample(store);
  return (await store.gazetteer())!;
}
