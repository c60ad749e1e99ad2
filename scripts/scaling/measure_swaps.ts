/**
 * Changes of servers to another release.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { timed } from "../bench/harness.ts";
import { type Database, type Programs, randomPort } from "../bench/programs.ts";
import type { Swap } from "./measurements.ts";
import { nginxCommand } from "./nginx.ts";
import { drawPaths } from "./paths.ts";
import { round } from "./round.ts";
import { exportSite } from "./site.ts";
import { type Watched, watchSwap } from "./watch_swap.ts";

/** Measures the changes that need no database server. */
export async function measureSwaps(programs: Programs): Promise<Swap[]> {
  const database = await programs.imported();
  const next = await nextRelease(programs);
  return [
    await renamed(programs, [database, next]),
    await downloaded(programs, [database, next]),
    await exported(programs, [database, next]),
  ];
}

/** Imports the next release, with a row in a hundred changed, once. */
export async function nextRelease(programs: Programs): Promise<Database> {
  const { rows } = programs.plan;
  const path = `${programs.folder}/data-${rows}-next`;
  const file = `${path}/cep.db`;
  if (!existsSync(file)) {
    await programs.seed(await generateNext(programs), path);
  }
  return { path, file };
}

let next: Promise<string> | undefined;

/** Generates the next release on the first call. */
export function generateNext(programs: Programs): Promise<string> {
  return next ??= programs.generateRelease("--release", "1");
}

type Releases = readonly [Database, Database];

/** Makes the figures of changes in turns between two releases. */
export async function swapOf(
  text: string,
  turns: number,
  change: (turn: number) => Promise<Watched>,
): Promise<Omit<Swap, "transferred">> {
  const changes: Watched[] = [];
  for (let turn = 0; turn < turns; turn++) changes.push(await change(turn));
  const swap = {
    text,
    times: changes.map(({ time }) => round(time)),
    stalls: changes.map(({ stall }) => round(stall)),
  };
  console.error(swap);
  return swap;
}

/** Renames a release file into the folder of a server. */
async function renamed(programs: Programs, releases: Releases): Promise<Swap> {
  const { path } = await drawPaths(programs, releases[0]);
  const folder = `${programs.folder}/swapped`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await copyFile(releases[0].file, `${folder}/cep.db`);
  const settings = { DB_PATH: folder };
  await using server = await programs.startServer({ path, settings });
  const { size } = await stat(releases[0].file);
  const text = "release file renamed into `DB_PATH`";
  const swap = await swapOf(text, programs.plan.pairs, async (turn) => {
    await copyFile(releases[(turn + 1) % 2]!.file, `${folder}/incoming`);
    const publish = () => rename(`${folder}/incoming`, `${folder}/cep.db`);
    return await watchSwap(server.url + path, publish);
  });
  return { ...swap, transferred: Math.round(size / 1e6) };
}

/** Exports releases into a folder of nginx, of which a server takes them. */
async function downloaded(
  programs: Programs,
  releases: Releases,
): Promise<Swap> {
  const { path } = await drawPaths(programs, releases[0]);
  const home = `${programs.folder}/bucket`;
  const port = randomPort();
  await rm(home, { recursive: true, force: true });
  const command = await nginxCommand(
    home,
    `server { listen 127.0.0.1:${port}; root files; }`,
  );
  const publish = ({ path }: Database) =>
    programs.seed("", path, {
      env: {
        MODE: "export",
        EXPORT_FORMAT: "release",
        EXPORT_PATH: `${home}/files`,
      },
    });
  await publish(releases[0]);
  const [manifest = ""] = (await readdir(`${home}/files`))
    .filter((name) => name.endsWith(".json"));
  await using bucket = await programs.startServer({
    path: `/${manifest}`,
    port,
    command,
  });
  await using server = await programs.startServer({
    path,
    settings: {
      DB_PATH: `${home}/data`,
      RELEASE_URL: `${bucket.url}/`,
      RELEASE_POLL_SECONDS: "1",
    },
  });
  const { size } = await stat(releases[0].file);
  const text = "`RELEASE_URL`, polled each second";
  const swap = await swapOf(text, programs.plan.pairs, (turn) => {
    const release = releases[(turn + 1) % 2]!;
    return watchSwap(server.url + path, () => publish(release));
  });
  return { ...swap, transferred: Math.round(size / 1e6) };
}

/** Exports the next release into the folder of a static site. */
async function exported(programs: Programs, releases: Releases): Promise<Swap> {
  const site = `${programs.folder}/exported`;
  await exportSite(programs, releases[0].path, site);
  // Files that an export writes are newer than this.
  const before = Date.now();
  const time = await timed(() => exportSite(programs, releases[1].path, site));
  let bytes = 0;
  for (
    const entry of await readdir(site, { recursive: true, withFileTypes: true })
  ) {
    if (!entry.isFile()) continue;
    const { mtimeMs, size } = await stat(join(entry.parentPath, entry.name));
    if (mtimeMs >= before) bytes += size;
  }
  await rm(site, { recursive: true });
  return {
    text: "static site, `MODE=export` and the files that it writes",
    times: [round(time)],
    stalls: [],
    transferred: Math.round(bytes / 1e6),
  };
}
