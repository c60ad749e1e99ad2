import { assertEquals, assertRejects } from "@std/assert";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openInputs } from "../../../cep/import/inputs.ts";
import {
  CensusError,
  DirectoryError,
  InputsError,
  seed,
} from "../../../cep/import/seed.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { csv } from "./cnefe/_census.ts";
import { latin1 } from "../_directory.ts";
import { contentOf, OpenedStore } from "../_stores.ts";
import { zip } from "../_zip.ts";
import { CENSUS, SAO_PAULO, seedBoth, writeSources } from "./_both.ts";

/** Folder with both sources and their paths. */
class Place implements Disposable {
  readonly #folder = new TemporaryFolder();
  readonly path = this.#folder.path;
  readonly dne = join(this.path, "dne");
  readonly cnefe = join(this.path, "cnefe");
  readonly nowhere = join(this.path, "nowhere");

  constructor() {
    writeSources(this.path, { dne: {}, cnefe: CENSUS });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

Deno.test("openInputs counts the bytes of a file once although two paths contain it", async () => {
  using place = new Place();
  const { cnefe, dne } = place;
  const once = await openInputs({ cnefe, directory: dne });
  const twice = await openInputs({
    cnefe: [cnefe, join(cnefe, "35_SP.csv")],
    directory: dne,
  });
  assertEquals(once.totalBytes, twice.totalBytes);
  assertEquals(twice.sources, ["dne", "cnefe"]);
});

Deno.test("openInputs refuses a CNEFE in the place of the DNE", async () => {
  using place = new Place();
  const error = await assertRejects(
    () => openInputs({ directory: place.cnefe }),
    DirectoryError,
  );
  assertEquals(
    error.message,
    `Cannot import the DNE from "${place.cnefe}": it contains no text file ` +
      "of the DNE, such as LOG_LOCALIDADE.TXT; it contains the CNEFE: set " +
      "CNEFE_PATH to it",
  );
});

Deno.test("openInputs refuses a DNE in the place of the CNEFE", async () => {
  using place = new Place();
  const error = await assertRejects(
    () => openInputs({ cnefe: place.dne }),
    CensusError,
  );
  assertEquals(
    error.message,
    `Cannot read the CNEFE from "${place.dne}": it contains no CSV file, ` +
      "such as 35_SP.csv or 35_SP.zip; it contains the DNE: set DB_RAW_PATH " +
      "to it",
  );
});

Deno.test("openInputs lists the problems of both sources and of all paths", async () => {
  using place = new Place();
  const { nowhere, path } = place;
  const empty = join(path, "empty");
  mkdirSync(empty);
  const error = await assertRejects(
    () => openInputs({ directory: nowhere, cnefe: [nowhere, empty] }),
    InputsError,
  );
  assertEquals(error.errors.map((it: Error) => it.name), [
    "DirectoryError",
    "CensusError",
    "CensusError",
  ]);
  assertEquals(
    error.message,
    `Cannot import the DNE from "${nowhere}": it does not exist; Cannot read ` +
      `the CNEFE from "${nowhere}": it does not exist; Cannot read the CNEFE ` +
      `from "${empty}": it contains no CSV file, such as 35_SP.csv or ` +
      "35_SP.zip",
  );
});

/** Returns the zip file of a state. */
function zipOf(name: string, text: string): Uint8Array<ArrayBuffer> {
  return zip([{ name, content: latin1(text) }]);
}

/** Damages the zip file of one state. */
const TORN: Readonly<Record<string, (zip: Uint8Array) => Uint8Array>> = {
  "cut in half": (bytes) => bytes.subarray(0, bytes.length / 2),
  "without its last byte": (bytes) => bytes.subarray(0, -1),
  empty: () => new Uint8Array(),
  "with another byte in its content": (bytes) => {
    const copy = Uint8Array.from(bytes);
    const middle = Math.trunc(bytes.length / 4);
    copy[middle] = copy[middle]! ^ 0xFF;
    return copy;
  },
};

for (const [name, tear] of Object.entries(TORN)) {
  Deno.test(`seed keeps the release if one of 27 zip files is ${name}`, async () => {
    using folder = new TemporaryFolder();
    await using opened = await OpenedStore.inMemory();
    await seedBoth(opened.store, { cnefe: SAO_PAULO });
    const before = await contentOf(opened.store);
    for (let state = 0; state < 27; state++) {
      const rows = Array.from({ length: 20 }, (_, i) => ({
        COD_MUNICIPIO: "3550308",
        CEP: `010${state + 10}0${i + 10}`,
      }));
      const text = csv(rows, { firstCode: state * 100 });
      const whole = zipOf(`${state}.csv`, text);
      const path = join(folder.path, `${state}.zip`);
      writeFileSync(path, state === 13 ? tear(whole) : whole);
    }
    const error = await assertRejects(
      () => seed({ store: opened.store, cnefe: folder.path }),
      CensusError,
    );
    assertEquals(error.path.includes("13.zip"), true, error.message);
    assertEquals(await contentOf(opened.store), before);
    // The failed import has released its lock.
    await seedBoth(opened.store, { cnefe: SAO_PAULO });
  });
}
