import { assertEquals, assertRejects } from "@std/assert";
import type { SeedOptions } from "../../../cep/import/seed.ts";
import type { Writer } from "../../../cep/store/mod.ts";
import { contentOf, OpenedStore } from "../_stores.ts";
import { CENSUS, seedBoth } from "./_both.ts";

/** Aborts an import of both sources at a step. */
interface Step {
  readonly name: string;
  readonly options: (abort: () => void) => Partial<SeedOptions>;
  readonly change?: (store: Writer, abort: () => void) => Writer;
}

const STEPS: readonly Step[] = [
  {
    name: "while the CNEFE is read",
    options: (abort) => ({ onProgress: abort }),
  },
  {
    name: "after a file of the CNEFE was read",
    options: (abort) => ({ onCensusFile: abort }),
  },
  {
    name: "while rows of the CNEFE are written",
    options: () => ({}),
    change: (store, abort) => ({
      async stage(holder) {
        const staging = await store.stage(holder);
        const { addCensus } = staging;
        staging.addCensus = async (rows) => {
          await addCensus.call(staging, rows);
          abort();
        };
        return staging;
      },
    }),
  },
  {
    name: "after a file of the DNE was read",
    options: (abort) => ({ onFile: abort }),
  },
  {
    name: "when all CEPs are stored",
    options: (abort) => ({
      onProgress: ({ codes }) => {
        if (codes > 8) abort();
      },
    }),
  },
];

for (const { name, options, change } of STEPS) {
  Deno.test(`seed keeps the release if it is aborted ${name}`, async () => {
    await using opened = await OpenedStore.inMemory({});
    const before = await contentOf(opened.store);
    const controller = new AbortController();
    const reason = new Error("no longer wanted");
    const abort = () => controller.abort(reason);
    const error = await assertRejects(() =>
      seedBoth(change?.(opened.store, abort) ?? opened.store, {
        dne: {},
        cnefe: CENSUS,
      }, {
        ...options(abort),
        signal: controller.signal,
      })
    );
    assertEquals(error, reason);
    assertEquals(await contentOf(opened.store), before);
    await seedBoth(opened.store, { dne: {}, cnefe: CENSUS });
  });
}
