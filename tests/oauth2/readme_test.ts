/** Runs the examples of the README as their readers would. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const README = await Deno.readTextFile(new URL("oauth2/README.md", ROOT));

/** Block of code, and the heading above it for the name of a test. */
interface Example {
  heading: string;
  /** Words after the backticks. */
  info: string;
  code: string;
}

/** Finds the blocks of code, but for those of a shell. */
function findExamples(): Example[] {
  let heading = "";
  const examples: Example[] = [];
  const parts = README.matchAll(/^#+ (.+)$|^```(.+)\n([^]*?)^```$/gm);
  for (const [, title, info, code] of parts) {
    if (title !== undefined) heading = title;
    else if (info !== "sh") {
      examples.push({ heading, info: info!, code: code! });
    }
  }
  return examples;
}

/** Runs deno where the README's imports mean this library. */
async function deno(...args: string[]) {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: fileURLToPath(ROOT),
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return {
    success,
    printed: decoder.decode(stdout),
    errors: decoder.decode(stderr),
  };
}

/** Runs an example with the server of the README. */
function runExample(path: string) {
  return deno(
    ...["run", "--no-check", "--no-prompt", "--config", "deno.json"],
    ...["--preload", "tests/oauth2/_readme_provider.ts", path],
  );
}

/** Keeps examples in files while they are used. */
async function withFiles(
  codes: readonly string[],
  use: (paths: string[]) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const paths = codes.map((_, i) => `${folder}/example_${i + 1}.ts`);
    for (const [i, path] of paths.entries()) {
      await Deno.writeTextFile(path, codes[i]!);
    }
    await use(paths);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Lines that `console.log` prints, by the comments beside it; "…" ends one. */
function expectedLines(code: string): (string | undefined)[] {
  return [...code.matchAll(/console\.log\(.*?\);(?: \/\/ (.*))?$/gm)]
    .map(([, comment]) => comment?.split("…")[0]);
}

/** Parts of what an example prints, by the comment at its end; "…" is left out. */
function expectedParts(code: string): string[] {
  const [comment = ""] = /(?<=\n)(?:\/\/ .*\n)+$/.exec(code) ?? [];
  return comment.replace(/^\/\/ +/gm, "").split("…")
    .map((part) => part.replaceAll("\n", " ").trim())
    .filter((part) => part !== "");
}

const examples = findExamples();
/** Examples that the server of the README answers; the others need a runtime or a certificate. */
const runnable = examples.filter(({ info }) => info === "ts ignore");

Deno.test("README examples are TypeScript, and run but for two", () => {
  const others = examples.filter((example) => !runnable.includes(example));
  assertEquals(others.map(({ info }) => info), [
    "ts ignore deno",
    "ts ignore node",
  ]);
  assert(runnable.length >= 10);
});

// With `--preload`, `deno run` does not check types: they are checked apart.
Deno.test("README examples have right types", async () => {
  await withFiles(examples.map(({ code }) => code), async (paths) => {
    const { success, errors } = await deno(
      ...["check", "--config", "deno.json", ...paths],
    );
    assert(success, errors);
  });
});

for (const [i, { heading, code }] of runnable.entries()) {
  Deno.test(`README example ${i + 1}, under "${heading}", runs`, async () => {
    await withFiles([code], async ([path]) => {
      const { success, printed, errors } = await runExample(path!);
      assert(success, errors);
      const lines = printed.trim().split("\n");
      for (const [i, expected] of expectedLines(code).entries()) {
        if (expected === undefined) continue;
        assertEquals(lines[i]?.slice(0, expected.length), expected);
      }
      for (const part of expectedParts(code)) {
        assertStringIncludes(printed, part);
      }
    });
  });
}

/** Changes of the callback by the reasons for which the example refuses it. */
const CALLBACKS: Readonly<Record<string, [from: string, to: string]>> = {
  "state is not of this session": ["state=", "state=x"],
  "state is repeated": ["?", "?state=x&"],
  "iss is https://other.example": [
    "iss=https%3A%2F%2Fprovider.example",
    "iss=https%3A%2F%2Fother.example",
  ],
  "iss is undefined": ["iss=", "other="],
  "the error is access_denied": ["code=", "error=access_denied&code="],
  "code is missing": ["code=", "other="],
};
const LOCATION = 'headers.get("location")!';

for (const [reason, change] of Object.entries(CALLBACKS)) {
  Deno.test(`README example of a callback refuses it if ${reason}`, async () => {
    const { code } = runnable.find(({ code }) => code.includes(LOCATION))!;
    const args = change.map((text) => JSON.stringify(text)).join(", ");
    const changed = code.replace(LOCATION, `${LOCATION}.replace(${args})`);
    await withFiles([changed], async ([path]) => {
      const { errors } = await runExample(path!);
      assertStringIncludes(errors, `Cannot end the login: ${reason}\n`);
    });
  });
}

Deno.test("README example of a callback refuses an ID token with another nonce", async () => {
  const { code } = runnable.find(({ code }) => code.includes(LOCATION))!;
  const changed = code.replace(
    "callback(back, session)",
    'callback(back, { ...session, nonce: "x" })',
  );
  await withFiles([changed], async ([path]) => {
    const { errors } = await runExample(path!);
    assertStringIncludes(errors, "nonce is not of this session");
  });
});
