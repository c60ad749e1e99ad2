/** Files of the conformance vectors. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readdirSync, readFileSync } from "node:fs";
import { config } from "../../oauth2/mod.ts";
import { ROOT } from "../../scripts/root.ts";
import { createClient } from "./_client.ts";
import { camelize, isOption } from "./_vector_runner/arguments.ts";
import { FILES, VECTORS } from "./_vector_runner/files.ts";
import { runVector } from "./_vector_runner/run.ts";
import type { Json } from "./_vector_runner/vector.ts";
import schema from "./vectors/schema.json" with { type: "json" };

const FOLDER = `${ROOT}tests/oauth2/vectors`;
const README = readFileSync(`${FOLDER}/README.md`, "utf8");

const validate = new Ajv2020({
  strict: true,
  // Alternatives name only the members that distinguish them.
  strictRequired: false,
  strictTypes: false,
  // The last arguments of a call may be missing.
  strictTuples: false,
}).compile(schema);

/** Fails unless a file is valid. */
function assertValid(file: unknown): void {
  validate(file);
  assertEquals(validate.errors ?? [], []);
}

Deno.test("FILES has every file of vectors", () => {
  assertEquals(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith(".json") && name !== "schema.json")
      .sort(),
    Object.keys(FILES).sort(),
  );
});

Deno.test("vectors/README.md names every file", () => {
  const names = readdirSync(FOLDER).filter((name) => name !== "README.md");
  assertEquals(names.filter((name) => !README.includes(`| \`${name}\``)), []);
});

for (const [name, file] of Object.entries(FILES)) {
  Deno.test(`vectors/${name} matches the schema`, () => assertValid(file));
}

for (const name of ["id", "title"] as const) {
  Deno.test(`vectors have different values of ${name}`, () => {
    const values = VECTORS.map((vector) => vector[name]);
    assertEquals(values.filter((value, i) => values.indexOf(value) !== i), []);
  });
}

/** Lists the names of members in vectors, each once. */
const namesOf = (objects: Iterable<Json | undefined>) =>
  new Set([...objects].flatMap((object) => Object.keys(object ?? {})));
const CLIENTS = VECTORS.map(({ client }) => client);
const STEPS = VECTORS.flatMap(({ before = [], call, then = [] }) => [
  ...before,
  call,
  ...then,
]);

Deno.test("vectors have only known options of a client", () => {
  const names = namesOf(CLIENTS).difference(new Set(["id", "secret"]));
  for (const name of [...names].map(camelize)) {
    // The client refuses a known name in another letter case.
    const misspelled = { [name.toUpperCase()]: true };
    assertThrows(() => createClient(misspelled), TypeError, `"${name}"`);
  }
});

Deno.test("vectors have only known options of a request", () => {
  const options = STEPS
    .filter(({ op }) => /\.(request|get|post|put|patch|delete)$/.test(op))
    .map(({ op, args = [] }) => args[op.endsWith(".request") ? 2 : 1]);
  const connectionOpts = CLIENTS.map((client) => client?.connection_opts);
  const names = [...namesOf([...options, ...connectionOpts] as Json[])];
  assertEquals(names.filter((name) => !isOption(camelize(name))), []);
});

Deno.test("vectors have only known settings of the process", () => {
  const settings = STEPS.filter(({ op }) => op === "configure")
    .map(({ args = [] }) => args[0] as Json);
  const names = namesOf([...settings, ...VECTORS.map(({ config }) => config)]);
  for (const name of names) assert(camelize(name) in config, name);
});

Deno.test("runVector rejects a call that the library does not have", async () => {
  const call = { op: "client.fly" };
  const outcome = { error: { kind: "own" } };
  await assertRejects(
    () => runVector({ id: "C000", title: "a title", call, outcome }),
    TypeError,
    "client.fly",
  );
});

Deno.test("the vector in vectors/README.md matches the schema and passes", async () => {
  const [, code = ""] = /```json\n(.*?)```/s.exec(README) ?? [];
  const vector = JSON.parse(code);
  assertValid({ $schema: "./schema.json", about: "a", vectors: [vector] });
  await runVector(vector);
});
