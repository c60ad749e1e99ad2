/** Processes that scripts and tests start, on Deno as on Node. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";

/** Program and its arguments. */
export type Command = readonly [program: string, ...args: string[]];

/** Options of {@linkcode start}. */
export interface StartOptions {
  /**
   * Folder to run in.
   *
   * @default the folder of this process
   */
  readonly cwd?: string;
  /** Environment variables to set; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Starts without the variables of this process.
   *
   * @default {false}
   */
  readonly clearEnv?: boolean;
  /**
   * Starts in a new process group, which signals to the group of this process do
   * not reach.
   *
   * @default {false}
   */
  readonly detached?: boolean;
  /** Milliseconds before the process is killed. */
  readonly timeout?: number;
}

/** Options of {@linkcode run}. */
export interface RunOptions extends StartOptions {
  /** Text of its standard input, which is empty by default. */
  readonly input?: string;
  /** Kills the process; the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Called with the process after it has started. */
  readonly onStart?: (child: Child) => void;
}

/** Process whose streams are pipes. */
export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** End of a process. */
export interface Ended {
  /** Exit code, `null` after a signal. */
  readonly code: number | null;
  /** Signal that ended it. */
  readonly signal: NodeJS.Signals | null;
}

/** End of a process, with its output. */
export interface Output extends Ended {
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a program. */
export function start(
  [program, ...args]: Command,
  { cwd, env = {}, clearEnv = false, ...options }: StartOptions = {},
): Child {
  return spawn(program, args, {
    ...options,
    cwd,
    env: { ...(clearEnv ? {} : process.env), ...env },
    stdio: ["pipe", "pipe", "pipe"],
    // On Windows, the commands of npm are scripts, which only a shell can run.
    shell: process.platform === "win32" && !/\.exe$/i.test(program),
  });
}

/** Resolves after a process has ended and its output has been read. */
export function endOf(child: Child): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
}

/**
 * Sends a signal to a process, unless it has ended. (In Deno, after
 * `ChildProcess.kill` every process counts as ended by the signal, even if it
 * exits by itself.)
 */
export function kill(child: Child, signal: NodeJS.Signals): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // Without a process id, the program was not found.
  if (child.pid === undefined) return;
  process.kill(child.pid, signal);
}

/** Runs a program to its end, with any exit code. */
export async function outputOf(
  command: Command,
  { input = "", signal, onStart, ...options }: RunOptions = {},
): Promise<Output> {
  signal?.throwIfAborted();
  const child = start(command, options);
  onStart?.(child);
  // The program may end without reading.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const onAbort = () => kill(child, "SIGTERM");
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const [ended, stdout, stderr] = await Promise.all([
      endOf(child),
      textOf(child.stdout),
      textOf(child.stderr),
    ]);
    signal?.throwIfAborted();
    return { ...ended, stdout, stderr };
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  return text;
}

/**
 * Runs a program to its end.
 *
 * @returns What it wrote to its standard output.
 * @throws {Error} If the program fails or cannot be run, with its output.
 */
export async function run(
  command: Command,
  options: RunOptions = {},
): Promise<string> {
  const line = command.join(" ");
  const { code, signal, stdout, stderr } = await outputOf(command, options)
    .catch((cause) => {
      options.signal?.throwIfAborted();
      throw new Error(`Cannot run ${line}: is "${command[0]}" installed?`, {
        cause,
      });
    });
  if (code === 0) return stdout;
  const output = [stderr, stdout].filter(Boolean).join("\n");
  throw new Error(
    `Cannot run ${line}: ${describeEnd({ code, signal })}\n${output}`,
  );
}

/** Describes the end of a process: `exit code 1`, `SIGKILL`. */
export function describeEnd({ code, signal }: Ended): string {
  return signal ?? `exit code ${code}`;
}

/** Runs npm, without its notices about audits and funding. */
export function npm(
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  // Options first, because the last arguments may be for a command that npm
  // runs.
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return run(["npm", ...quiet, ...args], options);
}
