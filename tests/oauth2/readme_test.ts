/** Runs the examples of the README as their readers would. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const README = await Deno.readTextFile(new URL("oauth2/README.md", ROOT));

/** What a heading is followed by, for the name of a test. */
interface Example {
  heading: string;
  code: string;
}

function findExamples(kind: string): Example[] {
  let heading = "";
  const examples: Example[] = [];
  const parts = README.matchAll(/^#+ (.+)$|^```(.+)\n([^]*?)^```$/gm);
  for (const [, title, info, code] of parts) {
    if (title !== undefined) heading = title;
    else if (info === kind && code !== undefined) {
      examples.push({ heading, code });
    }
  }
  return examples;
}

/** Runs the arguments of deno where the README's imports mean this library. */
async function deno(...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: fileURLToPath(ROOT),
    env: { NO_COLOR: "1" },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
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

/** What the comments beside `console.log` say that it prints; "…" ends it. */
function expectedLines(code: string): (string | undefined)[] {
  return [...code.matchAll(/console\.log\(.*?\);(?: \/\/ (.*))?$/gm)]
    .map(([, comment]) => comment?.split("…")[0]);
}

/** The parts of the comment at the end of an example, which is what it prints; "…" is left out. */
function expectedParts(code: string): string[] {
  const [comment = ""] = /(?<=\n)(?:\/\/ .*\n)+$/.exec(code) ?? [];
  return comment.replace(/^\/\/ +/gm, "").split("…")
    .map((part) => part.replaceAll("\n", " ").trim())
    .filter((part) => part !== "");
}

const examples = findExamples("ts ignore");

Deno.test("README has examples", () => {
  assert(examples.length >= 10);
});

// With `--preload`, `deno run` does not check types: they are checked apart.
Deno.test("README examples have right types", async () => {
  const codes = [...examples, ...findExamples("ts ignore deno")]
    .map(({ code }) => code);
  await withFiles(codes, async (paths) => {
    await deno("check", "--config", "deno.json", ...paths);
  });
});

for (const [i, { heading, code }] of examples.entries()) {
  Deno.test(`README example ${i + 1}, under "${heading}", runs`, async () => {
    await withFiles([code], async (paths) => {
      const printed = await deno(
        ...["run", "--no-check", "--no-prompt", "--config", "deno.json"],
        ...["--preload", "tests/oauth2/_readme_provider.ts", ...paths],
      );
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
