import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { npm } from "../process.ts";
import { TemporaryFolder } from "../temporary_folder.ts";
import type { Package } from "./build.ts";

/** Folder with installed packages. */
export interface Installation {
  readonly folder: string;
  readonly packages: readonly Package[];
}

/** Options of {@linkcode withInstalled}. */
export interface InstallOptions {
  /**
   * Other packages to install, as arguments of `npm install`.
   *
   * @default {[]}
   */
  readonly tools?: readonly string[];
}

/** Installs packages into a clean folder, which is removed after use. */
export async function withInstalled<T>(
  packages: readonly Package[],
  use: (installation: Installation) => Promise<T>,
  { tools = [] }: InstallOptions = {},
): Promise<T> {
  using temporary = new TemporaryFolder("installed");
  const folder = temporary.path;
  await writeFile(join(folder, "package.json"), `{ "private": true }`);
  const tarballs = packages.map(({ path }) => path);
  await npm(["install", "--prefer-offline", ...tarballs, ...tools], {
    cwd: folder,
  });
  return await use({ folder, packages });
}
