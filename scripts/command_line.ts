/** Command lines of the scripts. */
import { parseArgs } from "node:util";

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

/** Option of a script. */
export interface Option<T> {
  readonly type: "boolean" | "string";
  /** Reads the value, `undefined` if the option is not given. */
  readonly read: (name: string, value: string | undefined) => T;
}

/** Option without a value. */
export const flag: Option<boolean> = {
  type: "boolean",
  read: (_, value) => value !== undefined,
};

/** Option that is a text. */
export const text: Option<string | undefined> = {
  type: "string",
  read: (_, value) => value,
};

/** Option that is a whole number, in a range. */
export function whole<F extends number | undefined>(
  least: number,
  most: number,
  fallback: F,
): Option<number | F> {
  return {
    type: "string",
    read: (name, value) =>
      value === undefined ? fallback : parseNumber(name, value, least, most),
  };
}

/** Values of options, by name. */
type Values<O> = {
  [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

/**
 * Reads the options of a script, and its operand if it has one. Returns
 * `undefined` for `--help`.
 *
 * @param operand Name of the operand.
 * @throws {TypeError} If an argument is wrong, unknown or missing.
 */
export function readOptions<O extends Record<string, Option<unknown>>>(
  args: string[],
  options: O,
  operand?: string,
): { values: Values<O>; operand: string } | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(
        Object.entries(options).map(([name, { type }]) => [name, { type }]),
      ),
      help: { type: "boolean", short: "h" },
    },
  });
  const given: Record<string, unknown> = values;
  if (given.help) return undefined;
  if (operand === undefined) positionals.unshift("");
  const [found, extra] = positionals;
  if (found === undefined) throw new TypeError(`${operand} is missing`);
  if (extra !== undefined) {
    throw new TypeError(`"${extra}" is one argument too many`);
  }
  const read = Object.entries(options).map(([name, option]) => [
    name,
    option.read(`--${name}`, given[name]?.toString()),
  ]);
  return { values: Object.fromEntries(read), operand: found };
}
