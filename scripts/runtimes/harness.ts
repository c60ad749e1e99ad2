/**
 * `Deno.test` for other runtimes: collects the tests of a module and runs them
 * one after another. Imports nothing, to run everywhere.
 */

/** Result of a test. */
export interface TestResult {
  readonly name: string;
  /** `excused` is the failure of a listed exception. */
  readonly outcome: "passed" | "failed" | "ignored" | "excused";
  /** Stack of the error, with its causes. */
  readonly reason?: string;
}

/** Global function that translated tests call in place of `Deno.test`. */
export const TEST = "denoTest";

/**
 * Mark before a result on the standard output; a line with the mark alone ends
 * the results.
 */
export const MARK = "\x1e";

type Body = (context: { step: typeof step }) => unknown;

type Hook = () => unknown;

interface Definition {
  readonly name: string;
  readonly fn: Body;
  readonly ignore?: boolean;
}

/**
 * Imports a module and runs the tests that it defines. A failed import counts
 * as a failed test.
 */
export async function* runTests(
  load: () => Promise<unknown>,
): AsyncGenerator<TestResult> {
  const tests: Definition[] = [];
  const test = (test: string | Definition, fn?: Body) => {
    if (typeof test !== "string") tests.push(test);
    else if (fn) tests.push({ name: test, fn });
    else throw new TypeError(`Cannot define test "${test}": no function`);
  };
  const before: Hook[] = [];
  const after: Hook[] = [];
  Object.assign(test, {
    beforeAll: (hook: Hook) => before.push(hook),
    afterAll: (hook: Hook) => after.push(hook),
  });
  Object.assign(globalThis, { [TEST]: test });
  const loaded = await attempt("the module is imported", load);
  if (loaded.outcome === "failed") yield loaded;
  yield* runHooks("beforeAll", before);
  for (const { name, fn, ignore } of tests) {
    if (ignore) yield { name, outcome: "ignored" };
    else yield await attempt(name, () => fn({ step }));
  }
  yield* runHooks("afterAll", after);
}

/** Runs hooks. A failed one counts as a failed test. */
async function* runHooks(
  name: string,
  hooks: readonly Hook[],
): AsyncGenerator<TestResult> {
  for (const hook of hooks) {
    const result = await attempt(name, hook);
    if (result.outcome === "failed") yield result;
  }
}

/** Runs one test. */
export async function attempt(
  name: string,
  body: () => unknown,
): Promise<TestResult> {
  try {
    await body();
    return { name, outcome: "passed" };
  } catch (error) {
    return { name, outcome: "failed", reason: describe(error) };
  }
}

/** Runs a step, whose failure fails the test. */
async function step(name: string, body: () => unknown): Promise<boolean> {
  const { reason } = await attempt(name, body);
  if (reason === undefined) return true;
  throw new Error(`Cannot pass step "${name}": ${reason}`);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack = "", cause } = error;
  // Some engines leave the message out of the stack.
  const text = stack.includes(message)
    ? stack
    : `${name}: ${message}\n${stack}`;
  return cause === undefined ? text : `${text}\nCaused by: ${describe(cause)}`;
}

/** Runtime that is ready to run tests. */
export interface Runtime {
  readonly version: string;
  /** Runs the tests of a file, given by its path in the folder. */
  run(file: string): Promise<TestResult[]>;
}

/**
 * Prepares a runtime. The folder contains the installed packages and the
 * translated tests; the stack disposes of servers and processes.
 */
export type Open = (
  folder: string,
  stack: AsyncDisposableStack,
) => Promise<Runtime>;
