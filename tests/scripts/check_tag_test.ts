import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  findFaults,
  type Release,
  releaseNotes,
} from "../../scripts/check_tag.ts";
import { outputOf } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";

const READY: Release = {
  tag: "v1.2.3",
  versions: { "deno.json": "1.2.3", "cep/deno.json": "1.2.3" },
  changelog: "# Changelog\n\n## 1.2.3\n\n- Something.\n",
  isPublished: true,
};

const releases: [name: string, changes: Partial<Release>, faults: string[]][] =
  [
    ["nothing for a complete release", {}, []],
    [
      "nothing for a complete pre-release",
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
      ["CHANGELOG.md has no section for 1.2.3"],
    ],
    [
      "documents that say that nothing is published",
      { isPublished: false },
      ["PUBLISHED in readme_tables/publication.ts is false"],
    ],
    ...["1.2.3", "v1.2", "version", "v1.2.3 ", "v1.2.3\nv1.2.3", ""].map((
      tag,
    ): [string, Partial<Release>, string[]] => [
      `the tag ${JSON.stringify(tag)}`,
      { tag },
      ["the tag must be like v1.2.3"],
    ]),
  ];
for (const [name, changes, faults] of releases) {
  Deno.test(`findFaults lists ${name}`, () => {
    assertEquals(findFaults({ ...READY, ...changes }), faults);
  });
}

const CHANGELOG = `# Changelog

The versions follow something.

## Unreleased

## [1.10.0] - 2026-03-01

### Added

- What is new in ten.

## 1.1.0

### Fixed

- What was broken.

### Added

- What is new.

## 1.0.0 - 2026-01-01
`;

const sections: [name: string, version: string, notes: string | undefined][] = [
  [
    "everything before the next version",
    "1.1.0",
    "### Fixed\n\n- What was broken.\n\n### Added\n\n- What is new.",
  ],
  [
    "a section with brackets and a date",
    "1.10.0",
    "### Added\n\n- What is new in ten.",
  ],
  ["nothing for an empty section at the end", "1.0.0", undefined],
  ["nothing for an empty section before others", "Unreleased", undefined],
  ["nothing for a missing version", "2.0.0", undefined],
  ["nothing for the beginning of a version", "1.1", undefined],
  ["nothing for a word of a heading", "Changelog", undefined],
  ["nothing for an empty version", "", undefined],
];
for (const [name, version, notes] of sections) {
  Deno.test(`releaseNotes finds ${name}`, () => {
    assertEquals(releaseNotes(CHANGELOG, version), notes);
  });
}

Deno.test("releaseNotes reads a changelog with CRLF", () => {
  assertEquals(releaseNotes("## 1.0.0\r\n\r\n- All.\r\n", "1.0.0"), "- All.");
});

Deno.test("releaseNotes reads the newest section of this changelog", async () => {
  const changelog = await Deno.readTextFile(`${ROOT}CHANGELOG.md`);
  const [, newest = ""] = /^## \[?([^\]\s]+)/m.exec(changelog) ?? [];
  assertEquals(typeof releaseNotes(changelog, newest), "string");
});

Deno.test("check_tag exits with code 1 and reports the tag", async () => {
  const command = ["run", "--allow-read", "scripts/check_tag.ts", "v0.0.0"];
  const { code, stdout, stderr } = await outputOf(
    [Deno.execPath(), ...command],
    { cwd: ROOT },
  );
  assertEquals([code, stdout], [1, ""]);
  assertStringIncludes(stderr, 'Cannot release "v0.0.0": ');
});
