/** Examples of the README and of its chapters: types, and what they print. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { run } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import process from "node:process";

/** Example of a document. */
interface Example {
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

/** Lists the examples of a document, except those for a shell. */
function listExamples(document: string): Example[] {
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
    // Deno may end while it rejects an import, with nothing else to wait for.
    const timer = setInterval(() => {}, 1000);
    const examples = [${imports.join("\n")}];
    for (const run of examples.slice(0, ${runnable.length})) {
      const error = await run().then(() => "", ({ message }) => message);
      console.log("\\0" + error + "\\0");
    }
    clearInterval(timer);`,
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

/** Changes of the example of a sign-in, and the codes that it shows. */
const LOCATION = 'headers.get("location")!, {';
const replaceLocation = (from: string, to: string) => (code: string) =>
  code.replace(
    LOCATION,
    LOCATION.replace(
      "!",
      `!.replace(${JSON.stringify(from)}, ${JSON.stringify(to)})`,
    ),
  );
type Change = (code: string) => string;
const CALLBACKS: readonly (readonly [string, string, Change])[] = [
  ["another state", "invalid_state", replaceLocation("state=", "state=x")],
  ["two states", "repeated_parameter", replaceLocation("?", "?state=x&")],
  [
    "another iss",
    "invalid_iss",
    replaceLocation(
      "iss=https%3A%2F%2Fprovider.example",
      "iss=https%3A%2F%2Fother.example",
    ),
  ],
  ["no iss", "invalid_iss", replaceLocation("iss=", "other=")],
  [
    "an error",
    "access_denied",
    replaceLocation("code=", "error=access_denied&code="),
  ],
  ["no code", "missing_code", replaceLocation("code=", "other=")],
  [
    "no cookie",
    "missing_flow",
    (code) => code.replace("{ headers: { cookie } }", "{ headers: {} }"),
  ],
];

const examples = DOCUMENTS.flatMap(listExamples);
/** Parts of programs, each run by a test of its own. */
const excerpts = examples.filter(({ info }) => info.includes("/"));
/** Examples that need neither a certain runtime nor a certificate. */
const runnable = examples.filter(({ info }) => info === "ts ignore");
const others = examples.filter((example) =>
  !runnable.includes(example) && !excerpts.includes(example)
);
const callback =
  runnable.find(({ document, code }) =>
    document === "docs/oauth2/sign-in.md" && code.includes(LOCATION)
  )!.code;
const changed = CALLBACKS.map(([, , change]) => change(callback));

const outcomes = await runModules(
  [...runnable.map(({ code }) => code), ...changed],
  others.map(({ code }) => code),
);

Deno.test("examples are TypeScript", () => {
  assert(runnable.length > 0);
  for (const { info } of others) assert(info.startsWith("ts ignore "), info);
});

for (const { document, info, code } of excerpts) {
  const [, , path = ""] = info.split(" ");

  Deno.test(`${document} shows a part of ${path}`, () => {
    const flatten = (text: string) => text.replace(/^ +/gm, "");
    const program = readFileSync(ROOT + path, "utf8");
    assertStringIncludes(flatten(program), flatten(code));
  });
}

for (const [i, { document, heading, code }] of runnable.entries()) {
  Deno.test(`${document}, example ${i + 1}, under "${heading}", prints what its comments show`, () => {
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

Deno.test("the example of a sign-in, with its session cookie, takes at most 26 lines", () => {
  const [program = ""] = callback.split("const start = ");
  const lines = program.split("\n").filter((line) => line.trim() !== "");
  assert(lines.length <= 26, `${lines.length} lines`);
});

for (const [i, [title, code]] of CALLBACKS.entries()) {
  Deno.test(`the example of a callback refuses ${title}`, () => {
    assert(changed[i] !== callback, "the example is unchanged");
    const { printed, error } = outcomes[runnable.length + i]!;
    assertEquals(error, "");
    assertStringIncludes(printed, `\n400 ${code}\nundefined\n`);
  });
}
