/** What a built package weighs. */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Package } from "./build.ts";
import { readTarball } from "./tarball.ts";

/** A line about a package: its tarball and what is in it. */
export async function summarize({ path }: Package): Promise<string> {
  const files = await readTarball(path);
  const unpacked = [...files.values()]
    .reduce((sum, bytes) => sum + bytes.length, 0);
  const { size } = await stat(path);
  return `${basename(path)}: ${kilobytes(size)} packed, ` +
    `${kilobytes(unpacked)} unpacked, ${files.size} files`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
