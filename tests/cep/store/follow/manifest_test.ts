import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  formatManifest,
  ManifestError,
  parseManifest,
  type ReleaseManifest,
} from "../../../../cep/store/follow/manifest.ts";

const MANIFEST: ReleaseManifest = {
  format: 1,
  file: "release-8aa992bc.db",
  bytes: 1_089_536,
  sha256: "c1".repeat(32),
  release: "8aa992bc",
  schema_version: 3,
  dne_version: "25041",
  seeded_at: "2026-01-02T03:04:05.678Z",
  total_ceps: 2079,
};

Deno.test("parseManifest reads a formatted manifest", () => {
  assertEquals(parseManifest(formatManifest(MANIFEST)), MANIFEST);
});

Deno.test("parseManifest ignores members that it does not know", () => {
  const text = JSON.stringify({ ...MANIFEST, signature: "x", __proto__: 1 });
  assertEquals(parseManifest(text), MANIFEST);
});

const WRONG: Readonly<Record<keyof ReleaseManifest, readonly unknown[]>> = {
  format: [2, 0, "1", 1.5, null],
  file: [
    "",
    "cep.db",
    "../release-8aa992bc.db",
    "a/release-8aa992bc.db",
    "release-8aa992bc.db/..",
    "release-8AA992BC.db",
    "release-8aa992bd.db",
    "release-8aa992bc.db\n",
    "https://elsewhere.example/release-8aa992bc.db",
    "//elsewhere.example/release-8aa992bc.db",
    "C:\\release-8aa992bc.db",
    7,
    null,
  ],
  bytes: [0, -1, 1.5, 1e300, 2 ** 60, "7", null, [7]],
  sha256: ["", "c1", "C1".repeat(32), "c1".repeat(33), 7, null],
  release: ["", "8aa992b", "8AA992BC", "8aa992bc0", 7, "8aa992bd"],
  schema_version: [-1, "3", 3.5, null],
  dne_version: [25041, "x".repeat(41), "a b", "\n", null],
  seeded_at: ["", "yesterday", "2026-01-02", 1, null],
  total_ceps: [-1, 1e9, "2079", null],
};

for (const [name, values] of Object.entries(WRONG)) {
  for (const value of [undefined, ...values]) {
    Deno.test(`parseManifest refuses ${name}: ${JSON.stringify(value)}`, () => {
      const text = JSON.stringify({ ...MANIFEST, [name]: value });
      assertThrows(() => parseManifest(text), ManifestError, name);
    });
  }
}

Deno.test("parseManifest returns a manifest of this form or throws ManifestError, for any text", () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...names()));
  const manifests = fc.record({ ...sameKeys(value) }, { requiredKeys: [] })
    .map((changes) => JSON.stringify({ ...MANIFEST, ...changes }));
  fc.assert(fc.property(
    fc.oneof(fc.string(), fc.json(), manifests),
    (text) => {
      try {
        const { file, release } = parseManifest(text);
        assertEquals(file, `release-${release}.db`);
      } catch (error) {
        assertEquals((error as Error).name, "ManifestError");
      }
    },
  ));
});

function names(): string[] {
  return ["__proto__", "release-00000000.db", "00000000"];
}

function sameKeys<T>(value: T): Record<keyof ReleaseManifest, T> {
  return Object.fromEntries(
    Object.keys(MANIFEST).map((name) => [name, value]),
  ) as Record<keyof ReleaseManifest, T>;
}
