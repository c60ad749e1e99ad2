/**
 * How many records the store gives, without a server around it.
 *
 * @module
 */
import { openStore, type Reader } from "@carteiro/cep/store";
import { compareRecord } from "./answers.ts";
import type { Data } from "./data.ts";
import { countRows, drawRows, type Row } from "./database.ts";
import { type Figure, repeat, type Section, timed } from "./figures.ts";

/** Codes that are looked up. */
const DRAWN = 50_000;

/**
 * Looks codes up in this process, and reads all records.
 *
 * @throws {Error} If a record is wrong or missing.
 */
export async function benchLookup(
  { databasePath }: Data,
  { pairs }: { readonly pairs: number },
): Promise<Section> {
  console.error("Looking codes up in this process ...");
  const codes = await countRows(databasePath);
  const rows = await drawRows(databasePath, DRAWN);
  const figures: Figure[] = [];
  for (const snapshot of [true, false]) {
    const store = await openStore({ path: databasePath, snapshot });
    try {
      // As a first run, which does not count: it is compiled while it runs.
      await checkLookups(store, rows, snapshot);
      figures.push({
        name: `findJson, ${snapshot ? "snapshot" : "SQL"}`,
        unit: "/s",
        values: await repeat(pairs, () => lookUp(store, rows)),
      });
      if (!snapshot) continue;
      figures.push({
        name: "records of scan",
        unit: "/s",
        values: await repeat(pairs, () => scan(store, codes)),
      });
    } finally {
      await store.close();
    }
  }
  return { title: "The store in process", figures };
}

async function checkLookups(
  store: Reader,
  rows: readonly Row[],
  fromMemory: boolean,
): Promise<void> {
  for (const row of rows) {
    const code = row.cep!;
    const found = await store.findJson(code);
    compareRecord(`findJson("${code}")`, JSON.parse(found?.json ?? "{}"), row);
    if (found?.fromMemory === fromMemory) continue;
    throw new Error(
      `Cannot measure lookups ${fromMemory ? "with" : "without"} a snapshot: ` +
        "the store answers otherwise",
    );
  }
}

/** Lookups per second, one after another. */
async function lookUp(store: Reader, rows: readonly Row[]): Promise<number> {
  const seconds = await timed(async () => {
    for (const { cep } of rows) await store.findJson(cep!);
  });
  return rows.length / seconds;
}

/** Records per second. */
async function scan(store: Reader, codes: number): Promise<number> {
  let count = 0;
  const seconds = await timed(async () => {
    for await (const records of store.scan()) count += records.length;
  });
  if (count === codes) return count / seconds;
  throw new Error(`Wrong answer of scan(): ${count} of ${codes} records`);
}
