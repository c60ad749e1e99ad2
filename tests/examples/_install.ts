/** Copy of an example, with its packages installed, as a user has it. */
import { cp } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { buildPackages, type Package } from "../../scripts/npm/build.ts";
import { npm } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { NODE_MAJORS, nodeBinary } from "../../scripts/runtimes/node.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";

/** Copy of an example with its packages installed. */
export interface Installed extends Disposable {
  /** Folder that is removed after the tests. */
  readonly folder: string;
  /** Folder of the copy, in that folder. */
  readonly example: string;
  /** Path of the oldest supported Node. */
  readonly node: string;
  /** Environment in which the command `node` runs it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Tarballs of the packages, in the folder of the first example of a file. */
let built: Promise<readonly Package[]> | undefined;

/** Copies an example and installs its packages from their tarballs. */
export async function install(
  name: string,
  packages: readonly string[],
): Promise<Installed> {
  const folder = new TemporaryFolder(name);
  try {
    const example = join(folder.path, name);
    await cp(join(ROOT, "examples", name), example, { recursive: true });
    const node = await nodeBinary(NODE_MAJORS[0]);
    const path = [dirname(node), process.env.PATH].join(delimiter);
    const env = { PATH: path };
    built ??= buildPackages(join(folder.path, "packages"));
    const tarballs = (await built).filter((it) => packages.includes(it.name));
    await npm(
      ["install", "--prefer-offline", ...tarballs.map((it) => it.path)],
      { cwd: example, env },
    );
    return {
      folder: folder.path,
      example,
      node,
      env,
      [Symbol.dispose]: () => folder[Symbol.dispose](),
    };
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}
