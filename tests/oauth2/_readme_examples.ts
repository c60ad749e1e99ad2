/** Examples of the README of `oauth2` and of its chapters. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../scripts/root.ts";

/** Authorization server of the examples, a module that replaces `fetch`. */
export const PROVIDER = pathToFileURL(
  `${ROOT}tests/oauth2/_readme_provider.ts`,
);

/** Example of a document. */
export interface Example {
  readonly document: string;
  /** Heading of its section. */
  readonly heading: string;
  /** Words after the backticks. */
  readonly info: string;
  readonly code: string;
}

const DOCUMENTS = [
  "oauth2/README.md",
  ...readdirSync(`${ROOT}docs/oauth2`).sort()
    .map((name) => `docs/oauth2/${name}`),
];

/** Lists the examples of all documents, except those for a shell. */
export function listExamples(): Example[] {
  return DOCUMENTS.flatMap(listExamplesOf);
}

function listExamplesOf(document: string): Example[] {
  const text = readFileSync(ROOT + document, "utf8");
  let heading = "";
  const examples: Example[] = [];
  const parts = text.matchAll(/^#+ (.+)$|^```(.+)\n([^]*?)^```$/gm);
  for (const [, title, info = "", code = ""] of parts) {
    if (title !== undefined) heading = title;
    else if (info !== "sh") examples.push({ document, heading, info, code });
  }
  return examples;
}

/** Tells whether an example needs neither a certain runtime nor a certificate. */
export function isRunnable({ info }: Example): boolean {
  return info === "ts ignore";
}

/** Outcome of an example. */
export interface Outcome {
  readonly printed: string;
  /** Message of the error that it throws, or "". */
  readonly error: string;
}

/** Writes a program that runs modules one after the other. */
export function writeRunner(
  provider: string | URL,
  modules: readonly string[],
): string {
  // With a literal path, an import needs no permission.
  const imports = modules.map((path) => `() => import("${path}"),`);
  return `import "${provider}";
    // Deno may end while it rejects an import, with nothing else to wait for.
    const timer = setInterval(() => {}, 1000);
    for (const run of [${imports.join("\n")}]) {
      const error = await run().then(() => "", ({ message }) => message);
      console.log("\\0" + error + "\\0");
    }
    clearInterval(timer);`;
}

/** Reads what a program of {@linkcode writeRunner} has printed. */
export function readOutcomes(text: string): Outcome[] {
  return [...text.matchAll(/([^\0]*)\0([^\0]*)\0\n/g)]
    .map(([, printed = "", error = ""]) => ({ printed, error }));
}

/** Asserts that an example printed what its comments show. */
export function assertShown({ printed, error }: Outcome, code: string): void {
  assertEquals(error, "");
  const lines = printed.trim().split("\n");
  for (const [i, expected] of expectedLines(code).entries()) {
    if (expected === undefined) continue;
    assertEquals(lines[i]?.slice(0, expected.length), expected);
  }
  for (const part of expectedParts(code)) {
    assertStringIncludes(printed, part);
  }
}

/** Lists the first words of the lines that an example prints, by its comments. */
function expectedLines(code: string): (string | undefined)[] {
  return [...code.matchAll(/console\.log\(.*?\);(?: \/\/ (.*))?$/gm)]
    .map(([, comment]) => comment?.split("…")[0]);
}

/** Lists parts of what an example prints, by the comment at its end. */
function expectedParts(code: string): string[] {
  const [comment = ""] = /(?<=\n)(?:\/\/ .*\n)+$/.exec(code) ?? [];
  return comment.replace(/^\/\/ +/gm, "").split("…")
    .map((part) => part.replaceAll("\n", " ").trim())
    .filter((part) => part !== "");
}
