import { assertRejects } from "@std/assert";
import { statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CensusError } from "../../../../cep/import/errors.ts";
import { findFiles } from "../../../../cep/import/cnefe/find_files.ts";
import { readFile } from "../../../../cep/import/cnefe/read_file.ts";
import { csv, withFiles } from "./_census.ts";

const ROWS = csv([{}, {}, {}]);

/** Changes of a file after it is measured, each between two rows. */
const CHANGES: Readonly<Record<string, (path: string) => void>> = {
  "has shrunk": (path) => truncateSync(path, csv([{}, {}]).length),
  "is empty": (path) => truncateSync(path, 0),
  "has grown": (path) =>
    writeFileSync(path, csv([{}]).split("\n")[1]! + "\n", { flag: "a" }),
};

for (const [name, change] of Object.entries(CHANGES)) {
  Deno.test(`readFile refuses a file that ${name} since it was found`, async () => {
    await withFiles({ "35_SP.csv": ROWS }, async (folder) => {
      const [file] = await findFiles([folder]);
      const path = join(folder, "35_SP.csv");
      change(path);
      await assertRejects(
        () =>
          readFile(file!, {
            now: () => 0,
            onProgress: () => {},
            pause: () => Promise.resolve(),
          }),
        CensusError,
        `it has changed while it was read: it has ${statSync(path).size} ` +
          `bytes instead of ${ROWS.length}`,
      );
    });
  });
}
