/**
 * Checks that what a tag names is ready to be released: every package has its
 * version, and the changelog tells of it.
 *
 *     deno run --allow-read scripts/check_tag.ts v1.2.3
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { SOURCES } from "./npm/packages.ts";
import { readChangelog, releaseNotes } from "./release_notes.ts";
import { ROOT } from "./root.ts";

const MANIFESTS = SOURCES.map(({ folder }) => join(folder, "deno.json"));

/** What {@linkcode findFaults} looks at. */
export interface Release {
  /** Name of the tag, e.g. `v1.2.3`. */
  readonly tag: string;
  /** The version that each manifest has. */
  readonly versions: Readonly<Record<string, string>>;
  /** The text of the changelog. */
  readonly changelog: string;
}

/** What stands against a release, a line a fault. */
export function findFaults({ tag, versions, changelog }: Release): string[] {
  const [, version] = /^v(\d+\.\d+\.\d+(?:-[\w.-]+)?)$/.exec(tag) ?? [];
  if (version === undefined) return ["the tag must be like v1.2.3"];
  const faults = Object.entries(versions)
    .filter(([, it]) => it !== version)
    .map(([file, it]) => `${file} has version ${it}`);
  if (releaseNotes(changelog, version) === undefined) {
    faults.push(`CHANGELOG.md says nothing of ${version}`);
  }
  return faults;
}

async function readVersion(file: string): Promise<[string, string]> {
  const text = await readFile(join(ROOT, file), "utf8");
  return [file, JSON.parse(text).version];
}

if (import.meta.main) {
  const [tag = ""] = process.argv.slice(2);
  const faults = findFaults({
    tag,
    versions: Object.fromEntries(await Promise.all(MANIFESTS.map(readVersion))),
    changelog: await readChangelog(),
  });
  if (faults.length > 0) {
    console.error(`Cannot release "${tag}": ${faults.join(", ")}`);
    process.exit(1);
  }
}
