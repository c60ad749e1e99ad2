/**
 * The command line: settings from the environment, then one of two modes.
 *
 * `MODE=seed` imports the directory at `DB_RAW_PATH` and ends; `MODE=listen`
 * answers requests until the process is told to stop. The exit status is 0, 1
 * if it failed, or 2 if the settings cannot be used.
 *
 * @module
 */
import { hostname } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import { atMost } from "./at_most.ts";
import { BUILD } from "./build.ts";
import { type Config, ConfigError, parseConfig, SETTINGS } from "./config.ts";
import { progressBar } from "./dne/progress_bar.ts";
import { DirectoryError, type FileReport, seed } from "./dne/seed.ts";
import { createHandler } from "./http/handler.ts";
import { configureLogs, defaultLogger, type Logger } from "./logger.ts";
import { reasonOf } from "./reason_of.ts";
import { serve } from "./server/serve.ts";
import { withoutMarks } from "./setting.ts";
import { DatabaseError, openStore, type Store } from "./store/mod.ts";
import { unknownSettings } from "./unknown_settings.ts";

export type { Config } from "./config.ts";

/** Imports the directory and ends. */
export async function runSeed(config: Config): Promise<void> {
  const logger = defaultLogger();
  const logFile = (report: FileReport) =>
    logger.info("Imported file", { ...report });
  const onTerminal = process.stderr.isTTY;
  // Nothing is answered, so that no snapshot is loaded.
  const store = await open({ ...config, snapshot: false }, logger);
  try {
    const { files, ...totals } = await seed({
      store,
      logger,
      directory: config.rawPath,
      maxRejectedPercent: config.maxRejectedPercent,
      maxDanglingPercent: config.maxDanglingPercent,
      maxShrinkPercent: config.maxShrinkPercent,
      holder: `process ${process.pid} on ${hostname()}, since ${
        new Date().toISOString()
      }`,
      // A bar and lines at the same time would get in each other's way.
      ...(onTerminal
        ? { onProgress: progressBar(writeToTerminal, Date.now) }
        : { onFile: logFile }),
    });
    if (onTerminal) files.forEach(logFile);
    logger.info("Imported directory", {
      ...totals,
      files: files.length,
      DB_PATH: config.databasePath,
    });
  } finally {
    await store.close();
  }
}

function open(config: Config, logger: Logger): Promise<Store> {
  const { databasePath: path, snapshot } = config;
  return openStore({ path, snapshot, logger });
}

function writeToTerminal(text: string): void {
  process.stderr.write(text);
}

/** Answers requests until the process is told to stop. */
export async function runListen(config: Config): Promise<void> {
  const logger = defaultLogger();
  const store = await open(config, logger);
  try {
    if (await store.release() === undefined) {
      logger.warn(
        "The database is empty: every lookup is answered 503 until a " +
          "directory is imported",
        { DB_PATH: config.databasePath, command: seedCommand(config) },
      );
    }
    const handler = createHandler({ store, config, logger });
    await serve({ ...config, handler, logger });
  } finally {
    await store.close();
  }
}

/** The command that imports a directory into the database. */
function seedCommand({ databasePath, rawPath }: Config): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return `MODE=seed DB_PATH=${quote(databasePath)} ` +
    `DB_RAW_PATH=${quote(rawPath)} cep`;
}

/**
 * Reads the settings, sets up the logs, runs a mode with both and tells the
 * exit status. The mode gets absolute paths.
 */
export async function run(
  env: Readonly<Record<string, string | undefined>>,
  mode: (config: Config) => Promise<void>,
): Promise<number> {
  let config: Config;
  try {
    config = withAbsolutePaths(parseConfig(env));
  } catch (error) {
    console.error(reasonOf(error));
    return error instanceof ConfigError ? 2 : 1;
  }
  configureLogs({
    format: config.logFormat,
    level: config.logLevel,
    write: console.log,
  });
  const logger = defaultLogger();
  warnOfUnknownSettings(env, logger);
  try {
    await mode(config);
    return 0;
  } catch (error) {
    logger.error("Stopped by an error", {
      error: reasonOf(error),
      ...settingsBehind(error, config),
    });
    return 1;
  }
}

function withAbsolutePaths(config: Config): Config {
  const { databasePath, rawPath } = config;
  return {
    ...config,
    // The name of a database that is no file.
    databasePath: databasePath === ":memory:"
      ? databasePath
      : resolve(databasePath),
    rawPath: resolve(rawPath),
  };
}

function warnOfUnknownSettings(
  env: Readonly<Record<string, string | undefined>>,
  logger: Logger,
): void {
  for (const { name, removed, nearest } of unknownSettings(env)) {
    if (removed) {
      logger.warn("Setting has no effect any more and can be removed", {
        setting: name,
      });
    } else {
      logger.warn("Unknown setting, ignored", {
        setting: name,
        ...(nearest === undefined ? {} : { did_you_mean: nearest }),
      });
    }
  }
}

/** The settings that an error comes from, as they are written. */
function settingsBehind(
  error: unknown,
  { databasePath, rawPath }: Config,
): Record<string, string> {
  if (error instanceof DirectoryError) return { DB_RAW_PATH: rawPath };
  if (error instanceof DatabaseError) return { DB_PATH: databasePath };
  return {};
}

function help(): string {
  const rows = Object.values(SETTINGS).map((it) => {
    const names = it.alias ? `${it.name} or ${it.alias}` : it.name;
    const values = `${it.values.en} (default: ${it.default || "none"})`;
    return `  ${names}\n      ${withoutMarks(`${it.help.en}: ${values}`)}`;
  });
  return `Usage: MODE=seed|listen cep [-h | --help] [-v | --version]

Imports the Brazilian postal code directory (DNE) and answers from it.
Everything is set by environment variables:

${rows.join("\n")}
`;
}

/**
 * Runs the command line and tells the exit status, once everything that was
 * printed is out.
 */
export async function main(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  // Who reads the log may leave, and its disk be full: on Node an error that
  // nobody listens to would end the process.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => {});
  }
  const status = await obey(args, env);
  await flush();
  return status;
}

/** Milliseconds for which a reader of the output may keep the process. */
const FLUSH_MS = 1000;

/** Node writes to a pipe in the background, and would lose it by exiting. */
async function flush(): Promise<void> {
  const all = [written(process.stdout), written(process.stderr)];
  await atMost(FLUSH_MS, Promise.all(all));
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

async function obey(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const [argument, extra] = args;
  if (extra !== undefined) {
    console.error(`Cannot use the argument "${extra}": one is all it takes`);
    return 2;
  }
  if (argument === "-h" || argument === "--help") {
    console.log(help());
    return 0;
  }
  if (argument === "-v" || argument === "--version") {
    const { version, commit, repo } = BUILD;
    console.log(`cep ${version} (commit ${commit}, ${repo})`);
    return 0;
  }
  if (argument !== undefined) {
    console.error(`Cannot use the argument "${argument}": see --help`);
    return 2;
  }
  return await run(
    env,
    (config) => config.mode === "seed" ? runSeed(config) : runListen(config),
  );
}

// Not awaited at the top: CommonJS cannot require a module that waits.
if (import.meta.main) {
  main(process.argv.slice(2), process.env)
    .then((status) => process.exit(status));
}
