/**
 * Prints what the changelog says of the version of a tag:
 *
 *     deno run --allow-read scripts/release_notes.ts v1.2.3
 */
import { readFile } from "node:fs/promises";
import process from "node:process";

const CHANGELOG = new URL("../CHANGELOG.md", import.meta.url);

/** The changelog of this repository. */
export function readChangelog(): Promise<string> {
  return readFile(CHANGELOG, "utf8");
}

/**
 * The section of a version, without its heading.
 *
 * @returns `undefined` if there is none or nothing is in it.
 */
export function releaseNotes(
  changelog: string,
  version: string,
): string | undefined {
  // Headings are `## 1.2.3`, `## [1.2.3]` and either with ` - 2026-01-31`.
  const section = changelog.split(/^## /m)
    .find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
  const notes = section?.slice(section.indexOf("\n")).trim();
  return notes || undefined;
}

if (import.meta.main) {
  const [tag = ""] = process.argv.slice(2);
  const notes = releaseNotes(await readChangelog(), tag.replace(/^v/, ""));
  if (notes === undefined) {
    console.error(`Cannot print the notes of "${tag}": none in CHANGELOG.md`);
    process.exit(1);
  }
  console.log(notes);
}
