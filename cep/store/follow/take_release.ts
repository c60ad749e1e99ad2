import { readdir, rm, stat, statfs } from "node:fs/promises";
import { basename, join } from "node:path";
import { reasonOf } from "../../util/reason_of.ts";
import { inspectRelease } from "../../release/check_release.ts";
import type { ReleaseDirectory } from "../release_directory.ts";
import { releaseName } from "../../release/release.ts";
import { SCHEMA_VERSION } from "../../release/schema.ts";
import { download } from "./download.ts";
import type { ReleaseManifest } from "./manifest.ts";
import { type ReleaseSource, SourceError } from "./source.ts";
import { UnusableRelease } from "./unusable_release.ts";

/** Name of an unfinished download. */
const PART_NAME = /^cep-[0-9a-f]{64}\.part$/;

/** Options of {@linkcode takeRelease}. */
export interface TakeOptions {
  /** Folder of releases. */
  readonly source: ReleaseSource;
  /** Folder of the current release, whose lock the caller holds. */
  readonly directory: ReleaseDirectory;
  /** Manifest of the release. */
  readonly manifest: ReleaseManifest;
  /** Milliseconds within which 1 MiB must arrive. */
  readonly stallMs: number;
  /** Ends the download. */
  readonly signal: AbortSignal;
  /** Validators of unfinished files, by their SHA-256. */
  readonly etags: Map<string, string | undefined>;
  /** Returns the bytes that are free in a folder, `undefined` if unknown. */
  readonly freeBytes: (path: string) => Promise<number | undefined>;
}

/**
 * Downloads a release, checks it and makes it the current one. A download that
 * fails is continued by the next call.
 *
 * @throws {SourceError} If the file cannot be read to its end.
 * @throws {UnusableRelease} If it is not the release of the manifest, or no
 * store could use it.
 */
export async function takeRelease(options: TakeOptions): Promise<void> {
  const { directory, manifest, signal } = options;
  refuseSchema(manifest);
  const path = join(directory.path, `cep-${manifest.sha256}.part`);
  await removeOtherParts(path, directory);
  await requireSpace(path, options);
  try {
    await download({ ...options, path });
  } catch (error) {
    const isOfSource = error instanceof SourceError ||
      error instanceof UnusableRelease || signal.aborted;
    if (isOfSource) throw error;
    // The disk is probably full, and others need space, too.
    await directory.discard(path);
    throw new Error(
      `Cannot store the release in "${directory.path}": ${reasonOf(error)}`,
      { cause: error },
    );
  }
  await refuseOther(path, manifest, signal);
  signal.throwIfAborted();
  await directory.publish(path);
}

/** Removes the unfinished files of other releases. */
async function removeOtherParts(
  kept: string,
  { path }: ReleaseDirectory,
): Promise<void> {
  for (const name of await readdir(path)) {
    if (!PART_NAME.test(name) || name === basename(kept)) continue;
    await rm(join(path, name), { force: true });
  }
}

/** Refuses a release for which the disk has no space. */
async function requireSpace(
  part: string,
  { directory: { path }, manifest: { bytes }, freeBytes }: TakeOptions,
): Promise<void> {
  const free = await freeBytes(path);
  const present = await stat(part).then(({ size }) => size, () => 0);
  if (free === undefined || free >= bytes - present) return;
  throw new Error(
    `Cannot store the release in "${path}": it needs ${bytes} bytes, which ` +
      "are not free",
  );
}

function refuseSchema({ schema_version }: ReleaseManifest): void {
  if (schema_version === SCHEMA_VERSION) return;
  const age = schema_version < SCHEMA_VERSION ? "older" : "newer";
  throw new UnusableRelease(
    `it was written by a version of this program with ${age} tables ` +
      `(${schema_version}, not ${SCHEMA_VERSION})`,
  );
}

/** Removes a file that is not the release of a manifest. */
async function refuseOther(
  path: string,
  manifest: ReleaseManifest,
  signal: AbortSignal,
): Promise<void> {
  try {
    const release = await inspectRelease(path, signal);
    if (
      releaseName(release) !== manifest.release ||
      release.totalCeps !== manifest.total_ceps
    ) {
      throw new Error("it is not the release of the manifest");
    }
  } catch (cause) {
    signal.throwIfAborted();
    await rm(path, { force: true });
    throw new UnusableRelease(reasonOf(cause), { cause });
  }
}

/** Returns the bytes that are free in a folder, `undefined` if unknown. */
export async function freeBytes(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return undefined; // Not on every file system, nor with every permission.
  }
}
