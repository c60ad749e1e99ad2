/** Examples of the README: their types, and what they print. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { run } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import process from "node:process";

/** Example of the README. */
interface Example {
  /** Heading of its section. */
  readonly heading: string;
  /** Words after the backticks. */
  readonly info: string;
  readonly code: string;
}

/** Lists the examples, except those for a shell. */
function listExamples(): Example[] {
  const readme = readFileSync(`${ROOT}oauth2/README.md`, "utf8");
  let heading = "";
  const examples: Example[] = [];
  const parts = readme.matchAll(/^#+ (.+)$|^```(.+)\n([^]*?)^```$/gm);
  for (const [, title, info, code] of parts) {
    if (title !== undefined) heading = title;
    else if (info !== "sh") {
      examples.push({ heading, info: info!, code: code! });
    }
  }
  return examples;
}

/** Outcome of an example. */
interface Outcome {
  readonly printed: string;
  /** Message of the error that it throws, or "". */
  readonly error: string;
}

const PROVIDER = pathToFileURL(`${ROOT}tests/oauth2/_readme_provider.ts`);

/**
 * Checks the types of modules and runs the first ones, one after the other, in
 * a process where `fetch` reaches the provider of the README.
 */
async function runModules(
  runnable: readonly string[],
  others: readonly string[],
): Promise<Outcome[]> {
  using folder = new TemporaryFolder("oauth2-readme");
  const imports = [...runnable, ...others].map((code, i) => {
    writeFileSync(`${folder.path}/example_${i}.ts`, code);
    // With a literal path, the import needs no permission.
    return `() => import("./example_${i}.ts"),`;
  });
  writeFileSync(
    `${folder.path}/main.ts`,
    `import "${PROVIDER}";
    const examples = [${imports.join("\n")}];
    for (const run of examples.slice(0, ${runnable.length})) {
      const error = await run().then(() => "", ({ message }) => message);
      console.log("\\0" + error + "\\0");
    }`,
  );
  const text = await run([
    process.execPath,
    ...["run", "--check", "--config", `${ROOT}deno.json`],
    // Without a permission flag, Deno starts itself with all permissions.
    ...["--no-prompt", "--deny-net", "main.ts"],
  ], { cwd: folder.path, env: { NO_COLOR: "1" } });
  return [...text.matchAll(/([^\0]*)\0([^\0]*)\0\n/g)]
    .map(([, printed = "", error = ""]) => ({ printed, error }));
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

/** Changes of the example of a callback, by the message of its error. */
const LOCATION = 'headers.get("location")!';
const replaceLocation = (from: string, to: string) => (code: string) =>
  code.replace(
    LOCATION,
    `${LOCATION}.replace(${JSON.stringify(from)}, ${JSON.stringify(to)})`,
  );
const CALLBACKS: Readonly<Record<string, (code: string) => string>> = {
  "state does not match": replaceLocation("state=", "state=x"),
  "state is repeated": replaceLocation("?", "?state=x&"),
  "iss is https://other.example": replaceLocation(
    "iss=https%3A%2F%2Fprovider.example",
    "iss=https%3A%2F%2Fother.example",
  ),
  "iss is undefined": replaceLocation("iss=", "other="),
  "error is access_denied": replaceLocation(
    "code=",
    "error=access_denied&code=",
  ),
  "code is missing": replaceLocation("code=", "other="),
  "nonce does not match": (code) =>
    code.replace(
      "callback(back, session)",
      'callback(back, { ...session, nonce: "x" })',
    ),
};

const examples = listExamples();
/** Examples that need neither a certain runtime nor a certificate. */
const runnable = examples.filter(({ info }) => info === "ts ignore");
const others = examples.filter((example) => !runnable.includes(example));
const callback = runnable.find(({ code }) => code.includes(LOCATION))!.code;
const changed = Object.values(CALLBACKS).map((change) => change(callback));

const outcomes = await runModules(
  [...runnable.map(({ code }) => code), ...changed],
  others.map(({ code }) => code),
);

Deno.test("README examples are TypeScript", () => {
  assert(runnable.length > 0);
  for (const { info } of others) assert(info.startsWith("ts ignore "), info);
});

for (const [i, { heading, code }] of runnable.entries()) {
  Deno.test(`README example ${i + 1}, under "${heading}", prints what its comments show`, () => {
    const { printed, error } = outcomes[i]!;
    assertEquals(error, "");
    const lines = printed.trim().split("\n");
    for (const [i, expected] of expectedLines(code).entries()) {
      if (expected === undefined) continue;
      assertEquals(lines[i]?.slice(0, expected.length), expected);
    }
    for (const part of expectedParts(code)) {
      assertStringIncludes(printed, part);
    }
  });
}

for (const [i, reason] of Object.keys(CALLBACKS).entries()) {
  Deno.test(`README example of a callback throws if ${reason}`, () => {
    assert(changed[i] !== callback, "the example is unchanged");
    assertStringIncludes(outcomes[runnable.length + i]!.error, reason);
  });
}
