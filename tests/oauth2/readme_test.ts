/** Runs the examples of the README as their readers would. */
import { assert, assertEquals } from "@std/assert";
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

async function withFile<T>(
  code: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, code);
    return await use(path);
  } finally {
    await Deno.remove(path);
  }
}

/** What the comments beside `console.log` say that it prints; "…" ends it. */
function expectedLines(code: string): (string | undefined)[] {
  return [...code.matchAll(/console\.log\(.*?\);(?: \/\/ (.*))?$/gm)]
    .map(([, comment]) => comment?.split("…")[0]);
}

const examples = findExamples("ts ignore");

Deno.test("README has examples", () => {
  assert(examples.length >= 10);
});

for (const [i, { heading, code }] of examples.entries()) {
  Deno.test(`README example ${i + 1}, under "${heading}", runs`, async () => {
    const printed = await withFile(code, (path) =>
      deno(
        ...["run", "--check", "--no-prompt", "--config", "deno.json"],
        ...["--preload", "tests/oauth2/_readme_provider.ts", path],
      ));
    const lines = printed.trim().split("\n");
    for (const [i, expected] of expectedLines(code).entries()) {
      if (expected === undefined) continue;
      assertEquals(lines[i]?.slice(0, expected.length), expected);
    }
  });
}

for (const { heading, code } of findExamples("ts ignore deno")) {
  Deno.test(`README example for Deno under "${heading}" has right types`, async () => {
    await withFile(
      code,
      (path) => deno("check", "--config", "deno.json", path),
    );
  });
}
