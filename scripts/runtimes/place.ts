/** A clean folder with the built packages, and all that their tests need. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../deno.json" with { type: "json" };
import { buildPackages } from "../npm/build.ts";
import { withInstalled } from "../npm/install.ts";
import { npmRange } from "../npm/npm_name.ts";
import { ROOT } from "../root.ts";
import { TemporaryFolder } from "../temporary_folder.ts";

/** Packages that tests import. */
const TOOLS = [
  "@logtape/logtape",
  "@std/assert",
  "ajv",
  "fast-check",
  "fast-xml-parser",
  "jose",
  "oidc-provider",
] as const;

/** Folders of files that tests read. */
const DATA = ["samples", "tests/oauth2/vectors"];

/** Folders of translated modules. */
const MODULES = ["scripts", "tests"];

/**
 * Builds the packages and installs them into a folder, which lives as long as
 * its use.
 */
export async function withPlace<T>(
  use: (folder: string) => Promise<T>,
): Promise<T> {
  await using tarballs = await TemporaryFolder.make("tarballs");
  const packages = await buildPackages(tarballs.path);
  const tools = TOOLS.map((name) => npmRange(manifest.imports[name]));
  return await withInstalled(packages, async ({ folder }) => {
    await furnish(folder);
    return await use(folder);
  }, { tools });
}

/** Puts beside the packages what is not installed. */
async function furnish(folder: string): Promise<void> {
  for (const path of DATA) {
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  }
  for (const path of MODULES) {
    await mkdir(join(folder, path), { recursive: true });
    await writeFile(
      join(folder, path, "package.json"),
      JSON.stringify({ type: "module" }),
    );
  }
}
