import { assertEquals } from "@std/assert";
import { readChangelog, releaseNotes } from "../../scripts/release_notes.ts";

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

const cases: [what: string, version: string, notes: string | undefined][] = [
  [
    "everything down to the next version",
    "1.1.0",
    "### Fixed\n\n- What was broken.\n\n### Added\n\n- What is new.",
  ],
  [
    "a section with brackets and a date",
    "1.10.0",
    "### Added\n\n- What is new in ten.",
  ],
  ["nothing for an empty section", "1.0.0", undefined],
  ["nothing for an empty section before others", "Unreleased", undefined],
  ["nothing for a version that is not there", "2.0.0", undefined],
  ["nothing for the beginning of a version", "1.1", undefined],
  ["nothing for a word of a heading", "Changelog", undefined],
  ["nothing for no version", "", undefined],
];

for (const [what, version, notes] of cases) {
  Deno.test(`releaseNotes gives ${what}`, () => {
    assertEquals(releaseNotes(CHANGELOG, version), notes);
  });
}

Deno.test("releaseNotes bears the line ends of Windows", () => {
  assertEquals(releaseNotes("## 1.0.0\r\n\r\n- All.\r\n", "1.0.0"), "- All.");
});

Deno.test("releaseNotes finds the newest section of this changelog", async () => {
  const changelog = await readChangelog();
  const [, newest = ""] = /^## \[?([^\]\s]+)/m.exec(changelog) ?? [];
  assertEquals(typeof releaseNotes(changelog, newest), "string");
});
