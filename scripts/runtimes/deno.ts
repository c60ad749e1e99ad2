/** Tests on Deno itself, from the sources. */
import { ROOT } from "../root.ts";
import type { TestResult } from "./harness.ts";
import type { FileResult, Runtime } from "./runtime.ts";

const SANITIZERS = ["--sanitize-ops", "--sanitize-resources"];

/** The Deno that runs this. */
export function openDeno(): Runtime {
  return {
    version: Deno.version.deno,
    async *run(files) {
      for (const file of files) yield await runFile(file);
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function runFile(file: string): Promise<FileResult> {
  const args = ["test", "-A", "--no-check", ...SANITIZERS, "--reporter=tap"];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args, file],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  const tests = readTap(decoder.decode(stdout));
  if (!success && tests.every(({ outcome }) => outcome !== "failed")) {
    const reason = decoder.decode(stderr);
    tests.push({ name: "deno test ends well", outcome: "failed", reason });
  }
  return { file, tests };
}

/** A test in the Test Anything Protocol, with what is told of a failure. */
const TEST =
  /^(?<not>not )?ok \d+ - (?<name>.*?)(?<skip> # SKIP)?$(?:\n {2}---\n {2}(?<why>.*))?/gm;

function readTap(text: string): TestResult[] {
  return [...text.matchAll(TEST)].map(({ groups = {} }): TestResult => {
    const name = groups.name!.replace(/\\(.)/g, "$1");
    if (groups.skip) return { name, outcome: "ignored" };
    if (!groups.not) return { name, outcome: "passed" };
    const { message } = JSON.parse(groups.why ?? "{}");
    return { name, outcome: "failed", reason: message };
  });
}
