/** A clean folder with the built packages, and all that their tests need. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../deno.json" with { type: "json" };
import { buildPackages } from "../npm/build.ts";
import { withInstalled } from "../npm/install.ts";
import { npmRange } from "../npm/npm_name.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

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
export async function withPlace(
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const tarballs = await mkdtemp(join(tmpdir(), "tarballs-"));
  try {
    const packages = await buildPackages(tarballs);
    const tools = TOOLS.map((name) => npmRange(manifest.imports[name]));
    await withInstalled(packages, async ({ folder }) => {
      await furnish(folder);
      await use(folder);
    }, { tools });
  } finally {
    await rm(tarballs, { recursive: true });
  }
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
