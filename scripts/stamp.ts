/**
 * Writes the commit and the repository of a release into `cep/build.json`, for
 * the health check, `--version` and the metrics. The publishing workflows run
 * it; in a clone, the commit stays "unknown".
 *
 *     deno task stamp --commit SHA --repo https://github.com/carteiro/carteiro
 */
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { parseArgs } from "node:util";
import { ROOT } from "./root.ts";

/** Full hash of a commit and URL of its repository. */
export interface Origin {
  readonly commit: string;
  readonly repo: string;
}

/**
 * Reads `--commit` and `--repo`.
 *
 * @throws {TypeError} If one is missing or malformed.
 */
export function parseOrigin(args: readonly string[]): Origin {
  const { values: { commit = "", repo = "" } } = parseArgs({
    args: [...args],
    options: { commit: { type: "string" }, repo: { type: "string" } },
  });
  if (!/^[0-9a-f]{40}$/.test(commit)) {
    throw new TypeError(
      `Cannot use --commit "${commit}": must be 40 hexadecimal digits`,
    );
  }
  if (URL.parse(repo)?.protocol !== "https:") {
    throw new TypeError(`Cannot use --repo "${repo}": must be an https URL`);
  }
  return { commit, repo };
}

if (import.meta.main) {
  const origin = parseOrigin(process.argv.slice(2));
  const text = JSON.stringify(origin, null, 2);
  await writeFile(`${ROOT}cep/build.json`, `${text}\n`);
}
