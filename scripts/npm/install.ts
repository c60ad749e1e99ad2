/** The packages in the `node_modules` of somebody who uses them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { npm } from "../command.ts";
import { TemporaryFolder } from "../temporary_folder.ts";
import type { Package } from "./build.ts";

/** A folder that the packages are installed into. */
export interface Installation {
  /** Its path. */
  readonly folder: string;
  /** What is installed. */
  readonly packages: readonly Package[];
}

/** Options of {@linkcode withInstalled}. */
export interface InstallOptions {
  /**
   * What else the user has, as npm is told it.
   *
   * @default []
   */
  readonly tools?: readonly string[];
}

/** Installs the packages into a clean folder, which lives as long as its use. */
export async function withInstalled<T>(
  packages: readonly Package[],
  use: (installation: Installation) => Promise<T>,
  { tools = [] }: InstallOptions = {},
): Promise<T> {
  await using temporary = await TemporaryFolder.make("installed");
  const folder = temporary.path;
  await writeFile(join(folder, "package.json"), `{ "private": true }`);
  const tarballs = packages.map(({ path }) => path);
  await npm(["install", "--prefer-offline", ...tarballs, ...tools], {
    cwd: folder,
  });
  return await use({ folder, packages });
}
