/**
 * Static site of a release, served by nginx.
 *
 * @module
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { type Programs, randomPort } from "../bench/programs.ts";
import { nginxCommand } from "./nginx.ts";
import type { Way } from "./ways.ts";

/** Writes the static site of a release. */
export async function exportSite(
  programs: Programs,
  databasePath: string,
  site: string,
): Promise<void> {
  await programs.seed("", databasePath, {
    env: { MODE: "export", EXPORT_FORMAT: "static", EXPORT_PATH: site },
  });
}

/** Static site, in files of the CEPs with equal first five digits. */
export const serveSite: Way = async (
  { programs, database, paths, path },
  stack,
) => {
  const home = `${programs.folder}/site-server`;
  const port = randomPort();
  const command = await nginxCommand(
    home,
    `server {
      listen 127.0.0.1:${port};
      root site;
      gzip_static on;
      location / { add_header Cache-Control max-age=300; }
    }`,
  );
  const site = `${home}/site`;
  // An export refuses a folder with other files, such as compressed ones.
  await rm(site, { recursive: true, force: true });
  await exportSite(programs, database.path, site);
  await programs.run(["gzip", "-5", "--keep", "--recursive", site]);
  const file = `${home}/paths.txt`;
  const codes = await readFile(paths, "utf8");
  await writeFile(file, codes.replace(/...$/gm, ".json"));
  const server = await programs.startServer({
    path: path.replace(/...$/, ".json"),
    port,
    command,
    pinned: true,
  });
  return { server: stack.use(server), paths: file };
};
