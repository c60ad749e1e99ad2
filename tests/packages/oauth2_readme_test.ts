/** Examples of the documents of `oauth2`, with its tarball. */
import { assertEquals } from "@std/assert";
import { build, stop, transform } from "esbuild";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Files } from "../../scripts/npm/build.ts";
import { run } from "../../scripts/process.ts";
import { NODE_MAJORS, nodeBinary } from "../../scripts/runtimes/node.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import {
  assertShown,
  isRunnable,
  listExamples,
  type Outcome,
  PROVIDER,
  readOutcomes,
  writeRunner,
} from "../oauth2/_readme_examples.ts";
import { Compiler, RESOLUTIONS } from "./_compiler.ts";
import { packOauth2 } from "./_oauth2.ts";

const NAME = "@carteiro/oauth2";

/** Runs modules on the oldest supported Node, beside an installed package. */
async function runOnNode(
  codes: readonly string[],
  files: Files,
): Promise<Outcome[]> {
  using folder = new TemporaryFolder("oauth2-readme");
  for (const [path, bytes] of files) {
    const target = join(folder.path, "node_modules", NAME, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
  await build({
    // It is not installed here.
    alias: { jose: fileURLToPath(import.meta.resolve("jose")) },
    bundle: true,
    entryPoints: [fileURLToPath(PROVIDER)],
    format: "esm",
    outfile: join(folder.path, "provider.mjs"),
  });
  const modules = codes.map((_, i) => `./example_${i}.mjs`);
  for (const [i, code] of codes.entries()) {
    const translated = await transform(code, { loader: "ts" });
    await writeFile(join(folder.path, modules[i]!), translated.code);
  }
  const main = join(folder.path, "main.mjs");
  await writeFile(main, writeRunner("./provider.mjs", modules));
  const node = await nodeBinary(NODE_MAJORS[0]);
  return readOutcomes(await run([node, main], { env: { NO_COLOR: "1" } }));
}

const files = await packOauth2();
const compilers = RESOLUTIONS.map((resolution) =>
  [resolution, new Compiler(NAME, files, resolution)] as const
);
const examples = listExamples().filter(isRunnable);
const codes = examples.map(({ code }) => code);
const outcomes = await runOnNode(codes, files).finally(stop);

for (const [i, { document, heading, code }] of examples.entries()) {
  const title = `${document}, example ${i + 1}, under "${heading}",`;

  for (const [resolution, compiler] of compilers) {
    Deno.test(`${title} compiles from the tarball with ${resolution}`, () => {
      assertEquals(compiler.errors(code), []);
    });
  }

  Deno.test(`${title} prints on Node what its comments show`, () => {
    const { printed, error } = outcomes[i]!;
    // Node prints strings in single quotes, Deno in double quotes.
    assertShown({ printed: printed.replaceAll("'", '"'), error }, code);
  });
}
