/** Examples of the README and of its chapters: types, and what they print. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { run } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import {
  assertShown,
  isRunnable,
  listExamples,
  type Outcome,
  PROVIDER,
  readOutcomes,
  writeRunner,
} from "./_readme_examples.ts";

/**
 * Checks the types of modules and runs the first ones, one after the other, in
 * a process where `fetch` reaches the provider of the README.
 */
async function runModules(
  runnable: readonly string[],
  others: readonly string[],
): Promise<Outcome[]> {
  using folder = new TemporaryFolder("oauth2-readme");
  const write = (code: string, i: number) => {
    writeFileSync(`${folder.path}/example_${i}.ts`, code);
    return `./example_${i}.ts`;
  };
  const modules = [...runnable, ...others].map(write);
  const program = writeRunner(PROVIDER, modules.slice(0, runnable.length));
  const checked = modules.slice(runnable.length)
    .map((path) => `() => import("${path}");\n`);
  writeFileSync(`${folder.path}/main.ts`, program + "\n" + checked.join(""));
  const text = await run([
    process.execPath,
    ...["run", "--check", "--config", `${ROOT}deno.json`],
    // Without a permission flag, Deno starts itself with all permissions.
    ...["--no-prompt", "--deny-net", "main.ts"],
  ], { cwd: folder.path, env: { NO_COLOR: "1" } });
  return readOutcomes(text);
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

const examples = listExamples();
/** Parts of programs, each run by a test of its own. */
const excerpts = examples.filter(({ info }) => info.includes("/"));
const runnable = examples.filter(isRunnable);
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
    assertShown(outcomes[i]!, code);
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
