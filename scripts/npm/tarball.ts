/** Tarballs of npm, read and written. */
import { packTar, unpackTar } from "modern-tar";
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";

/** Files of a package by their path in it, which has slashes everywhere. */
export type Files = Map<string, Uint8Array>;

/** Reads the files of a tarball. */
export async function readTarball(path: string): Promise<Files> {
  const tar = gunzipSync(await readFile(path));
  // The first part is the folder that all stands in.
  const entries = await unpackTar(tar, { strip: 1, strict: true });
  return new Map(
    entries.flatMap(({ header, data }) => data ? [[header.name, data]] : []),
  );
}

/**
 * Writes a tarball: the same bytes for the same files, whenever and wherever
 * it is written.
 */
export async function writeTarball(
  path: string,
  files: Files,
  options: {
    /** Files that may be run. */
    readonly executable: readonly string[];
  },
): Promise<void> {
  const names = [...files.keys()].sort();
  const tar = await packTar(names.map((name) => {
    const body = files.get(name)!;
    const mode = options.executable.includes(name) ? 0o755 : 0o644;
    const mtime = new Date(0);
    return {
      header: { name: `package/${name}`, size: body.length, mode, mtime },
      body,
    };
  }));
  await writeFile(path, gzipSync(tar, { level: 9 }));
}
