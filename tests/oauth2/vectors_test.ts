/** The conformance vectors, valid, complete and run against the library. */
import { assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { runVector } from "./vector_runner/run.ts";
import type { Vector } from "./vector_runner/vector.ts";

const DIRECTORY = new URL("./vectors/", import.meta.url);

const read = (name: string) =>
  JSON.parse(Deno.readTextFileSync(new URL(name, DIRECTORY)));

const files = [...Deno.readDirSync(DIRECTORY)]
  .map(({ name }) => name)
  .filter((name) => name.endsWith(".json") && name !== "schema.json")
  .sort()
  .map((name) => [name, read(name)] as const);
const vectors: Vector[] = files.flatMap(([, { vectors }]) => vectors)
  .sort((a, b) => a.id < b.id ? -1 : 1);

const validate = new Ajv2020({
  strict: true,
  // Alternatives name only what tells them apart.
  strictRequired: false,
  strictTypes: false,
  // The last arguments of a call may be missing.
  strictTuples: false,
}).compile(read("schema.json"));

for (const [name, file] of files) {
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
    [...new Set(vectors.map(({ id }) => id.slice(0, 4)))],
    cases,
  );
});

for (const name of ["id", "title"] as const) {
  Deno.test(`each ${name} of a vector is used once`, () => {
    const values = vectors.map((vector) => vector[name]);
    assertEquals(values.filter((value, i) => values.indexOf(value) !== i), []);
  });
}

const README = Deno.readTextFileSync(new URL("README.md", DIRECTORY));

Deno.test("vectors/README.md tells which cases are in which file", () => {
  const rows = README.matchAll(/^\| `(\w+\.json)` +\| (C\d+)–(C\d+) /gm);
  assertEquals(
    [...rows].map(([, name, first, last]) => [name, first, last]).sort(),
    files.map(([name, { vectors }]) => {
      const cases = vectors.map(({ id }: Vector) => id.slice(0, 4));
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

for (const vector of vectors) {
  Deno.test(`${vector.id} ${vector.title}`, () => runVector(vector));
}
