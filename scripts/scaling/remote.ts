/**
 * Service on a libSQL server (`sqld`), and replicas of its database.
 *
 * @module
 */
import { mkdir, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { installSqld } from "../../tests/cluster/_sqld.ts";
import { type Programs, randomPort, type Server } from "../bench/programs.ts";
import { CountingLink } from "./counting_link.ts";
import { generateNext, swapOf } from "./measure_swaps.ts";
import type { Swap, WayName } from "./measurements.ts";
import { drawPaths } from "./paths.ts";
import { readProcessorTime } from "./process_usage.ts";
import { round } from "./round.ts";
import { service, type Way } from "./ways.ts";
import { watchSwap } from "./watch_swap.ts";

/** Seconds that a replica may take for its first copy. */
const PATIENCE = 600;

/** Server of a database, which all ways share. */
export class Primary {
  readonly #programs: Programs;
  readonly #stack: AsyncDisposableStack;
  readonly #pinned: boolean;
  #server: Promise<Server> | undefined;

  /** Its server ends with the stack, and runs on the core of other servers. */
  constructor(
    programs: Programs,
    stack: AsyncDisposableStack,
    { pinned = true }: { readonly pinned?: boolean } = {},
  ) {
    this.#programs = programs;
    this.#stack = stack;
    this.#pinned = pinned;
  }

  /** Starts it on the first call, and imports the DNE of the plan. */
  start(): Promise<Server> {
    return this.#server ??= this.#start();
  }

  async #start(): Promise<Server> {
    const programs = this.#programs;
    const port = randomPort();
    const folder = `${programs.folder}/primary-${port}`;
    await mkdir(folder);
    this.#stack.defer(() => rm(folder, { recursive: true, force: true }));
    const server = this.#stack.use(
      await programs.startServer({
        path: "/health",
        port,
        command: [
          await installSqld(),
          "--no-welcome",
          ...["--db-path", `${folder}/data`],
          ...["--http-listen-addr", `127.0.0.1:${port}`],
        ],
        settings: { RUST_LOG: "off" },
        pinned: this.#pinned,
      }),
    );
    await this.seed(await programs.generate(), server);
    return server;
  }

  /** Imports a DNE. */
  async seed(directory: string, server?: Server): Promise<void> {
    const { url } = server ?? await this.start();
    // An empty variable counts as unset.
    await this.#programs.seed(directory, "", { env: { DB_URL: url } });
  }
}

/** Settings of a server without a folder, and of a replica. */
const remote = (url: string) => ({ DB_PATH: "", DB_URL: url });
const replica = (url: string, folder: string) => ({
  DB_PATH: `${folder}/replica`,
  DB_URL: url,
  DB_SYNC_SECONDS: "1",
});

/** Ways that need a primary. */
export function remoteWays(
  primary: Primary,
): Readonly<Partial<Record<WayName, Way>>> {
  const way =
    (settingsFor: (url: string) => Record<string, string>): Way =>
    async (options, stack) => {
      const behind = await primary.start();
      const settings = settingsFor(behind.url);
      return { ...await service(settings, PATIENCE)(options, stack), behind };
    };
  return {
    "replica": async (options, stack) => {
      const { folder } = options.programs;
      await rm(`${folder}/replica`, { recursive: true, force: true });
      return await way((url) => replica(url, folder))(options, stack);
    },
    "remote": way(remote),
    "remote-queries": way((url) => ({
      ...remote(url),
      API_SNAPSHOT: "false",
    })),
  };
}

/** Resolves when a link carries little more than polls. */
async function settled(link: CountingLink): Promise<void> {
  for (let before = -Infinity; link.bytes - before > 100_000;) {
    before = link.bytes;
    await delay(2000);
  }
}

/** Imports releases into a primary, which a replica and a server follow. */
export async function measureRemoteSwaps(programs: Programs): Promise<Swap[]> {
  await using stack = new AsyncDisposableStack();
  const primary = new Primary(programs, stack, { pinned: false });
  const { url, pid } = await primary.start();
  const { path } = await drawPaths(programs, await programs.imported());
  const directories = [
    await generateNext(programs),
    await programs.generate(),
  ] as const;
  const swaps: Swap[] = [];
  for (
    const [text, settingsFor] of [
      ["embedded replica, `DB_SYNC_SECONDS=1`", replica],
      ["remote database", remote],
    ] as const
  ) {
    const link = stack.use(await CountingLink.open(url));
    await rm(`${programs.folder}/replica`, { recursive: true, force: true });
    const busyBefore = await readProcessorTime(pid);
    // The first copy is as large as all others.
    const settings = settingsFor(link.url, programs.folder);
    const options = { path, settings, patience: PATIENCE };
    const server = stack.use(await programs.startServer(options));
    await settled(link);
    const { bytes } = link;
    const busy = await readProcessorTime(pid) - busyBefore;
    const directory = directories[swaps.length % 2]!;
    const change = () =>
      watchSwap(server.url + path, () => primary.seed(directory));
    swaps.push({
      // An import takes too long for several turns.
      ...await swapOf(text, 1, change),
      transferred: Math.round(bytes / 1e6),
      primary: round(busy),
    });
  }
  return swaps;
}
