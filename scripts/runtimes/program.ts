/** Tests on Node and Bun: one process per file. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describeEnd, outputOf, run } from "../process.ts";
import { download, nodeBinary } from "./node.ts";
import { MARK, type Open } from "./harness.ts";

/** Line with a result, or with the end of the results. */
const RECORD = new RegExp(`${MARK}(.*)\n`, "g");

/** Timeout of a file whose tests never end. */
const TIMEOUT_MS = 300_000;

/** Newest Node of a major version. */
export function openNode(major: number): Open {
  return openProgram(() => nodeBinary(major));
}

/** Newest Bun. */
export const openBun: Open = openProgram(async () => {
  const folder = await download("bun", { into: "bun", range: "1" });
  // The file has this name on every system.
  return join(folder, "bin", "bun.exe");
});

function openProgram(find: () => Promise<string>): Open {
  return async (folder) => {
    const program = await find();
    const version = await run([program, "--version"]);
    const runner = join(folder, "scripts/runtimes/run_file.mjs");
    return {
      version: version.replace(/^v/, "").trim(),
      async run(file) {
        const { href } = pathToFileURL(join(folder, file));
        const { stdout, stderr, ...end } = await outputOf(
          [program, runner, href],
          { cwd: folder, env: { NO_COLOR: "1" }, timeout: TIMEOUT_MS },
        );
        const records = [...stdout.matchAll(RECORD)].map(([, json]) => json!);
        const results = records.filter(Boolean).map((json) => JSON.parse(json));
        const isComplete = records.at(-1) === "";
        if (isComplete && end.code === 0) return results;
        const last = isComplete ? "all tests" : results.at(-1)?.name ?? "start";
        const output = stderr + stdout.replaceAll(RECORD, "");
        return [...results, {
          name: "the process ends with exit code 0",
          outcome: "failed",
          reason: `${describeEnd(end)} after: ${last}\n${output}`,
        }];
      },
    };
  };
}
