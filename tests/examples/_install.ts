/** An example as a user has it: copied out, with the packages from npm. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { buildPackages } from "../../scripts/npm/build.ts";
import { npm } from "../../scripts/command.ts";
import { NODE_MAJORS, nodeBinary } from "../../scripts/runtimes/node.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url);

/** A copy of an example. */
export interface Installed {
  /** A temporary folder, with whatever else the test puts there. */
  readonly folder: string;
  /** The copy, a folder in that one. */
  readonly example: string;
  /** The oldest Node that it is for. */
  readonly node: string;
  /** An environment in which the command `node` is that one. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes all of it away. */
  remove(): Promise<void>;
}

/** Copies an example and installs the packed packages that it names. */
export async function install(
  name: string,
  packages: readonly string[],
): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const remove = () => rm(folder, { recursive: true });
  try {
    const example = join(folder, name);
    await cp(fileURLToPath(new URL(name, EXAMPLES)), example, {
      recursive: true,
    });
    const node = await nodeBinary(NODE_MAJORS[0]);
    const path = [dirname(node), process.env.PATH].join(delimiter);
    const env = { PATH: path };
    const built = await buildPackages(join(folder, "packages"));
    const tarballs = built.filter((it) => packages.includes(it.name));
    await npm(
      ["install", "--prefer-offline", ...tarballs.map((it) => it.path)],
      {
        cwd: example,
        env,
      },
    );
    return { folder, example, node, env, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
