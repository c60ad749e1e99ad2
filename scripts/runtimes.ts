/**
 * Runs the tests on several runtimes: on Deno from the sources, elsewhere on
 * the packages as they are built for npm, installed into a clean folder.
 *
 * @module
 */
import { stop } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fillMarked } from "./markdown.ts";
import { type Open, RUNTIMES } from "./runtimes/open.ts";
import { withPlace } from "./runtimes/place.ts";
import { excuse, filesFor } from "./runtimes/plan.ts";
import type { FileResult } from "./runtimes/runtime.ts";
import { type Row, writeTable } from "./runtimes/table.ts";

const README = fileURLToPath(new URL("../README.md", import.meta.url));

const NAMES = Object.keys(RUNTIMES);

const USAGE = `Usage: runtimes.ts [--write] [RUNTIME]...

Runs the tests on the runtimes named, or on all: ${NAMES.join(", ")}.
With --write it puts the table of all of them into README.md.`;

async function main(args: string[]): Promise<number> {
  const { values: { write }, positionals } = parseArgs({
    args,
    options: { write: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0 || (write && positionals.length > 0)) {
    console.error(USAGE);
    return 2;
  }
  const rows = await runAll(positionals.length > 0 ? positionals : NAMES);
  const table = writeTable(rows);
  console.log(`\n${table}`);
  if (rows.some(({ results }) => results.some(hasFailed))) return 1;
  if (write) await writeReadme(table);
  return 0;
}

async function runAll(names: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  await withPlace(async (folder) => {
    try {
      for (const name of names) {
        rows.push(await runOn(name, { open: RUNTIMES[name]!, folder }));
      }
    } finally {
      await stop();
    }
  });
  return rows;
}

/** Runs what there is for a runtime, and tells of it as it goes. */
async function runOn(
  name: string,
  { open, folder }: { open: Open; folder: string },
): Promise<Row> {
  await using runtime = await open(folder);
  const { version } = runtime;
  console.log(`\n${name} ${version}`);
  const results: FileResult[] = [];
  for await (const raw of runtime.run(filesFor(name))) {
    const result = excuse(raw, name);
    results.push(result);
    tell(result);
  }
  return { name, version, results };
}

function tell(result: FileResult): void {
  const { file, tests } = result;
  const passed = tests.filter(({ outcome }) => outcome === "passed").length;
  console.log(`${hasFailed(result) ? "FAILED" : "ok"} ${file} (${passed})`);
  for (const { name, outcome, reason } of tests) {
    if (outcome === "failed") console.log(`\n${name}\n${reason}\n`);
  }
}

function hasFailed({ tests }: FileResult): boolean {
  return tests.some(({ outcome }) => outcome === "failed");
}

/** Puts the table between its marks, as `deno fmt` would write it. */
async function writeReadme(table: string): Promise<void> {
  const readme = await readFile(README, "utf8");
  await writeFile(README, fillMarked(readme, "runtimes", table));
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", README] })
    .output();
}

if (import.meta.main) Deno.exit(await main(Deno.args));
