/** The conformance vectors, valid, complete and run against the library. */
import { assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { runVector, type Vector } from "./_run_vector.ts";

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

Deno.test("each id of a vector is used once", () => {
  const ids = vectors.map(({ id }) => id);
  assertEquals(ids.filter((id, i) => ids.indexOf(id) !== i), []);
});

for (const vector of vectors) {
  Deno.test(`${vector.id} ${vector.title}`, () => runVector(vector));
}
