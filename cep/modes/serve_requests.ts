import type { Config } from "../settings/config.ts";
import type { OtherFigures } from "../http/figures.ts";
import { quotaOf } from "../http/middleware/rate_limit.ts";
import { docs } from "../http/routes/docs.ts";
import { loadMcp, mcp } from "../http/routes/mcp.ts";
import { RateLimiter, type RateLimitStore } from "../http/rate_limiter.ts";
import { createServiceHandler } from "../http/service_handler.ts";
import type { Logger } from "../util/logger.ts";
import { EventLoopLag } from "../serve/event_loop_lag.ts";
import { openLimits } from "../serve/limits/open_limits.ts";
import { type Parent, serve } from "../serve/serve.ts";
import {
  type Freshness,
  OutdatedError,
  type Store,
  UnreachableError,
} from "../store/mod.ts";
import type { SharedParts } from "../release/release_parts.ts";
import {
  databaseSetting,
  isReplica,
  openDatabase,
  sourceSettings,
} from "./open_database.ts";

/** Things that a thread shares with the others on its port. */
export interface Sharing {
  readonly parent: Parent;
  readonly others: OtherFigures;
  readonly parts: SharedParts;
  /** Memory of the quotas of clients. */
  readonly quotas: ArrayBufferLike;
  /** Clock of all threads, in milliseconds. */
  readonly now: () => number;
}

/** Options of {@linkcode serveRequests}. */
interface ServeRequestsOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Follower of releases; in all threads but the first, its age alone. */
  readonly follower?: {
    freshness(): Freshness | undefined;
    start?(): void;
    stop?(): Promise<void>;
  } | undefined;
  /**
   * Things that this thread shares with others.
   *
   * @default {nothing: it is alone}
   */
  readonly sharing?: Sharing;
}

/** Serves requests in this thread until it is stopped. */
export async function serveRequests(
  { config, logger, follower, sharing }: ServeRequestsOptions,
): Promise<void> {
  const freshness = () => follower?.freshness();
  const parts = sharing?.parts;
  const store = await openDatabase(config, logger, { freshness, parts });
  const limits = await limitsOf(config, logger, sharing);
  const lag = new EventLoopLag();
  try {
    const agents = config.mcp ? mcp(await loadMcp()) : undefined;
    if (follower !== undefined) follower.start?.();
    else await warnOfMissingData(store, config, logger);
    const handler = createServiceHandler({
      store,
      config,
      logger,
      docs,
      ...(agents && { mcp: agents }),
      eventLoopLag: () => lag.takeLongest(),
      ...(limits && { limits }),
      ...(sharing && { others: sharing.others, now: sharing.now }),
    });
    await serve({ ...config, handler, logger, parent: sharing?.parent });
  } finally {
    await follower?.stop?.();
    lag.stop();
    limits?.close?.();
    await store.close();
  }
}

/** Returns the limits that other threads or instances share, if any. */
async function limitsOf(
  config: Config,
  logger: Logger,
  sharing: Sharing | undefined,
): Promise<RateLimitStore & { close?(): void } | undefined> {
  if (!config.rateLimit) return undefined;
  if (config.rateLimitStore !== "") return await openLimits({ config, logger });
  if (sharing === undefined) return undefined;
  return new RateLimiter({ ...quotaOf(config), memory: sharing.quotas });
}

/**
 * Warns of an empty database, of one that cannot be reached yet, and of a
 * release that must be upgraded.
 *
 * @throws {DatabaseError} If the database cannot be used.
 */
async function warnOfMissingData(
  store: Store,
  config: Config,
  logger: Logger,
): Promise<void> {
  if (isReplica(config)) {
    // An unusable copy is replaced.
    if (await store.release().catch(() => undefined) !== undefined) return;
    logger.warn(
      "Lookups return 503 until the release of the server has been copied",
      { DB_URL: config.databaseUrl, DB_PATH: config.databasePath },
    );
    return;
  }
  try {
    if (await store.release() !== undefined) return;
    logger.warn(
      "The database is empty: lookups return 503 until data are imported",
      { ...databaseSetting(config), ...seedCommands(config) },
    );
  } catch (error) {
    if (error instanceof OutdatedError) {
      // A supervisor would start a process that ends again and again.
      logger.error("Lookups return 503 until the release is upgraded", {
        ...databaseSetting(config),
        error: error.message,
        command: commandOf("upgrade", databaseSetting(config)),
      });
      return;
    }
    if (!(error instanceof UnreachableError)) throw error;
    logger.warn("Lookups return 503 until the database can be reached", {
      ...databaseSetting(config),
      error: error.message,
    });
  }
}

/** Returns the command that imports data, and the one that needs no DNE. */
function seedCommands(config: Config): Record<string, string> {
  return {
    command: seedCommand(config, sourceSettings(config)),
    ...(config.cnefePaths.length > 0 ? {} : {
      commandWithoutDne: seedCommand(config, { CNEFE_PATH: "./cnefe" }),
    }),
  };
}

function seedCommand(
  config: Config,
  sources: Readonly<Record<string, string>>,
): string {
  return commandOf("seed", { ...databaseSetting(config), ...sources });
}

function commandOf(
  mode: Config["mode"],
  settings: Readonly<Record<string, string>>,
): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    `MODE=${mode}`,
    ...Object.entries(settings).map(([name, value]) =>
      `${name}=${quote(value)}`
    ),
    "cep",
  ].join(" ");
}
