/**
 * Command line: settings from the environment, then one of two modes.
 *
 * `MODE=seed` imports the DNE at `DB_RAW_PATH`; `MODE=listen` serves requests
 * until the process is stopped. The exit code is 0 on success, 1 on failure and
 * 2 for an invalid setting or argument.
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

/** Imports the DNE. */
export async function runSeed(config: Config): Promise<void> {
  const logger = defaultLogger();
  const logFile = (report: FileReport) =>
    logger.info("Imported file", { ...report });
  const onTerminal = process.stderr.isTTY;
  // An import does not serve lookups, so it needs no snapshot.
  const store = await open({ ...config, snapshot: false }, logger);
  try {
    const { files, ...totals } = await seed({
      ...config,
      store,
      logger,
      directory: config.rawPath,
      holder: `process ${process.pid} on ${hostname()}, since ${
        new Date().toISOString()
      }`,
      // Log lines would break the progress bar.
      ...(onTerminal
        ? { onProgress: progressBar(writeToTerminal, Date.now) }
        : { onFile: logFile }),
    });
    if (onTerminal) files.forEach(logFile);
    logger.info("Imported DNE", {
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

/** Serves requests until SIGTERM or SIGINT. */
export async function runListen(config: Config): Promise<void> {
  const logger = defaultLogger();
  const store = await open(config, logger);
  try {
    if (await store.release() === undefined) {
      logger.warn(
        "The database is empty: lookups return 503 until the DNE is imported",
        { DB_PATH: config.databasePath, command: seedCommand(config) },
      );
    }
    const handler = createHandler({ store, config, logger });
    await serve({ ...config, handler, logger });
  } finally {
    await store.close();
  }
}

/** Returns the command that imports the DNE into the database. */
function seedCommand({ databasePath, rawPath }: Config): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return `MODE=seed DB_PATH=${quote(databasePath)} ` +
    `DB_RAW_PATH=${quote(rawPath)} cep`;
}

/**
 * Reads the settings, configures the logs and runs a mode. The mode gets
 * absolute paths.
 *
 * @returns The exit code.
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
      ...settingOf(error, config),
    });
    return 1;
  }
}

function withAbsolutePaths(config: Config): Config {
  const { databasePath, rawPath } = config;
  return {
    ...config,
    databasePath: databasePath === ":memory:" // not a path
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
      logger.warn("Setting no longer has an effect and can be removed", {
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

/** Returns the setting that an error refers to, with its value. */
function settingOf(
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

Imports the Brazilian address directory (DNE) and serves CEP lookups from it.
Settings are environment variables:

${rows.join("\n")}
`;
}

/**
 * Runs the command line and writes out all of its output.
 *
 * @returns The exit code.
 */
export async function main(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  // The reader of the log may exit, or its disk may be full. On Node, an error
  // event without a listener would end the process.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", () => {});
  }
  const exitCode = await execute(args, env);
  await flush();
  return exitCode;
}

/** Milliseconds to wait for a slow reader of the output. */
const FLUSH_MS = 1000;

/**
 * Waits until the output is written: Node writes to pipes in the background.
 */
async function flush(): Promise<void> {
  const streams = [process.stdout, process.stderr];
  await atMost(FLUSH_MS, Promise.all(streams.map(drain)));
}

function drain(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}

async function execute(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const [argument, extra] = args;
  if (extra !== undefined) {
    console.error(
      `Cannot use the argument "${extra}": at most one is allowed`,
    );
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
    console.error(
      `Cannot use the argument "${argument}": must be one of -h, --help, ` +
        "-v, --version",
    );
    return 2;
  }
  return await run(
    env,
    (config) => config.mode === "seed" ? runSeed(config) : runListen(config),
  );
}

// No top-level await: CommonJS cannot `require` a module that has one.
if (import.meta.main) {
  main(process.argv.slice(2), process.env)
    .then((exitCode) => process.exit(exitCode));
}
