/** Command lines of the scripts. */

/** Command line of a script. */
export interface CommandLine<Plan> {
  /** Text for `--help`, and after a mistake in the arguments. */
  readonly usage: string;
  /**
   * Reads the arguments. Returns `undefined` for `--help`.
   *
   * @throws {TypeError} If they are wrong.
   */
  readonly parse: (args: string[]) => Plan | undefined;
  /** Runs the script. Returns the exit code. */
  readonly run: (plan: Plan) => number | Promise<number>;
}

/**
 * Runs a script. Returns the exit code: that of `run`, 1 for an error, 2 for
 * wrong arguments.
 */
export async function runCommandLine<Plan>(
  args: string[],
  { usage, parse, run }: CommandLine<Plan>,
): Promise<number> {
  let plan;
  try {
    plan = parse(args);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  if (plan === undefined) {
    console.log(usage);
    return 0;
  }
  try {
    return await run(plan);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

/**
 * Runs an action that Ctrl-C interrupts. Returns the exit code: 130 if it did.
 */
export async function interruptible(
  action: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const interruption = new AbortController();
  const { signal } = interruption;
  const interrupt = () => interruption.abort();
  Deno.addSignalListener("SIGINT", interrupt);
  try {
    const code = await action(signal);
    return signal.aborted ? 130 : code;
  } catch (error) {
    if (signal.aborted) return 130;
    throw error;
  } finally {
    Deno.removeSignalListener("SIGINT", interrupt);
  }
}

/**
 * Reads the value of an option that is a whole number.
 *
 * @throws {TypeError} If it is not a whole number from `least` to `most`.
 */
export function parseNumber(
  name: string,
  text: string,
  least: number,
  most: number,
): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return number;
  throw new TypeError(
    `${name} must be a whole number from ${least} to ${most}, not "${text}"`,
  );
}

/**
 * Returns the only argument that is not an option.
 *
 * @throws {TypeError} If it is missing, or if there are more.
 */
export function onlyArgument(
  name: string,
  [argument, ...more]: readonly string[],
): string {
  if (!argument) throw new TypeError(`${name} is missing`);
  if (more.length === 0) return argument;
  throw new TypeError(`"${more[0]}" is one argument too many`);
}
