/** Releases with bytes that the disk has changed, in every table. */
import { assertEquals } from "@std/assert";
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "../../../cep/store/mod.ts";
import { contentOf, OpenedStore } from "../_stores.ts";
import type { Fault } from "./_fault.ts";
import type { FaultScene, Outcome } from "./_fault_scene.ts";

/** Tables and indexes of a release, apart from those that SQLite adds. */
const TABLES = [
  "release",
  "cep",
  "origem",
  "setor",
  "localidade",
  "bairro",
  "duplicado",
  "historico",
  "snapshot",
  "busca",
] as const;

const DAMAGES: readonly [
  fault: string,
  change: (page: Uint8Array) => void,
][] = [
  ["page overwritten by zeros", (page) => page.fill(0)],
  ["page overwritten", (page) => page.fill(0xA5)],
  ["type of the page flipped", (page) => page[0]! ^= 0xFF],
  ["number of cells flipped", (page) => page[4]! ^= 0x7F],
  ["cells flipped", (page) => {
    for (let i = page.length / 2; i < page.length; i += 97) page[i]! ^= 0x15;
  }],
];

/** Changes the first page of a table in a copy of the release. */
function damage(
  scene: FaultScene,
  table: string,
  change: (page: Uint8Array) => void,
): void {
  const database = new DatabaseSync(scene.file, { readOnly: true });
  const found = database.prepare(
    "SELECT rootpage FROM sqlite_master WHERE name = ?",
  ).get(table);
  const size = Number(
    database.prepare("PRAGMA page_size").get()!["page_size"],
  );
  database.close();
  if (found === undefined) throw new Error(`Cannot find ${table}`);
  const start = (Number(found["rootpage"]) - 1) * size;
  const copy = `${scene.file}.copy`;
  copyFileSync(scene.file, copy);
  const bytes = readFileSync(copy);
  change(bytes.subarray(start, start + size));
  writeFileSync(copy, bytes);
  renameSync(copy, scene.file);
}

/**
 * Reads the damaged release as a service that starts: a record is right, or its
 * lookup fails.
 *
 * @param before Records by CEP.
 */
async function assess(
  scene: FaultScene,
  before: ReadonlyMap<string, string>,
): Promise<Outcome> {
  await using opened = await OpenedStore.open({ path: scene.database });
  const { store } = opened;
  const [first] = before.keys();
  let failed = 0;
  let total = 0;
  const attempt = async (read: () => Promise<void>) => {
    total++;
    await read().catch((error) => {
      if (!(error instanceof DatabaseError)) throw error;
      failed++;
    });
  };
  for (const [cep, json] of before) {
    await attempt(async () =>
      assertEquals((await store.findJson(cep))?.json, json)
    );
  }
  await attempt(async () => {
    const page = await store.search({ text: first!.slice(0, 5), limit: 100 });
    for (const { cep, json } of page!.data) {
      assertEquals(json, before.get(cep));
    }
  });
  if (failed === total) return "503";
  const { length } = store.missingParts?.() ?? [];
  return failed > 0 || length > 0 ? "degraded" : "records right";
}

/** Pages of a release that are changed while the service is not running. */
export const DAMAGED_PAGES: readonly Fault[] = TABLES.flatMap((table) =>
  DAMAGES.map(([fault, change]): Fault => {
    const before = new Map<string, string>();
    return {
      step: `release on disk: ${table}`,
      fault,
      modes: ["seed"],
      outcomes: ["records right", "degraded", "503"],
      async apply(scene) {
        await using opened = await OpenedStore.open({ path: scene.database });
        const { records } = await contentOf(opened.store);
        before.clear();
        for (const it of records) before.set(it.cep, JSON.stringify(it));
        damage(scene, table, change);
      },
      assess: (scene) => assess(scene, before),
    };
  })
);
