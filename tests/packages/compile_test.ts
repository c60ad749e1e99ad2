/**
 * Executable, as far as it can be tested without Deno's base binary: embedded
 * into `deno`, it runs `deno` instead of the program.
 */
import {
  assert,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import {
  compile,
  listLeftOut,
  listPackages,
  parseOptions,
  TARGETS,
} from "../../scripts/compile.ts";
import { run } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { Process } from "../cep/_process.ts";
import { readEmbeddedFiles } from "./_embedded_files.ts";

/** Package with the native library, by target. */
const NATIVE: Record<(typeof TARGETS)[number], string> = {
  "x86_64-unknown-linux-gnu": "@libsql/linux-x64-gnu",
  "aarch64-unknown-linux-gnu": "@libsql/linux-arm64-gnu",
  "x86_64-apple-darwin": "@libsql/darwin-x64",
  "aarch64-apple-darwin": "@libsql/darwin-arm64",
  "x86_64-pc-windows-msvc": "@libsql/win32-x64-msvc",
};

const target = TARGETS.find((it) => it === Deno.build.target);
const why = target ? "" : ` (ignored: no target ${Deno.build.target})`;

Deno.test({
  name: `compile embeds the service and the packages that it needs${why}`,
  ignore: target === undefined,
  async fn() {
    using folder = new TemporaryFolder("compile");
    const output = await compile({
      target: target!,
      output: join(folder.path, "carteiro-cep"),
      base: Deno.execPath(),
    });
    const { sources, packages, megabytes } = readEmbeddedFiles(output);
    const others = sources.filter((it) => !/^cep\/(?!README)/.test(it));
    assertEquals([sources.length > 0, others], [true, []]);
    const native = packages.filter((it) =>
      /^@libsql\/(?:linux|darwin|win32)-/.test(it)
    );
    assertEquals(native, [NATIVE[target!]]);
    const known = (await listPackages()).map((it) => it.name);
    assertEquals(packages.filter((it) => !known.includes(it)), []);
    assertEquals(packages.filter((it) => /^@types\//.test(it)), []);
    assert(megabytes < 17, `${megabytes} MB are embedded`);
  },
});

Deno.test("the service runs without the files that listLeftOut lists", async () => {
  using folder = new TemporaryFolder("compile");
  const env = {
    DENO_DIR: await copyCache(join(folder.path, "cache")),
    // Only imported packages, without downloading missing ones.
    DENO_UNSTABLE_NPM_LAZY_CACHING: "1",
    HTTPS_PROXY: "http://127.0.0.1:1",
    DB_PATH: join(folder.path, "data"),
    DB_RAW_PATH: join(ROOT, "samples", "dne"),
  };
  await using seeding = Process.main({ ...env, MODE: "seed" });
  const { code, stderr } = await seeding.ended;
  assertEquals(code, 0, stderr);
  await using listening = Process.main({ ...env, MODE: "listen" });
  const origin = `http://127.0.0.1:${await listening.port()}`;
  const lookup = await fetch(`${origin}/cep/01310100`);
  assertEquals((await lookup.json()).logradouro, "Avenida Paulista");
  const page = await fetch(`${origin}/`);
  assertStringIncludes(await page.text(), "<!doctype html>");
  const metrics = await fetch(`${origin}/metrics`);
  assertStringIncludes(await metrics.text(), "# TYPE");
});

Deno.test("listLeftOut lists declarations, source maps, tests and documentation", async () => {
  using folder = new TemporaryFolder("compile");
  const files = [
    ...["package.json", "README.md", "LICENSE", "index.js", "map.js"],
    ...["index.d.ts", "index.d.cts", "index.js.map", "types.ts"],
    ...["test/sample.js", "examples/index.js", "lib/test/index.js"],
    ...["lib/index.d.mts", "test/index.d.ts"],
  ];
  for (const file of files) {
    const path = join(folder.path, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
  }
  const leftOut = await listLeftOut([
    { name: "some", localPath: folder.path },
  ]);
  assertEquals(
    leftOut.map((it) => relative(folder.path, it).replaceAll("\\", "/")),
    [
      ...["README.md", "examples", "index.d.cts", "index.d.ts"],
      ...["index.js.map", "lib/index.d.mts", "test", "test/index.d.ts"],
    ],
  );
});

Deno.test("listLeftOut lists the folder of a package for musl", async () => {
  const packages = [
    { name: "@libsql/linux-x64-gnu", localPath: "nowhere/gnu" },
    { name: "@libsql/linux-x64-musl", localPath: "nowhere/musl" },
    { name: "@libsql/linux-arm-musleabihf", localPath: "nowhere/arm" },
    { name: "muslin", localPath: "nowhere/muslin" },
  ];
  assertEquals(await listLeftOut(packages), ["nowhere/arm", "nowhere/musl"]);
});

Deno.test({
  name: `parseOptions defaults to this system and a file in dist${why}`,
  ignore: target === undefined,
  fn() {
    const output = resolve("dist/carteiro-cep");
    assertEquals(parseOptions([]), { target: target!, output });
  },
});

Deno.test("parseOptions reads --target and --output", () => {
  assertEquals(
    parseOptions(["--target", "aarch64-apple-darwin", "--output", "some/cep"]),
    { target: "aarch64-apple-darwin", output: resolve("some/cep") },
  );
});

for (
  const [name, args] of Object.entries({
    "an unknown target": ["--target", "x86_64-unknown-linux-musl"],
    "an unknown option": ["--bundle"],
    "an argument": ["cep/main.ts"],
  })
) {
  Deno.test(`parseOptions refuses ${name}`, () => {
    assertThrows(() => parseOptions(args), TypeError);
  });
}

/** Copies the packages in the cache of Deno, without the listed files. */
async function copyCache(folder: string): Promise<string> {
  const info = await run([Deno.execPath(), "info", "--json"]);
  const { npmCache } = JSON.parse(info);
  const packages = await listPackages();
  const leftOut = new Set(await listLeftOut(packages));
  for (const { localPath } of packages) {
    const copy = join(folder, "npm", relative(npmCache, localPath));
    await mkdir(copy, { recursive: true });
    if (leftOut.has(localPath) || !existsSync(localPath)) continue;
    const filter = (it: string) => !leftOut.has(it);
    await cp(localPath, copy, { recursive: true, filter });
  }
  return folder;
}
