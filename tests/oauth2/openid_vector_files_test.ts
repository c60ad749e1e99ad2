/** Files of the vectors for OpenID Connect. */
import { assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readdirSync, readFileSync } from "node:fs";
import { ROOT } from "../../scripts/root.ts";
import { METADATA } from "./_openid_provider.ts";

const FOLDER = `${ROOT}tests/oauth2/openid_vectors`;
const README = readFileSync(`${FOLDER}/README.md`, "utf8");
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));

/** Reads a file of the folder. */
const read = (name: string) =>
  JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8"));

const validate = new Ajv2020({ strict: true, strictTypes: false })
  .compile(read("schema.json"));

for (const name of NAMES.filter((name) => name !== "schema.json")) {
  Deno.test(`openid_vectors/${name} matches the schema`, () => {
    validate(read(name));
    assertEquals(validate.errors ?? [], []);
  });
}

Deno.test("openid_vectors/README.md names every file", () => {
  assertEquals(NAMES.filter((name) => !README.includes(`| \`${name}\``)), []);
});

Deno.test("openid_vectors/README.md has the metadata of the provider", () => {
  const [, json = ""] = /^```json\n([^]*?)^```$/m.exec(README) ?? [];
  assertEquals(JSON.parse(json), METADATA);
});
