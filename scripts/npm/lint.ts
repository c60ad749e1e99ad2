/** What tools that know the mistakes of packages say of a tarball. */
import { resolve } from "node:path";
import process from "node:process";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { run } from "../command.ts";
import { ROOT } from "../root.ts";
import type { Package } from "./build.ts";
import { readTarball } from "./tarball.ts";

/** @throws {Error} With all complaints about the package, if there are any. */
export async function lintPackage(pack: Package): Promise<void> {
  await lintManifest(pack);
  await lintTypes(pack);
}

/** Entry points, formats and metadata. */
async function lintManifest({ name, path }: Package): Promise<void> {
  // The tool finds files by their paths, so there must be a folder, any one.
  const pkgDir = resolve("package");
  const files = [...await readTarball(path)]
    .map(([file, data]) => ({ name: `${pkgDir}/${file}`, data }));
  const { messages, pkg } = await publint({
    pkgDir,
    pack: { files },
    level: "suggestion",
    strict: true,
  });
  if (messages.length === 0) return;
  const lines = messages.map((it) => formatMessage(it, pkg, { color: false }));
  throw new Error(`Cannot approve ${name}: publint says\n${lines.join("\n")}`);
}

/** Declarations, as TypeScript finds them from everywhere. */
async function lintTypes({ path }: Package): Promise<void> {
  await run(process.execPath, [
    "run",
    "-A",
    "@arethetypeswrong/cli",
    path,
    // The packages are ES modules alone. The rules left out are of the years
    // when `require` could not have them, which every Node in `engines` can,
    // and of a resolution that does not know subpaths.
    "--profile=esm-only",
    "--format=ascii",
  ], { cwd: ROOT });
}
