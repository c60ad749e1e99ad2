/** Node binaries of the majors that the packages support, from npm. */
import { join } from "node:path";
import process from "node:process";
import { download } from "./download.ts";

/** The majors that the packages are tried on, the oldest first. */
export const NODE_MAJORS = [22, 24, 26] as const;

const WINDOWS = process.platform === "win32";

/**
 * The path of the newest Node of a major, which is downloaded once into
 * `npm/runtimes/`.
 */
export async function nodeBinary(major: number): Promise<string> {
  const name = `node-${WINDOWS ? "win" : process.platform}-${process.arch}`;
  const { folder } = await download(name, {
    into: `node-${major}`,
    range: String(major),
  });
  return join(folder, "bin", WINDOWS ? "node.exe" : "node");
}
