import { stop } from "esbuild";
import manifest from "../deno.json" with { type: "json" };
import { FAILING, type RuntimeName } from "../tests/exceptions.ts";
import { buildPackages, withInstalled } from "./npm/build.ts";
import { npmRange } from "./npm/packages.ts";
import { openChromium } from "./runtimes/chromium.ts";
import {
  attempt,
  type Open,
  type Runtime,
  type TestResult,
} from "./runtimes/harness.ts";
import { NODE_MAJORS } from "./runtimes/node.ts";
import { excuse, filesFor } from "./runtimes/plan.ts";
import { openBun, openNode } from "./runtimes/program.ts";
import { translate } from "./runtimes/translate.ts";
import { openWorkerd } from "./runtimes/workerd.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

/** Runtimes by their names on the command line. */
export const RUNTIMES: Readonly<Record<string, Open>> = {
  ...Object.fromEntries(
    NODE_MAJORS.map((major) => [`node-${major}`, openNode(major)]),
  ),
  bun: openBun,
  workerd: openWorkerd,
  chromium: openChromium,
};

const NAMES = Object.keys(RUNTIMES);

async function main(args: readonly string[]): Promise<number> {
  if (args.some((name) => !NAMES.includes(name))) {
    console.error(`Usage: runtimes.ts [RUNTIME]...\n
Runs the tests on these runtimes, or on all: ${NAMES.join(", ")}.`);
    return 2;
  }
  using tarballs = new TemporaryFolder("tarballs");
  const packages = await buildPackages(tarballs.path);
  const tools = [...new Set(Object.values(manifest.imports).map(npmRange))];
  return await withInstalled(packages, async ({ folder }) => {
    await translate(folder);
    let failures = 0;
    for (const name of args.length > 0 ? args : NAMES) {
      failures += await runOn(name, folder);
    }
    await stop();
    if (failures === 0) return 0;
    console.error("\nTests that cannot pass belong in tests/exceptions.ts");
    return 1;
  }, { tools });
}

/**
 * Runs the tests on a runtime and prints the results.
 *
 * @returns The number of failures.
 */
async function runOn(name: string, folder: string): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const runtime = await RUNTIMES[name]!(folder, stack);
  console.log(`\n${name} ${runtime.version}`);
  const kind = name.replace(/-\d+$/, "") as RuntimeName;
  const counts = { passed: 0, failed: 0, excused: 0, ignored: 0 };
  for (const file of filesFor(kind)) {
    const results = excuse(await tryFile(runtime, file), FAILING[kind][file]);
    const failed = results.filter(({ outcome }) => outcome === "failed");
    const state = failed.length === 0 ? "ok" : "FAILED";
    console.log(`${state} ${file} (${results.length})`);
    for (const { name, reason } of failed) {
      console.log(`\n${name}\n${reason}\n`);
    }
    for (const { outcome } of results) counts[outcome]++;
  }
  const summary = Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`);
  console.log(`${name}: ${summary.join(", ")}`);
  return counts.failed;
}

/** Runs the tests of a file; a file that cannot run counts as a failed test. */
async function tryFile(runtime: Runtime, file: string): Promise<TestResult[]> {
  let results: TestResult[] = [];
  const attempted = await attempt("the file runs", async () => {
    results = await runtime.run(file.replace(/\.ts$/, ".mjs"));
  });
  return attempted.outcome === "failed" ? [attempted] : results;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
