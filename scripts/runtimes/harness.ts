/**
 * `Deno.test` for runtimes that are not Deno: remembers tests, and runs them
 * one after another. It imports nothing, so that it runs wherever they do.
 */

/** How a test ended. */
export interface TestResult {
  /** What it is called. */
  readonly name: string;
  /** What came of it; `excused` is a failure that is the platform's. */
  readonly outcome: "passed" | "failed" | "ignored" | "excused";
  /** Why it failed. */
  readonly reason?: string;
}

interface TestContext {
  step(name: string, body: () => unknown): Promise<boolean>;
}

type Body = (context: TestContext) => unknown;

interface Definition {
  readonly name: string;
  readonly fn: Body;
  readonly ignore?: boolean;
}

/** What stands before a line about a test, and before no other line. */
export const MARK = "\x1e";

const tests: Definition[] = [];

/** Remembers a test, as `Deno.test` does. */
export function test(definition: string | Definition, fn?: Body): void {
  if (typeof definition !== "string") tests.push(definition);
  else if (fn) tests.push({ name: definition, fn });
  else throw new TypeError(`Cannot run "${definition}": it has no body`);
}

/**
 * Imports a module and runs its tests, one after another; tells of each once it
 * has ended. That the module can be imported is one of them if it is not so.
 */
export async function* runTests(
  load: () => Promise<unknown>,
): AsyncGenerator<TestResult> {
  const loaded = await attempt("the module can be imported", load);
  if (loaded.outcome === "failed") yield loaded;
  for (const { name, fn, ignore } of tests.splice(0)) {
    if (ignore) yield { name, outcome: "ignored" };
    else yield await attempt(name, () => fn({ step }));
  }
}

/** Runs a test now. */
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

/** A step that fails fails its test. */
async function step(name: string, body: () => unknown): Promise<boolean> {
  try {
    await body();
    return true;
  } catch (error) {
    throw new Error(`Failed at "${name}"`, { cause: error });
  }
}

/** An error with its causes, for people. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack = "", cause } = error;
  // Not every stack has the message.
  const text = stack.includes(message)
    ? stack
    : `${error.name}: ${message}\n${stack}`;
  return cause === undefined ? text : `${text}\nCaused by: ${describe(cause)}`;
}
