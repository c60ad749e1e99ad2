/** Tests on Node or Bun: one process a file. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { MARK, type TestResult } from "./harness.ts";
import type { FileResult, Runtime } from "./runtime.ts";
import { RUN_FILE, translate } from "./translate.ts";

/** For a file whose tests never end. */
const PATIENCE_MS = 300_000;

/** What to run, and where. */
export interface ProgramOptions {
  /** The binary of the runtime. */
  readonly program: string;
  /** Its version. */
  readonly version: string;
  /** Folder that the packages are installed in. */
  readonly folder: string;
}

/** A runtime that is a program. */
export function openProgram(options: ProgramOptions): Runtime {
  return {
    version: options.version,
    async *run(files) {
      await translate([RUN_FILE, ...files], options);
      for (const file of files) yield await runFile(file, options);
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function runFile(
  file: string,
  { program, folder }: ProgramOptions,
): Promise<FileResult> {
  const [runner, module] = [RUN_FILE, file].map((source) =>
    join(folder, source.replace(/\.ts$/, ".js"))
  );
  const child = spawn(program, [runner!, pathToFileURL(module!).href], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
  });
  const ended = new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? `status ${code}`));
  });
  const tests: TestResult[] = [];
  let done = false;
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text) => output += text);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith(MARK)) {
      output += `${line}\n`;
      continue;
    }
    const told = JSON.parse(line.slice(MARK.length));
    if ("done" in told) done = true;
    else tests.push(told);
  }
  const end = await ended;
  if (!done || end !== "status 0") {
    const when = done ? "after" : "in the middle of";
    tests.push({
      name: "the process ends well",
      outcome: "failed",
      reason: `It ended ${when} its tests with ${end}\n${output}`,
    });
  }
  return { file, tests };
}
