/**
 * Servers that answer lookups, each in its own way.
 *
 * @module
 */
import { join } from "node:path";
import { buildPackages } from "../npm/build.ts";
import { COMMAND_FILE } from "../npm/complete.ts";
import { npm } from "../process.ts";
import { nodeBinary } from "../runtimes/node.ts";
import type { Database, Programs, Server } from "../bench/programs.ts";
import { SCRIPT as BARE_SERVER } from "../bench/lookups.ts";
import type { WayName } from "./measurements.ts";

/** Version of Node to measure. */
export const NODE_MAJOR = 24;

/** Options of a {@linkcode Way}. */
export interface WayOptions {
  readonly programs: Programs;
  readonly database: Database;
  /** File with the paths of random CEPs. */
  readonly paths: string;
  /** Path that is in {@linkcode paths}. */
  readonly path: string;
}

/** Server and what it needs. */
export interface Started {
  readonly server: Server;
  /** Server behind it: the primary of its database, or an instance. */
  readonly behind?: Server;
  /** File with the paths to request, if they differ. */
  readonly paths?: string;
}

/** Starts a server, which the stack stops. */
export type Way = (
  options: WayOptions,
  stack: AsyncDisposableStack,
) => Promise<Started>;

/** Ways that need nothing but this repository. */
export const LOCAL_WAYS: Readonly<Partial<Record<WayName, Way>>> = {
  "deno": service(),
  "deno-queries": service({ API_SNAPSHOT: "false" }),
  "node": startNode,
  "bare": async ({ programs, path }, stack) => {
    const args = ["-A", BARE_SERVER];
    const server = await programs.startServer({ path, args, pinned: true });
    return { server: stack.use(server) };
  },
};

/** Service on Deno, as `deno task start` runs it. */
export function service(
  settings: Readonly<Record<string, string>> = {},
  patience = 30,
): Way {
  return async ({ programs, database, path }, stack) => {
    const server = await programs.startServer({
      path,
      settings: { DB_PATH: database.path, ...settings },
      pinned: true,
      patience,
    });
    return { server: stack.use(server) };
  };
}

/** Service on Node, from its package. */
async function startNode(
  { programs, database, path }: WayOptions,
  stack: AsyncDisposableStack,
): Promise<Started> {
  const server = await programs.startServer({
    path,
    settings: { DB_PATH: database.path },
    command: [
      await nodeBinary(NODE_MAJOR),
      "--max-semi-space-size=1",
      await installPackage(programs),
    ],
    pinned: true,
  });
  return { server: stack.use(server) };
}

/** Packs and installs `@carteiro/cep`. Returns the path of its command. */
async function installPackage({ folder }: Programs): Promise<string> {
  const packages = await buildPackages(`${folder}/packages`);
  const { path } = packages.find(({ name }) => name === "@carteiro/cep")!;
  const home = `${folder}/installed`;
  await npm(["install", "--prefix", home, "--prefer-offline", path]);
  return join(home, "node_modules/@carteiro/cep", COMMAND_FILE);
}
