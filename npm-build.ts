/**
 * Builds the packages for npm into `npm/`, and tries them as their users will:
 * installed into a clean folder, under their compilers, on Node.
 */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPackages } from "./scripts/npm/build.ts";
import { checkTypes, COMPILED, TYPE_TOOLS } from "./scripts/npm/check_types.ts";
import { type Installation, withInstalled } from "./scripts/npm/install.ts";
import { lintPackage } from "./scripts/npm/lint.ts";
import { settle } from "./scripts/npm/settle.ts";
import { summarize } from "./scripts/npm/summary.ts";
import {
  tryCommands,
  tryImports,
  tryPrograms,
} from "./scripts/npm/try_node.ts";
import { NODE_MAJORS, nodeBinary } from "./scripts/runtimes/node.ts";

const FOLDER = fileURLToPath(new URL("npm/", import.meta.url));

await removeTarballs();
const packages = await buildPackages(FOLDER);
await settle([
  ...packages.map(lintPackage),
  withInstalled(packages, tryInstallation, { tools: TYPE_TOOLS }),
]);
for (const pack of packages) console.log(await summarize(pack));

async function tryInstallation(installation: Installation): Promise<void> {
  await checkTypes(installation);
  for (const major of [NODE_MAJORS[0], NODE_MAJORS.at(-1)!]) {
    const node = await nodeBinary(major);
    await tryImports(installation, node);
    await tryPrograms(installation, { node, programs: COMPILED });
    await tryCommands(installation, node);
  }
}

/** Takes away those of other versions, lest they be published. */
async function removeTarballs(): Promise<void> {
  for (const name of await readdir(FOLDER).catch(() => [])) {
    if (name.endsWith(".tgz")) await rm(join(FOLDER, name));
  }
}
