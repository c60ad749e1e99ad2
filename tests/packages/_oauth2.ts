import { join } from "node:path";
import workspace from "../../deno.json" with { type: "json" };
import { type Files, pack } from "../../scripts/npm/build.ts";
import { complete } from "../../scripts/npm/complete.ts";
import { SOURCES } from "../../scripts/npm/packages.ts";
import { ROOT } from "../../scripts/root.ts";

/** Packs `oauth2` as it is on npm. */
export async function packOauth2(): Promise<Files> {
  const source = SOURCES.find(({ folder }) => folder === "oauth2")!;
  const home = join(ROOT, source.folder);
  const files = await pack(home);
  const { imports: importMap } = workspace;
  await complete(files, { source, home, repo: "", versions: {}, importMap });
  return files;
}
