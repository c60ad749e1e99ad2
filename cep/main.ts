/**
 * Command line: a command such as `serve` or `seed`, or the mode of `MODE`, and
 * settings from flags and the environment.
 *
 * The exit code is 0 on success, 1 on failure, 2 for an invalid setting or
 * argument, 3 for an import that was refused because of its files, and 128 plus
 * its number for a signal that stopped an import.
 *
 * @module
 */
import { resolve } from "node:path";
import process from "node:process";
import { atMost } from "./util/at_most.ts";
import { BUILD } from "./build.ts";
import {
  ArgumentError,
  type CommandLine,
  helpText,
  readCommandLine,
  systemLanguage,
  withSettings,
} from "./settings/command_line.ts";
import { type Config, ConfigError, parseConfig } from "./settings/config.ts";
import { configureLogs, defaultLogger, type Logger } from "./util/logger.ts";
import { isRefusal } from "./import/errors.ts";
import { OutputError } from "./import/compare/new_file.ts";
import { runCompare } from "./modes/compare.ts";
import { runExport } from "./modes/export.ts";
import { runMatch } from "./modes/match.ts";
import { runListen } from "./modes/listen.ts";
import { databaseSetting, sourceSettings } from "./modes/open_database.ts";
import { runSeed } from "./modes/seed.ts";
import { StoppedError } from "./modes/stoppable.ts";
import { runUpdate } from "./modes/update.ts";
import { runUpgrade } from "./modes/upgrade.ts";
import { reasonOf } from "./util/reason_of.ts";
import { ReleaseFolderError } from "./store/follow/release_folder.ts";
import { CensusError, DirectoryError, InputsError } from "./import/seed.ts";
import { SiteError } from "./export/static/site_folder.ts";
import { DatabaseError } from "./store/mod.ts";
import { TableError } from "./tables/columns.ts";
import { unknownSettings } from "./settings/unknown_settings.ts";

export type { Config } from "./settings/config.ts";

/** Every mode, by the value of `MODE`. */
const MODES: Readonly<
  Record<Config["mode"], (config: Config) => Promise<void>>
> = {
  listen: runListen,
  seed: runSeed,
  export: runExport,
  update: runUpdate,
  upgrade: runUpgrade,
  match: runMatch,
  compare: runCompare,
};

/** Modes whose standard output is data; they log to standard error. */
const DATA_MODES: ReadonlySet<Config["mode"]> = new Set<Config["mode"]>([
  "export",
  "match",
  "compare",
]);

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
    write: DATA_MODES.has(config.mode) ? console.error : console.log,
  });
  const logger = defaultLogger();
  warnOfUnknownSettings(env, logger);
  try {
    await mode(config);
    return 0;
  } catch (error) {
    if (error instanceof StoppedError) {
      logger.warn("Stopped by a signal", { signal: error.signal });
      return error.exitCode;
    }
    logger.error("Stopped by an error", {
      error: reasonOf(error),
      ...settingOf(error, config),
    });
    return isRefusal(error) ? 3 : 1;
  }
}

function withAbsolutePaths(config: Config): Config {
  const { databasePath, rawPath, cnefePaths, exportPath } = config;
  return {
    ...config,
    databasePath: ["", ":memory:"].includes(databasePath) // not a path
      ? databasePath
      : resolve(databasePath),
    rawPath: rawPath === "" ? "" : resolve(rawPath),
    cnefePaths: cnefePaths.map((path) => resolve(path)),
    exportPath: resolve(exportPath),
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

/** Errors of the files of an import. */
const INPUT_ERRORS = [DirectoryError, CensusError, InputsError];

/** Returns the setting that an error refers to, with its value. */
function settingOf(
  error: unknown,
  config: Config,
): Record<string, string> {
  const { exportPath, matchInput } = config;
  if (INPUT_ERRORS.some((it) => error instanceof it)) {
    return sourceSettings(config);
  }
  if (error instanceof TableError) return { MATCH_INPUT: matchInput };
  if (error instanceof OutputError) {
    return { COMPARE_OUTPUT: resolve(config.compareOutput) };
  }
  if (error instanceof DatabaseError) return databaseSetting(config);
  if (error instanceof SiteError || error instanceof ReleaseFolderError) {
    return { EXPORT_PATH: exportPath };
  }
  return {};
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
  let command: CommandLine;
  try {
    command = readCommandLine(args);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    console.error(error.message);
    return 2;
  }
  if (command.wantsHelp) {
    console.log(helpText(systemLanguage()));
    return 0;
  }
  if (command.wantsVersion) {
    const { version, commit, repo } = BUILD;
    console.log(`cep ${version} (commit ${commit}, ${repo})`);
    return 0;
  }
  return await run(
    withSettings(env, command.settings),
    (config) => MODES[config.mode](config),
  );
}

// No top-level await: CommonJS cannot `require` a module that has one.
if (import.meta.main) {
  main(process.argv.slice(2), process.env)
    .then((exitCode) => process.exit(exitCode));
}
