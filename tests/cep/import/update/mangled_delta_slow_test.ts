/** Deltas that were cut off, mixed up or overwritten. */
import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DirectoryError } from "../../../../cep/import/errors.ts";
import { SeedError } from "../../../../cep/import/seed.ts";
import { SAMPLE_DELTA } from "../../../_sample.ts";
import { updateFiles } from "../../_delta.ts";
import { ReleaseFolder } from "../../_release_folder.ts";
import { seedSample } from "../../_seeding.ts";
import { contentOf, OpenedStore } from "../../_stores.ts";

const NAMES = readdirSync(SAMPLE_DELTA).filter((name) =>
  name.startsWith("DELTA_")
);
const FILES: Readonly<Record<string, Uint8Array>> = Object.fromEntries(
  NAMES.map((name) => [name, readFileSync(join(SAMPLE_DELTA, name))]),
);

type Damage = (bytes: Uint8Array) => Uint8Array;

const AT = fc.double({ min: 0, max: 1, noNaN: true });

/** Damage to the bytes of a file. */
const DAMAGE: fc.Arbitrary<Damage> = fc.oneof(
  AT.map((at): Damage => (it) => it.slice(0, Math.floor(at * it.length))),
  AT.map((at): Damage => (it) => it.slice(Math.floor(at * it.length))),
  fc.tuple(AT, fc.uint8Array({ maxLength: 8 })).map(
    ([at, bytes]): Damage => (it) => {
      const copy = it.slice();
      const start = Math.floor(at * Math.max(it.length - bytes.length, 0));
      copy.set(bytes.slice(0, it.length - start), start);
      return copy;
    },
  ),
  fc.constant<Damage>((it) => new Uint8Array(it.length)),
  fc.constantFrom(...NAMES).map((name): Damage => () => FILES[name]!),
);

Deno.test("update applies or refuses a damaged delta, and never breaks the release", async () => {
  const tolerances = fc.constantFrom(1, 100);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...NAMES), DAMAGE), { maxLength: 3 }),
      tolerances,
      async (damages, percent) => {
        using folder = new ReleaseFolder();
        await folder.prepare("sample", seedSample);
        await using opened = await OpenedStore.open({ path: folder.path });
        const before = await contentOf(opened.store);
        const files = { ...FILES };
        for (const [name, damage] of damages) {
          files[name] = damage(files[name]!);
        }
        const options = {
          maxRejectedPercent: percent,
          maxDanglingPercent: percent,
          maxShrinkPercent: percent,
        };
        try {
          const report = await updateFiles(opened.store, files, options);
          assert(report.changed);
          const { records } = await contentOf(opened.store);
          assertEquals(records.length, report.ceps);
          const again = await updateFiles(opened.store, files, options);
          assertEquals(again.changed, false);
        } catch (error) {
          if (
            !(error instanceof SeedError || error instanceof DirectoryError)
          ) {
            throw error;
          }
          assertEquals(await contentOf(opened.store), before);
        }
        assertEquals(folder.names()[0], "cep.db");
        assert(folder.names().length <= 2);
      },
    ),
    { numRuns: 20 },
  );
});
