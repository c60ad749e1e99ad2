/** Programs that scripts run. */
import { spawn } from "node:child_process";
import process from "node:process";

/** Options of {@linkcode run}. */
export interface RunOptions {
  /** Folder to run in. */
  readonly cwd?: string;
  /** Variables beside those of this process; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends the program; the call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a program to its end.
 *
 * @returns What it printed to its standard output.
 * @throws {Error} With everything it printed, if it fails or cannot be run.
 */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env = {}, signal }: RunOptions = {},
): Promise<string> {
  signal?.throwIfAborted();
  const line = [program, ...args].join(" ");
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // The commands of npm are scripts there, which only a shell can run.
    shell: process.platform === "win32" && !program.endsWith(".exe"),
  });
  const ended = Promise.withResolvers<number | null>();
  child.once("error", (cause) => {
    const message = `Cannot run ${line}: is "${program}" installed?`;
    ended.reject(new Error(message, { cause }));
  });
  child.once("close", ended.resolve);
  const end = () => void child.kill();
  signal?.addEventListener("abort", end, { once: true });
  let out = "";
  let all = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    all += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => all += text);
  const status = await ended.promise
    .finally(() => signal?.removeEventListener("abort", end));
  signal?.throwIfAborted();
  if (status === 0) return out;
  throw new Error(`Cannot run ${line}: status ${status}\n${all}`);
}

/** Runs npm, without what it says about money and security. */
export function npm(
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  // First, for what comes last may be for a command that npm runs.
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return run("npm", [...quiet, ...args], options);
}
