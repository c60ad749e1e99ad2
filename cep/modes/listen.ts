/**
 * `MODE=listen`: serves requests.
 *
 * @module
 */
import process from "node:process";
import type { Config } from "../config.ts";
import { createHandler } from "../http/handler.ts";
import { quotaOf } from "../http/middleware/rate_limit.ts";
import { openLimits, type SharedLimits } from "../limits/open_limits.ts";
import { SharedLimiter } from "../limits/shared_limiter.ts";
import { defaultLogger, type Logger, withProperties } from "../logger.ts";
import { reasonOf } from "../reason_of.ts";
import { createFollower } from "../releases/create_follower.ts";
import { EventLoopLag } from "../server/event_loop_lag.ts";
import { serve } from "../server/serve.ts";
import { Loans } from "../workers/loans.ts";
import { supervise } from "../workers/supervise.ts";
import { joinSupervisor, type WorkerLink } from "../workers/worker.ts";
import { type Store, UnreachableError } from "../store/mod.ts";
import { databaseSetting, isReplica, openDatabase } from "./open_database.ts";
import { processName } from "./process_name.ts";
import { sourceSettings } from "./source_settings.ts";

/** Serves requests until SIGTERM or SIGINT. */
export async function runListen(config: Config): Promise<void> {
  const logger = defaultLogger();
  if (config.workers === 1) return await serveRequests(config, logger);
  const link = joinSupervisor(process.env, logger);
  if (link === undefined) return await supervise(config, logger);
  try {
    await serveRequests(
      config,
      withProperties(logger, { worker: link.number }),
      link,
    );
  } catch (error) {
    link.failed(reasonOf(error));
    throw error;
  }
}

async function serveRequests(
  config: Config,
  logger: Logger,
  link?: WorkerLink,
): Promise<void> {
  const follower = createFollower(config, processName(), logger);
  const freshness = () => follower?.freshness();
  const store = await openDatabase(config, logger, freshness);
  const limits = await limitsOf(config, logger, link);
  const lag = new EventLoopLag();
  try {
    if (follower !== undefined) follower.start();
    else await warnOfMissingData(store, config, logger);
    const handler = createHandler({
      store,
      config,
      logger,
      eventLoopLag: () => lag.takeLongest(),
      ...(limits && { limits }),
      ...(link && { others: link }),
    });
    await serve({ ...config, handler, logger, parent: link });
  } finally {
    await follower?.stop();
    lag.stop();
    limits?.close();
    link?.close();
    await store.close();
  }
}

/** Milliseconds to wait for the supervisor, on a busy machine. */
const SUPERVISOR_MS = 1000;

/** Returns the limits that other processes share, if any. */
async function limitsOf(
  config: Config,
  logger: Logger,
  link: WorkerLink | undefined,
): Promise<SharedLimits | undefined> {
  if (!config.rateLimit) return undefined;
  if (config.rateLimitStore !== "") return await openLimits({ config, logger });
  if (link === undefined) return undefined;
  const quota = quotaOf(config);
  const shared = new SharedLimiter({
    quota,
    counter: link,
    logger,
    boundMs: SUPERVISOR_MS,
  });
  return new Loans(quota, shared, link);
}

/**
 * Warns of an empty database, and of one that cannot be reached yet.
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
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const settings = { ...databaseSetting(config), ...sources };
  return [
    "MODE=seed",
    ...Object.entries(settings).map(([name, value]) =>
      `${name}=${quote(value)}`
    ),
    "cep",
  ].join(" ");
}
