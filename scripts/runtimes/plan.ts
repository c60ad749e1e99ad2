/** Which tests run where, and which do not, and why. */
import { readdirSync } from "node:fs";
import { ROOT } from "../root.ts";
import type { TestResult } from "./harness.ts";
import type { FileResult } from "./runtime.ts";

/** The tests in groups: the columns of the table. */
export const SUITES = ["cep", "oauth2", "vectors", "server"] as const;

/** A group of tests. */
export type Suite = typeof SUITES[number];

/** Names of runtimes, or the beginnings of some. */
type Runtimes = readonly string[];

const ELSEWHERE: Runtimes = ["node", "bun", "workerd", "chromium"];
const WITHOUT_PROCESSES: Runtimes = ["workerd", "chromium"];

/** Tests that do not run somewhere, or fail there by the platform's fault. */
export interface Exception {
  /** Where that is. */
  readonly runtimes: Runtimes;
  /** A file or a folder. */
  readonly path: string;
  /** The one test that fails; without it none of them run. */
  readonly test?: string;
  /** Why they mean nothing there, or how the platform differs. */
  readonly reason: string;
}

/** All of them. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    runtimes: ["bun", "workerd", "chromium"],
    path: "tests/cep/",
    reason: "the service is for Deno and Node",
  },
  {
    runtimes: ELSEWHERE,
    path: "tests/oauth2/permissions_test.ts",
    reason: "only Deno has permissions",
  },
  {
    runtimes: ELSEWHERE,
    path: "tests/oauth2/readme_test.ts",
    reason: "checks and runs the guide with the command of Deno",
  },
  {
    runtimes: ELSEWHERE,
    path: "tests/oauth2/size_test.ts",
    reason: "bundles the sources",
  },
  {
    runtimes: ELSEWHERE,
    path: "tests/oauth2/e2e/example_test.ts",
    reason: "runs an example that is not in the package",
  },
  {
    runtimes: WITHOUT_PROCESSES,
    path: "tests/oauth2/e2e/e2e_test.ts",
    reason: "starts a server; a token is fetched from one otherwise",
  },
  {
    runtimes: WITHOUT_PROCESSES,
    path: "tests/oauth2/vector_files_test.ts",
    reason: "reads files; the vectors themselves run",
  },
  {
    runtimes: WITHOUT_PROCESSES,
    path: "tests/oauth2/decisions/environment_test.ts",
    reason: "starts processes",
  },
  {
    runtimes: ["chromium"],
    path: "tests/oauth2/node_keys_test.ts",
    reason: "makes keys with node:crypto",
  },
  {
    runtimes: ["bun"],
    path: "tests/oauth2/decisions/requests_test.ts",
    test: "request sends a body that is text",
    reason: "a Request does not tell the content-type of a text there",
  },
  {
    runtimes: ["bun"],
    path: "tests/oauth2/token_test.ts",
    test: "mode goes by the verb in any letter case, and by no inherited name",
    reason: "a Request makes GET of a verb that it does not know there",
  },
  {
    runtimes: ["workerd"],
    path: "tests/oauth2/token_test.ts",
    test: "mode goes by the verb in any letter case, and by no inherited name",
    reason: "a Request refuses a verb that it does not know there",
  },
  {
    runtimes: ["workerd"],
    path: "tests/oauth2/node_keys_test.ts",
    test: "signJwt signs by ES256 with a KeyObject",
    reason: "its KeyObject has no toCryptoKey",
  },
  ...["client", "call"].map((way) => ({
    runtimes: ["chromium"],
    path: "tests/oauth2/decisions/redirects_test.ts",
    test:
      `request takes no credential to another origin with leave of the ${way}`,
    reason: "a page cannot set User-Agent, which the test expects to be kept",
  })),
];

/** The files of tests that run on a runtime. */
export function filesFor(runtime: string): string[] {
  const exceptions = exceptionsFor(runtime);
  return listTests().filter((file) =>
    !exceptions.some(({ path, test }) =>
      test === undefined && file.startsWith(path)
    )
  );
}

/**
 * Excuses the tests that must fail on a runtime; one that passes is a failure,
 * for it is no exception any more.
 */
export function excuse(
  { file, tests }: FileResult,
  runtime: string,
): FileResult {
  const excused = new Set(
    exceptionsFor(runtime)
      .filter(({ path }) => path === file)
      .flatMap(({ test }) => test ?? []),
  );
  const judged = tests.map((result): TestResult => {
    const { name, outcome } = result;
    if (!excused.delete(name)) return result;
    if (outcome === "failed") return { name, outcome: "excused" };
    const reason = "It passes, but is an exception";
    return { name, outcome: "failed", reason };
  });
  const unknown = [...excused].map((name): TestResult => ({
    name,
    outcome: "failed",
    reason: "It is an exception, but no test",
  }));
  return { file, tests: [...judged, ...unknown] };
}

function exceptionsFor(runtime: string): Exception[] {
  return EXCEPTIONS.filter(({ runtimes }) =>
    runtimes.some((name) => runtime.startsWith(name))
  );
}

/** The group of a file. */
export function suiteOf(file: string): Suite {
  if (file.startsWith("tests/cep/")) return "cep";
  if (file === "tests/oauth2/vectors_test.ts") return "vectors";
  if (file.startsWith("tests/oauth2/e2e/")) return "server";
  return file.startsWith("scripts/runtimes/token/") ? "server" : "oauth2";
}

/** All files of tests. */
export function listTests(): string[] {
  return ["tests/cep", "tests/oauth2"].flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith("_test.ts"))
      .sort()
  );
}
