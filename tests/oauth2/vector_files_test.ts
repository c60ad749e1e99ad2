/** The files of the conformance vectors: valid, complete and as told. */
import { assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readdirSync, readFileSync } from "node:fs";
import { FILES, VECTORS } from "./vector_runner/files.ts";
import { runVector } from "./vector_runner/run.ts";
import schema from "./vectors/schema.json" with { type: "json" };

const FOLDER = new URL("./vectors/", import.meta.url);
const README = readFileSync(new URL("README.md", FOLDER), "utf8");

const validate = new Ajv2020({
  strict: true,
  // Alternatives name only what tells them apart.
  strictRequired: false,
  strictTypes: false,
  // The last arguments of a call may be missing.
  strictTuples: false,
}).compile(schema);

Deno.test("every file of vectors is run", () => {
  assertEquals(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith(".json") && name !== "schema.json")
      .sort(),
    Object.keys(FILES),
  );
});

for (const [name, file] of Object.entries(FILES)) {
  Deno.test(`vectors/${name} is valid by the schema`, () => {
    validate(file);
    assertEquals(validate.errors ?? [], []);
  });
}

Deno.test("the vectors cover C001 to C147", () => {
  const cases = Array.from(
    { length: 147 },
    (_, i) => `C${String(i + 1).padStart(3, "0")}`,
  );
  assertEquals(
    [...new Set(VECTORS.map(({ id }) => id.slice(0, 4)))],
    cases,
  );
});

for (const name of ["id", "title"] as const) {
  Deno.test(`each ${name} of a vector is used once`, () => {
    const values = VECTORS.map((vector) => vector[name]);
    assertEquals(values.filter((value, i) => values.indexOf(value) !== i), []);
  });
}

Deno.test("vectors/README.md tells which cases are in which file", () => {
  const rows = README.matchAll(/^\| `(\w+\.json)` +\| (C\d+)–(C\d+) /gm);
  assertEquals(
    [...rows].map(([, name, first, last]) => [name, first, last]).sort(),
    Object.entries(FILES).map(([name, { vectors }]) => {
      const cases = vectors.map(({ id }) => id.slice(0, 4));
      return [name, cases[0], cases.at(-1)];
    }),
  );
});

Deno.test("the vector in vectors/README.md is valid and passes", async () => {
  const [, code = ""] = /```json\n(.*?)```/s.exec(README) ?? [];
  const vector = JSON.parse(code);
  validate({ $schema: "./schema.json", about: "a", vectors: [vector] });
  assertEquals(validate.errors ?? [], []);
  await runVector(vector);
});
