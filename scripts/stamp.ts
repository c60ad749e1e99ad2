/**
 * Writes into `cep/build.json` what a release is made from, so that the health
 * check, `--version` and the metrics can tell. Run by the workflows that
 * publish; a checkout keeps its honest "unknown".
 *
 *     deno task stamp --commit SHA --repo https://github.com/carteiro/carteiro
 */
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { parseArgs } from "node:util";

const FILE = new URL("../cep/build.json", import.meta.url);

/** What is known of a release beside its version. */
export interface Origin {
  /** Full name of the commit, e.g. `4c77290…`. */
  readonly commit: string;
  /** Address of the repository. */
  readonly repo: string;
}

/**
 * Reads `--commit` and `--repo`.
 *
 * @throws {TypeError} If one is missing or not what it should be.
 */
export function parseOrigin(args: readonly string[]): Origin {
  const { values: { commit = "", repo = "" } } = parseArgs({
    args: [...args],
    options: { commit: { type: "string" }, repo: { type: "string" } },
  });
  if (!/^[0-9a-f]{40}$/.test(commit)) {
    throw new TypeError(
      `Cannot use the commit "${commit}": 40 hexadecimal digits are needed`,
    );
  }
  if (URL.parse(repo)?.protocol !== "https:") {
    throw new TypeError(
      `Cannot use the repository "${repo}": an https address is needed`,
    );
  }
  return { commit, repo };
}

if (import.meta.main) {
  const origin = parseOrigin(process.argv.slice(2));
  await writeFile(FILE, `${JSON.stringify(origin, null, 2)}\n`);
}
