/**
 * Programs under test, run on the runtime of the tests: from the sources on
 * Deno, from the installed packages elsewhere.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import {
  type Child,
  type Command,
  type Output,
  outputOf as outputOfProcess,
  start as startProcess,
} from "../scripts/process.ts";
import { ROOT } from "../scripts/root.ts";

const PACKAGES = join(ROOT, "node_modules", "@carteiro");
const ON_DENO = process.versions.deno !== undefined;

/** Environment variables. */
export type Environment = Readonly<Record<string, string>>;

/** Command line of the service. */
export function cepCommand(...args: string[]): Command {
  if (ON_DENO) {
    return [process.execPath, "run", "-A", join(ROOT, "cep/main.ts"), ...args];
  }
  const folder = join(PACKAGES, "cep");
  const { bin } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return [process.execPath, join(folder, bin.cep), ...args];
}

/** Returns a command that runs the code of a module. */
export function codeCommand(code: string): Command {
  if (ON_DENO) return [process.execPath, "eval", code];
  const asModule = process.versions.bun ? [] : ["--input-type=module"];
  return [process.execPath, ...asModule, "--eval", code];
}

/** Returns the URL of a module of the packages, by the path of its source. */
export function moduleUrl(source: `${"cep" | "oauth2"}/${string}.ts`): string {
  const path = ON_DENO
    ? join(ROOT, source)
    : join(PACKAGES, source.replace(/\.ts$/, ".js"));
  return pathToFileURL(path).href;
}

/** Environment variables that a program needs to run, without settings. */
const NEEDED = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME", "TMPDIR"];

/** Starts a program with only these settings. */
export function start(
  command: Command,
  settings?: Environment,
  cwd: string = ROOT,
): Child {
  return startProcess(command, { ...optionsFor(settings), cwd });
}

/** Runs a program to its end with only these settings. */
export function outputOf(
  command: Command,
  settings?: Environment,
): Promise<Output> {
  return outputOfProcess(command, optionsFor(settings));
}

function optionsFor(settings: Environment = {}) {
  const needed = NEEDED.map((name) => [name, process.env[name]]);
  const env = { NO_COLOR: "1", ...Object.fromEntries(needed), ...settings };
  return { cwd: ROOT, env, clearEnv: true };
}
