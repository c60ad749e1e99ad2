/**
 * The single binary, as far as it can be tried without Deno's base binary:
 * embedded into `deno` itself it is made, but starts that instead.
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
import { fileURLToPath } from "node:url";
import { parseOptions } from "../../scripts/compile.ts";
import { compile } from "../../scripts/compile/compile.ts";
import { PROGRAM, readGraph } from "../../scripts/compile/graph.ts";
import { listLeftOut } from "../../scripts/compile/left_out.ts";
import { type Target, TARGETS } from "../../scripts/compile/targets.ts";
import { run } from "../../scripts/command.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { Process } from "../cep/_server.ts";
import { readEmbeddedFiles } from "./_embedded_files.ts";

/** The build of libSQL for each target. */
const NATIVE: Record<Target, string> = {
  "x86_64-unknown-linux-gnu": "@libsql/linux-x64-gnu",
  "aarch64-unknown-linux-gnu": "@libsql/linux-arm64-gnu",
  "x86_64-apple-darwin": "@libsql/darwin-x64",
  "aarch64-apple-darwin": "@libsql/darwin-arm64",
  "x86_64-pc-windows-msvc": "@libsql/win32-x64-msvc",
};

const target = TARGETS.find((it) => it === Deno.build.target);
const why = target ? "" : ` (ignored: no binary for ${Deno.build.target})`;

/** Every file in a folder of the repository, from its root. */
function listFiles(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory ? listFiles(path) : [path];
  });
}

Deno.test({
  name: `compile embeds what this target needs and nothing else${why}`,
  ignore: target === undefined,
  async fn() {
    await using folder = await TemporaryFolder.make("compile");
    const told = await compile({
      target: target!,
      output: join(folder.path, "carteiro-cep"),
      base: Deno.execPath(),
    });
    const { sources, packages, megabytes } = readEmbeddedFiles(told);
    const embeds = (path: string) =>
      sources.some((it) =>
        it === path || it.endsWith("/*") && path.startsWith(it.slice(0, -1))
      );

    const graph = await readGraph();
    const modules = graph.modules.map((it) =>
      relative(ROOT, fileURLToPath(it)).replaceAll("\\", "/")
    );
    assert(modules.includes(PROGRAM));
    assertEquals(modules.filter((it) => !embeds(it)), [], "modules");
    const assets = listFiles("cep")
      .filter((it) => !/\.(ts|md)$|\/LICENSE$/.test(it));
    assert(assets.includes("cep/deno.json"));
    assertEquals(assets.filter((it) => !embeds(it)), [], "assets");
    assertEquals(
      sources.filter((it) => !it.startsWith("cep/")),
      [],
      "nothing beside the service",
    );

    const native = packages.filter((it) => it.startsWith("@libsql/"));
    assertEquals(native, [NATIVE[target!]]);
    const known = graph.packages.map((it) => it.name);
    assertEquals(packages.filter((it) => !known.includes(it)), []);
    assertEquals(packages.filter((it) => /^@types\//.test(it)), []);
    assert(megabytes < 16, `${megabytes} MB are embedded`);
  },
});

Deno.test("the service does not miss what compile leaves out", async () => {
  await using folder = await TemporaryFolder.make("compile");
  const env = {
    DENO_DIR: await copyCache(join(folder.path, "cache")),
    // Of the lock file only what is imported, and no download of the rest.
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
  const metrics = await fetch(`${origin}/metrics`);
  assertStringIncludes(await metrics.text(), "# TYPE");
});

Deno.test("listLeftOut gives what no running program reads", async () => {
  await using folder = await TemporaryFolder.make("compile");
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
  const leftOut = await listLeftOut([{ name: "some", folder: folder.path }]);
  assertEquals(
    leftOut.map((it) => relative(folder.path, it).replaceAll("\\", "/")),
    [
      ...["examples", "index.d.cts", "index.d.ts", "index.js.map"],
      ...["lib/index.d.mts", "test"],
    ],
  );
});

Deno.test("listLeftOut gives a package for another C library as a whole", async () => {
  const packages = [
    { name: "@libsql/linux-x64-gnu", folder: "nowhere/gnu" },
    { name: "@libsql/linux-x64-musl", folder: "nowhere/musl" },
    { name: "@libsql/linux-arm-musleabihf", folder: "nowhere/arm" },
    { name: "muslin", folder: "nowhere/muslin" },
  ];
  assertEquals(await listLeftOut(packages), ["nowhere/arm", "nowhere/musl"]);
});

Deno.test({
  name:
    `parseOptions takes this system and a file in dist unless told otherwise${why}`,
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
  const [what, args] of Object.entries({
    "a target without a binary": ["--target", "x86_64-unknown-linux-musl"],
    "an unknown option": ["--bundle"],
    "an argument": ["cep/main.ts"],
  })
) {
  Deno.test(`parseOptions refuses ${what}`, () => {
    assertThrows(() => parseOptions(args), TypeError);
  });
}

/** A cache of the npm packages without what is left out. */
async function copyCache(folder: string): Promise<string> {
  const info = await run(Deno.execPath(), ["info", "--json"]);
  const { npmCache } = JSON.parse(info);
  const { packages } = await readGraph();
  const leftOut = new Set(await listLeftOut(packages));
  for (const { folder: source } of packages) {
    const copy = join(folder, "npm", relative(npmCache, source));
    await mkdir(copy, { recursive: true });
    if (leftOut.has(source) || !existsSync(source)) continue;
    const filter = (it: string) => !leftOut.has(it);
    await cp(source, copy, { recursive: true, filter });
  }
  return folder;
}
