import { assertEquals } from "@std/assert";
import { findFaults, type Release } from "../../scripts/check_tag.ts";

const ready: Release = {
  tag: "v1.2.3",
  versions: { "deno.json": "1.2.3", "cep/deno.json": "1.2.3" },
  changelog: "# Changelog\n\n## 1.2.3\n\n- Something.\n",
};

const cases: [what: string, changes: Partial<Release>, faults: string[]][] = [
  ["nothing against what is ready", {}, []],
  [
    "nothing against a version before the real one",
    {
      tag: "v1.2.3-rc.1",
      versions: { "deno.json": "1.2.3-rc.1" },
      changelog: "## 1.2.3-rc.1\n\n- Something.\n",
    },
    [],
  ],
  [
    "every package of another version",
    { versions: { "deno.json": "1.2.4", "cep/deno.json": "1.2.2" } },
    ["deno.json has version 1.2.4", "cep/deno.json has version 1.2.2"],
  ],
  [
    "a changelog without the version",
    { changelog: "# Changelog\n\n## Unreleased\n\n- Something.\n" },
    ["CHANGELOG.md says nothing of 1.2.3"],
  ],
  ...["1.2.3", "v1.2", "version", "v1.2.3 ", "v1.2.3\nv1.2.3", ""].map((
    tag,
  ): [string, Partial<Release>, string[]] => [
    `the tag ${JSON.stringify(tag)}`,
    { tag },
    ["the tag must be like v1.2.3"],
  ]),
];

for (const [what, changes, faults] of cases) {
  Deno.test(`findFaults tells ${what}`, () => {
    assertEquals(findFaults({ ...ready, ...changes }), faults);
  });
}
