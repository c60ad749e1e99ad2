import { packTar, unpackTar } from "modern-tar";
import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";

/** Files of a package by their path in it, with slashes on every system. */
export type Files = Map<string, Uint8Array>;

/** Reads the files of a tarball. */
export async function readTarball(path: string): Promise<Files> {
  const tar = gunzipSync(await readFile(path));
  // The first part of each path is the folder `package`.
  const entries = await unpackTar(tar, { strip: 1, strict: true });
  return new Map(
    entries.flatMap(({ header, data }) => data ? [[header.name, data]] : []),
  );
}

/** Writes a tarball; the same files give the same bytes. */
export async function writeTarball(
  path: string,
  files: Files,
  { executable }: { readonly executable: readonly string[] },
): Promise<void> {
  const entries = [...files].map(([file, body]) => ({
    header: {
      name: `package/${file}`,
      size: body.length,
      mode: executable.includes(file) ? 0o755 : 0o644,
      mtime: new Date(0),
    },
    body,
  }));
  entries.sort((a, b) => a.header.name < b.header.name ? -1 : 1);
  await writeFile(path, gzipSync(await packTar(entries), { level: 9 }));
}
