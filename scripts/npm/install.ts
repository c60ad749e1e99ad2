/** The packages in the `node_modules` of somebody who uses them. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Package } from "./build.ts";
import { npm } from "./command.ts";

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
export async function withInstalled(
  packages: readonly Package[],
  use: (installation: Installation) => Promise<void>,
  { tools = [] }: InstallOptions = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "installed-"));
  try {
    await writeFile(join(folder, "package.json"), `{ "private": true }`);
    const tarballs = packages.map(({ path }) => path);
    await npm(["install", "--prefer-offline", ...tarballs, ...tools], {
      cwd: folder,
    });
    await use({ folder, packages });
  } finally {
    await rm(folder, { recursive: true });
  }
}
