/** Search indexes without a database. */
import { seed } from "../../../cep/import/seed.ts";
import { Places } from "../../../cep/record/places.ts";
import { SearchIndexWriter } from "../../../cep/search/index_writer.ts";
import { readSearchIndex } from "../../../cep/search/index_layout.ts";
import { SearchIndex } from "../../../cep/search/search_index.ts";
import type { Staging } from "../../../cep/store/mod.ts";

const SAMPLE = new URL("../../../samples/dne", import.meta.url);

let index: Promise<SearchIndex> | undefined;

/** Returns the index of the sample. */
export function sampleIndex(): Promise<SearchIndex> {
  return index ??= readSample();
}

async function readSample(): Promise<SearchIndex> {
  const places = new Places();
  const writer = new SearchIndexWriter(places);
  const done = Promise.resolve();
  const staging: Staging = {
    presentState: "missing",
    present: undefined,
    rows: undefined,
    addLocalities(localities) {
      for (const it of localities) places.localities.set(it.number, it);
      return done;
    },
    addNeighbourhoods(neighbourhoods) {
      for (const it of neighbourhoods) places.neighbourhoods.set(it.number, it);
      return done;
    },
    addDetails(table, rows) {
      writer.addDetails(table, rows);
      return Promise.resolve(0);
    },
    addCensus: () => done,
    addEntries(entries) {
      for (const entry of entries) writer.add(entry);
      return done;
    },
    addDuplicates: () => done,
    addMoves: () => done,
    publish: () => done,
    discard: () => done,
  };
  await seed({
    directory: decodeURIComponent(SAMPLE.pathname),
    store: { stage: () => Promise.resolve(staging) },
  });
  return await readIndex(writer);
}

/** Reads the index that a writer has written. */
export async function readIndex(
  writer: SearchIndexWriter,
): Promise<SearchIndex> {
  const parts: Uint8Array[] = [];
  const written = writer.finish();
  while (true) {
    const { done, value } = await written.next();
    if (done) {
      return new SearchIndex(await readSearchIndex(value, stream(parts)));
    }
    parts.push(value.slice());
  }
}

async function* stream(parts: readonly Uint8Array[]) {
  yield* parts;
}
