/** What would be published as sources. */
import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { SOURCES } from "../../scripts/npm/packages.ts";

const ROOT = new URL("../../", import.meta.url);

for (const { folder } of SOURCES) {
  const home = new URL(`${folder}/`, ROOT);
  const { name, exports } = JSON.parse(
    Deno.readTextFileSync(new URL("deno.json", home)),
  );

  Deno.test(`deno publish sends sources of ${name} and what goes with them`, async () => {
    const { success, text } = await tryPublish(home);
    assert(success, text);
    assert(!/warning|slow type \[|allow-slow-types/i.test(text), text);
    const paths = [...text.matchAll(/^ +(file:\S+) \(.*\)$/gm)]
      .map(([, url]) => url!.slice(home.href.length));
    const sources: string[] = typeof exports === "string"
      ? [exports]
      : Object.values(exports);
    for (
      const path of [
        ...["LICENSE", "README.md", "deno.json"],
        ...sources.map((source) => source.slice("./".length)),
      ]
    ) {
      assert(paths.includes(path), path);
    }
    const json = folder === "cep" ? ["build.json"] : [];
    assertEquals(
      paths.filter((path) =>
        /(?:^|\/)(?:tests?|examples|scripts)\/|_test\.ts$/.test(path) ||
        !/\.ts$|^README(\.pt-BR)?\.md$/.test(path)
      ).sort(),
      ["LICENSE", ...json, "deno.json"],
    );
  });
}

async function tryPublish(
  home: URL,
): Promise<{ success: boolean; text: string }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run", "--allow-dirty"],
    cwd: fileURLToPath(home),
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}
