/**
 * The programs that are measured and those that measure.
 *
 * @module
 */

const running = new Set<Deno.ChildProcess>();
let ended = false;

/** Options of {@linkcode start}. */
export interface StartOptions extends Deno.CommandOptions {
  /** Number of the only processor to run on, which needs `taskset`. */
  readonly core?: number | undefined;
}

/** Starts a program, which {@linkcode endAll} will end if nothing else does. */
export function start(
  program: string,
  { core, ...options }: StartOptions,
): Deno.ChildProcess {
  if (ended) throw new Error(`Cannot start ${program}: the bench is ending`);
  // taskset turns into the program, which so has the id of the process.
  const line = core === undefined ? [] : ["taskset", "-c", `${core}`];
  const [name, ...args] = [...line, program, ...options.args ?? []];
  const child = new Deno.Command(name!, { stdin: "null", ...options, args })
    .spawn();
  running.add(child);
  child.status.then(() => running.delete(child));
  return child;
}

/** Runs a program to its end and returns what it wrote. */
export function run(
  program: string,
  options: StartOptions,
): Promise<string> {
  return finish(start(program, { ...options, ...CAPTURED }), program);
}

/** What a program must be started with for {@linkcode finish}. */
export const CAPTURED = { stdout: "piped", stderr: "piped" } as const;

/**
 * Waits for the end of a program and returns what it wrote.
 *
 * @throws {Error} If it failed.
 */
export async function finish(
  child: Deno.ChildProcess,
  name: string,
): Promise<string> {
  const { success, code, stdout, stderr } = await child.output();
  const text = new TextDecoder().decode(stdout);
  if (success) return text;
  const why = (new TextDecoder().decode(stderr) + text).trim();
  throw new Error(`Cannot run ${name}: it ended with status ${code}\n${why}`);
}

/** Ends a program that runs until it is told to stop. */
export async function stop(child: Deno.ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await child.status;
}

/** Ends every program that still runs; none can be started from then on. */
export async function endAll(): Promise<void> {
  ended = true;
  await Promise.all([...running].map(end));
}

async function end(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended by itself.
  }
  await child.status;
}

/** Those of the programs that are not installed. */
export async function findMissing(
  programs: readonly string[],
): Promise<string[]> {
  const missing: string[] = [];
  for (const program of programs) {
    try {
      await new Deno.Command(program, { args: ["--version"], ...CAPTURED })
        .output();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      missing.push(program);
    }
  }
  return missing;
}
