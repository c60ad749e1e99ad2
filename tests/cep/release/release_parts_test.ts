import { assert, assertEquals } from "@std/assert";
import { openStoreIn } from "../../../cep/store/file_store.ts";
import type { SharedParts } from "../../../cep/store/mod.ts";
import { ReleaseDirectory } from "../../../cep/store/release_directory.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { censusRow, entries, fill } from "../store/_release.ts";

/** Parts of every thread, which are copied like messages between threads. */
class Parts implements SharedParts {
  readonly read: string[] = [];
  readonly dropped: number[] = [];
  readonly posted = new Map<string, Promise<unknown>>();

  async take<T>(
    release: number,
    name: string,
    read: () => Promise<T>,
  ): Promise<T> {
    const key = `${release} ${name}`;
    if (!this.posted.has(key)) {
      this.read.push(name);
      this.posted.set(key, read());
    }
    return structuredClone(await this.posted.get(key)) as T;
  }

  drop(release: number): void {
    this.dropped.push(release);
  }
}

/** Fills a folder, and opens two stores of it that share their parts. */
async function withTwo(
  action: (
    stores: [
      Awaited<ReturnType<typeof openStoreIn>>,
      Awaited<ReturnType<typeof openStoreIn>>,
    ],
    parts: Parts,
  ) => Promise<void>,
): Promise<void> {
  using folder = new TemporaryFolder();
  const directory = new ReleaseDirectory(folder.path);
  const parts = new Parts();
  const one = await openStoreIn(directory, { parts });
  await fill(one, entries("01310100", "01310200"), {}, [censusRow("01310200")]);
  const other = await openStoreIn(directory, { parts });
  try {
    await action([one, other], parts);
  } finally {
    await one.close();
    await other.close();
  }
}

const PLACE = { latitude: -23.5, longitude: -46.6, limit: 1 };

Deno.test("SharedParts lets two stores answer from parts that were read once", async () => {
  await withTwo(async (stores, parts) => {
    const answers = await Promise.all(stores.map(async (store) => [
      await store.findJson("01310100"),
      await store.search({ text: "rua das flores", limit: 5 }),
      await store.nearest(PLACE),
    ]));
    assertEquals(answers[0], answers[1]);
    assertEquals(parts.read.sort(), ["busca", "pontos", "snapshot"]);
  });
});

Deno.test("SharedParts gets parts in shared memory", async () => {
  await withTwo(async ([store], parts) => {
    await store.nearest(PLACE);
    for (const [name, part] of parts.posted) {
      const arrays = Object.values(await part as Record<string, unknown>)
        .filter((it) => ArrayBuffer.isView(it));
      assert(arrays.length > 0, name);
      for (const { buffer } of arrays) {
        assert(buffer instanceof SharedArrayBuffer, name);
      }
    }
  });
});

Deno.test("SharedParts gets back the parts of a release that is replaced, and of one that is closed", async () => {
  using folder = new TemporaryFolder();
  const parts = new Parts();
  const store = await openStoreIn(new ReleaseDirectory(folder.path), { parts });
  const ids: number[] = [];
  for (const cep of ["01310100", "01310200"]) {
    await fill(store, entries(cep));
    ids.push((await store.release())!.id);
  }
  assertEquals(parts.dropped, [ids[0]]);
  await store.close();
  assertEquals(parts.dropped, ids);
});

Deno.test("SharedParts keeps the parts of a release until its searches are completed", async () => {
  using folder = new TemporaryFolder();
  const parts = new Parts();
  const store = await openStoreIn(new ReleaseDirectory(folder.path), { parts });
  await fill(store, entries("01310100"));
  const query = { text: "rua das flores", limit: 5 };
  const before = await store.search(query);
  const searches = [store.search(query), fill(store, entries("01310200"))];
  assertEquals(await searches[0], before);
  await searches[1];
  assertEquals((await store.search(query))?.data.length, 1);
  await store.close();
});
