import { readFile } from "node:fs/promises";
import process from "node:process";
import { readDeclarations } from "./npm/packages.ts";
import { PUBLISHED } from "./readme_tables/publication.ts";
import { ROOT } from "./root.ts";

/** Input of {@linkcode findFaults}. */
export interface Release {
  readonly tag: string;
  /** Versions of the packages, by manifest. */
  readonly versions: Readonly<Record<string, string>>;
  readonly changelog: string;
  /** False if the documents say that nothing is published yet. */
  readonly isPublished: boolean;
}

/** Lists the faults that prevent a release. */
export function findFaults(
  { tag, versions, changelog, isPublished }: Release,
): string[] {
  const [, version] = /^v(\d+\.\d+\.\d+(?:-[\w.-]+)?)$/.exec(tag) ?? [];
  if (version === undefined) return ["the tag must be like v1.2.3"];
  const faults = Object.entries(versions)
    .filter(([, it]) => it !== version)
    .map(([file, it]) => `${file} has version ${it}`);
  if (releaseNotes(changelog, version) === undefined) {
    faults.push(`CHANGELOG.md has no section for ${version}`);
  }
  if (!isPublished) {
    faults.push("PUBLISHED in readme_tables/publication.ts is false");
  }
  return faults;
}

/**
 * Finds the section of a version in a changelog, without its heading.
 *
 * @returns `undefined` if it is missing or empty.
 */
export function releaseNotes(
  changelog: string,
  version: string,
): string | undefined {
  // Headings are `## 1.2.3` or `## [1.2.3]`, with or without ` - 2026-01-31`.
  const section = changelog.split(/^## /m)
    .find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
  return section?.slice(section.indexOf("\n")).trim() || undefined;
}

if (import.meta.main) {
  const [tag = ""] = process.argv.slice(2);
  const changelog = await readFile(`${ROOT}CHANGELOG.md`, "utf8");
  const versions = Object.fromEntries(
    (await readDeclarations()).map(({ file, version }) => [file, version]),
  );
  const faults = findFaults({
    tag,
    versions,
    changelog,
    isPublished: PUBLISHED,
  });
  if (faults.length > 0) {
    console.error(`Cannot release "${tag}": ${faults.join(", ")}`);
    process.exit(1);
  }
  console.log(releaseNotes(changelog, tag.slice(1)));
}
