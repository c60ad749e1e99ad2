import { availableParallelism, hostname } from "node:os";
import process from "node:process";
import type { Config } from "../settings/config.ts";
import type { Logger } from "../util/logger.ts";
import { type Freshness, openStore, type Store } from "../store/mod.ts";
import { searchesIn } from "../store/open_store.ts";
import { openReplica } from "../store/replica.ts";
import type { SharedParts } from "../release/release_parts.ts";

/** Modes that write releases, and do nothing else meanwhile. */
const IMPORTS: ReadonlySet<Config["mode"]> = new Set<Config["mode"]>([
  "seed",
  "update",
  "upgrade",
]);

/** Modes that read the release of the primary once. */
const SYNCED: ReadonlySet<Config["mode"]> = new Set<Config["mode"]>([
  "export",
  "match",
  "compare",
]);

/** Modes whose searches run in threads of their own. */
const THREADED: ReadonlySet<Config["mode"]> = new Set<Config["mode"]>([
  "listen",
  "match",
]);

/** Most threads that search for a table: the main thread feeds no more. */
const MOST_FOR_TABLE = 8;

/**
 * Number of threads that search for a thread that answers requests, for which
 * one processor is left. The rows of a table leave the main thread idle.
 */
function searchThreadsIn({ mode, workers }: Config): number {
  if (!THREADED.has(mode)) return 0;
  try {
    const processors = availableParallelism();
    if (mode === "match") return Math.min(processors, MOST_FOR_TABLE);
    return Math.max(1, Math.floor((processors - 1) / workers));
  } catch {
    return 1; // A runtime may not permit to ask.
  }
}

/** Options of {@linkcode openDatabase}. */
interface OpenOptions {
  /** Returns the age of release files that come from elsewhere. */
  readonly freshness?: () => Freshness | undefined;
  /** Parts of releases that other threads read, too. */
  readonly parts?: SharedParts | undefined;
}

/**
 * Opens the database at `DB_URL` or `DB_PATH`. With both, it is a replica in
 * the folder, which a server follows, and other modes sync once.
 */
export async function openDatabase(
  config: Config,
  logger: Logger,
  { freshness = () => undefined, parts }: OpenOptions = {},
): Promise<Store> {
  const { databasePath: path, databaseUrl: url, databaseToken } = config;
  const { mode, snapshot, search, syncSeconds } = config;
  const searchThreads = searchThreadsIn(config);
  const options = { snapshot, search, searchThreads, parts, logger };
  const authToken = databaseToken;
  if (url === "") {
    const writesInThread = IMPORTS.has(mode);
    return await openStore({ ...options, path, freshness, writesInThread });
  }
  if (path === "") return await openStore({ ...options, url, authToken });
  const store = await openReplica({
    ...options,
    path,
    url,
    authToken,
    syncSeconds,
    holder: processName(),
    searches: searchesIn(searchThreads, logger),
  });
  if (mode === "listen") store.follow();
  else if (SYNCED.has(mode)) await store.sync();
  return store;
}

/** Returns true if the database is a replica in a folder. */
export function isReplica(
  { databasePath, databaseUrl }: Pick<Config, "databasePath" | "databaseUrl">,
): boolean {
  return databasePath !== "" && databaseUrl !== "";
}

/** Returns the setting that names the database, for logs. */
export function databaseSetting(
  { databasePath, databaseUrl }: Pick<Config, "databasePath" | "databaseUrl">,
): Record<string, string> {
  return databaseUrl === ""
    ? { DB_PATH: databasePath }
    : { DB_URL: databaseUrl };
}

/** Returns the name of the database, for messages. */
export function databaseName(
  { databasePath, databaseUrl }: Pick<Config, "databasePath" | "databaseUrl">,
): string {
  return databaseUrl === "" ? databasePath : databaseUrl;
}

/** Returns the name of this process, for another import that must wait. */
export function processName(): string {
  const now = new Date().toISOString();
  return `process ${process.pid} on ${hostname()}, since ${now}`;
}

/** Returns the settings that name the files, as the environment has them. */
export function sourceSettings(
  { rawPath, cnefePaths }: Pick<Config, "rawPath" | "cnefePaths">,
): Record<string, string> {
  return {
    ...(rawPath === "" ? {} : { DB_RAW_PATH: rawPath }),
    ...(cnefePaths.length === 0 ? {} : { CNEFE_PATH: cnefePaths.join(",") }),
  };
}
