/**
 * Programs in processes of their own, on the runtime that runs the tests: from
 * the sources on Deno, from the installed packages elsewhere.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);
const PACKAGES = new URL("node_modules/@carteiro/", ROOT);
const ON_DENO = process.versions.deno !== undefined;

/** A program and what it is told. */
export type Command = readonly [program: string, ...args: string[]];

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string>>;

/** A process whose streams are all pipes. */
export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** How a process ended. */
export interface Ended {
  /** `null` if a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** The command line of the service. */
export function cepCommand(...args: string[]): Command {
  if (ON_DENO) {
    const main = fileURLToPath(new URL("cep/main.ts", ROOT));
    return [process.execPath, "run", "-A", main, ...args];
  }
  const folder = fileURLToPath(new URL("cep/", PACKAGES));
  const { bin } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return [process.execPath, join(folder, bin.cep), ...args];
}

/** Lines of code as a module. */
export function codeCommand(code: string): Command {
  if (ON_DENO) return [process.execPath, "eval", code];
  const asModule = process.versions.bun ? [] : ["--input-type=module"];
  return [process.execPath, ...asModule, "--eval", code];
}

/** Where a module of the packages is, by the path of its source. */
export function moduleUrl(source: `${"cep" | "oauth2"}/${string}.ts`): string {
  return ON_DENO
    ? new URL(source, ROOT).href
    : new URL(source.replace(/\.ts$/, ".js"), PACKAGES).href;
}

/** What a program needs of the environment to run, and no settings. */
const NEEDED = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME", "TMPDIR"];

/** Starts a program with these variables and no settings besides. */
export function start(
  [program, ...args]: Command,
  env: Environment = {},
): Child {
  const needed = NEEDED.map((name) => [name, process.env[name]] as const)
    .filter(([, value]) => value !== undefined);
  return spawn(program, args, {
    cwd: fileURLToPath(ROOT),
    env: { NO_COLOR: "1", ...Object.fromEntries(needed), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/**
 * Sends a signal to a process, unless it has ended. (`ChildProcess.kill` of
 * Deno says of every process that the signal ended it, of one that then ended
 * by itself too.)
 */
export function kill(child: Child, signal: NodeJS.Signals): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  process.kill(child.pid!, signal);
}

/** Resolves once a process has ended and all it wrote is read. */
export function endOf(child: Child): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
}

/** Everything that is written to a stream. */
async function textOf(stream: Readable): Promise<string> {
  let all = "";
  for await (const text of stream.setEncoding("utf8")) all += text;
  return all;
}

/** Runs a program to its end. */
export async function outputOf(
  command: Command,
  env?: Environment,
): Promise<Ended & { readonly stdout: string; readonly stderr: string }> {
  const child = start(command, env);
  child.stdin.end();
  const [ended, stdout, stderr] = await Promise.all([
    endOf(child),
    textOf(child.stdout),
    textOf(child.stderr),
  ]);
  return { ...ended, stdout, stderr };
}
