/** Node from npm, in the versions that the packages support. */
import { join } from "node:path";
import process from "node:process";
import { download } from "./download.ts";

/** Major versions that the packages are tested on, the oldest first. */
export const NODE_MAJORS = [22, 24, 26] as const;

/** Downloads the newest Node of a major version; resolves to its path. */
export async function nodeBinary(major: number): Promise<string> {
  const isWindows = process.platform === "win32";
  const system = isWindows ? "win" : process.platform;
  const folder = await download(`node-${system}-${process.arch}`, {
    into: `node-${major}`,
    range: String(major),
  });
  return join(folder, "bin", isWindows ? "node.exe" : "node");
}
