import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "../../util/reason_of.ts";
import { inspectRelease } from "../../release/check_release.ts";
import { releaseName } from "../../release/release.ts";
import { SCHEMA_VERSION } from "../../release/schema.ts";
import {
  formatManifest,
  MANIFEST_FORMAT,
  MANIFEST_NAME,
  parseManifest,
  RELEASE_FILE,
  releaseFileName,
  type ReleaseManifest,
} from "./manifest.ts";
import { sha256Of } from "./sha256_of.ts";

/** Name of an unfinished file. */
const PART = /^\.carteiro-[0-9a-f-]{36}\.part$/;

/** Failure to use a folder of releases. */
export class ReleaseFolderError extends Error {
  /** Always `ReleaseFolderError`. */
  override readonly name = "ReleaseFolderError";
}

/**
 * Copies a release file into a folder, and then writes the manifest that refers
 * to it. The file of the previous manifest stays, because an instance may be
 * downloading it; older ones are removed.
 *
 * @param file Path of the release file.
 * @returns The manifest.
 * @throws {ReleaseFolderError} If the folder has the manifest of something
 * else or of a newer release, or cannot be written.
 * @throws {DatabaseError} If the file is damaged.
 */
export async function writeReleaseFolder(
  folder: string,
  file: string,
): Promise<ReleaseManifest> {
  const previous = await attempt(folder, () => prepare(folder));
  const part = join(folder, `.carteiro-${crypto.randomUUID()}.part`);
  try {
    const content = await attempt(folder, () => copy(file, part));
    const manifest = { ...await describe(part), ...content };
    return await attempt(folder, async () => {
      refuseOlder(manifest, previous);
      await publish(folder, part, manifest);
      await writeManifest(folder, manifest);
      await removeOld(folder, previous, manifest.file);
      return manifest;
    });
  } finally {
    await rm(part, { force: true }).catch(() => {});
  }
}

/** Creates the folder, and returns its manifest, if there is one. */
async function prepare(folder: string): Promise<ReleaseManifest | undefined> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  for (const name of names.filter((name) => PART.test(name))) {
    await rm(join(folder, name), { force: true });
  }
  if (!names.includes(MANIFEST_NAME)) return undefined;
  const text = await readFile(join(folder, MANIFEST_NAME), "utf8");
  try {
    return parseManifest(text);
  } catch (cause) {
    throw new Error(
      `its ${MANIFEST_NAME} is not of releases (${reasonOf(cause)}); choose ` +
        "an empty folder",
      { cause },
    );
  }
}

/** Copies a file, which may be replaced in the meantime, but never changes. */
async function copy(
  from: string,
  to: string,
): Promise<Pick<ReleaseManifest, "bytes" | "sha256">> {
  return await withNewFile(to, async (target) => {
    const hash = createHash("sha256");
    let bytes = 0;
    const chunks = createReadStream(from, { highWaterMark: 1 << 20 });
    for await (const chunk of chunks) {
      hash.update(chunk);
      await target.writeFile(chunk);
      bytes += chunk.length;
    }
    return { bytes, sha256: hash.digest("hex") };
  });
}

/** Writes a file and syncs it to disk. */
async function withNewFile<T>(
  path: string,
  write: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, "wx", 0o644);
  try {
    const result = await write(file);
    await file.sync();
    return result;
  } finally {
    await file.close();
  }
}

/** Describes the release of a file as its manifest does. */
async function describe(
  path: string,
): Promise<Omit<ReleaseManifest, "bytes" | "sha256">> {
  const facts = await inspectRelease(path);
  const release = releaseName(facts);
  return {
    format: MANIFEST_FORMAT,
    file: releaseFileName(release),
    release,
    schema_version: SCHEMA_VERSION,
    dne_version: facts.dneVersion,
    seeded_at: facts.seededAt,
    total_ceps: facts.totalCeps,
  };
}

/** Refuses to take all instances back, e.g. by a replica that was left behind. */
function refuseOlder(
  { seeded_at }: ReleaseManifest,
  previous: ReleaseManifest | undefined,
): void {
  if (previous === undefined) return;
  if (!(Date.parse(seeded_at) < Date.parse(previous.seeded_at))) return;
  throw new Error(
    `its ${MANIFEST_NAME} is of a newer release ("${previous.seeded_at}", not ` +
      `"${seeded_at}"); remove ${MANIFEST_NAME} to export the older one`,
  );
}

/** Gives the copy its name, unless the folder has the same file already. */
async function publish(
  folder: string,
  part: string,
  { file, bytes, sha256 }: ReleaseManifest,
): Promise<void> {
  const path = join(folder, file);
  const present = await stat(path).catch(() => undefined);
  if (present?.size === bytes && await sha256Of(path) === sha256) return;
  await rename(part, path);
}

async function writeManifest(
  folder: string,
  manifest: ReleaseManifest,
): Promise<void> {
  const part = join(folder, `.carteiro-${crypto.randomUUID()}.part`);
  try {
    await withNewFile(part, (file) => file.writeFile(formatManifest(manifest)));
    await rename(part, join(folder, MANIFEST_NAME));
  } finally {
    await rm(part, { force: true });
  }
}

/** Removes the files that neither this nor the previous manifest refers to. */
async function removeOld(
  folder: string,
  previous: ReleaseManifest | undefined,
  file: string,
): Promise<void> {
  // The same release again: its predecessor stays, too.
  if (previous?.file === file) return;
  for (const name of await readdir(folder)) {
    if (!RELEASE_FILE.test(name) || name === file || name === previous?.file) {
      continue;
    }
    await rm(join(folder, name), { force: true });
  }
}

async function attempt<T>(
  folder: string,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw new ReleaseFolderError(
      `Cannot export to "${folder}": ${reasonOf(cause)}`,
      { cause },
    );
  }
}
