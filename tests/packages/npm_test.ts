/** The packages for npm, from their sources to an import on Node. */
import { assert, assertEquals } from "@std/assert";
import { unpackTar } from "modern-tar";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { buildPackages, type Package } from "../../scripts/npm/build.ts";
import { withInstalled } from "../../scripts/npm/install.ts";
import { SOURCES } from "../../scripts/npm/packages.ts";
import { readTarball } from "../../scripts/npm/tarball.ts";
import { tryCommands, tryImports } from "../../scripts/npm/try_node.ts";
import { NODE_MAJORS, nodeBinary } from "../../scripts/runtimes/node.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** What a `deno.json` says of a package. */
interface Declared {
  readonly name: string;
  readonly version: string;
  readonly exports: string | Readonly<Record<string, string>>;
}

const DECLARED = new Map(
  SOURCES.map(({ folder }) => [
    folder,
    readJson<Declared>(`${folder}/deno.json`),
  ]),
);
const { repo } = readJson<{ repo: string }>("cep/build.json");

let folder = "";
let packages: Package[] = [];

Deno.test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "npm-test-"));
  packages = await buildPackages(join(folder, "first"));
});

Deno.test.afterAll(async () => {
  await rm(folder, { recursive: true });
});

function readJson<T>(path: string): T {
  return JSON.parse(Deno.readTextFileSync(join(ROOT, path)));
}

function find(name: string): Package {
  return packages.find((it) => it.name === name)!;
}

async function readManifest(name: string): Promise<Record<string, unknown>> {
  const files = await readTarball(find(name).path);
  return JSON.parse(new TextDecoder().decode(files.get("package.json")));
}

for (const { folder: home, command, ...source } of SOURCES) {
  const { name, version, exports } = DECLARED.get(home)!;
  const directory = home === "." ? {} : { directory: home };

  Deno.test(`buildPackages gives ${name} a complete package.json`, async () => {
    const manifest = await readManifest(name);
    // What is compared by tests of their own.
    delete manifest.exports;
    delete manifest.dependencies;
    assertEquals(manifest, {
      name,
      version,
      description: source.description,
      keywords: source.keywords,
      homepage: home === "."
        ? `${repo}#readme`
        : `${repo}/tree/HEAD/${home}#readme`,
      bugs: { url: `${repo}/issues` },
      repository: { type: "git", url: `git+${repo}.git`, ...directory },
      type: "module",
      license: "MIT",
      main: "./mod.js",
      types: "./mod.d.ts",
      ...(command === undefined ? {} : { bin: { [command]: "bin.js" } }),
      sideEffects: false,
      engines: { node: ">=22.12" },
      publishConfig: { access: "public", provenance: true },
    });
  });

  Deno.test(`buildPackages exports of ${name} what its deno.json exports`, async () => {
    const sources = typeof exports === "string" ? { ".": exports } : exports;
    const manifest = await readManifest(name);
    assertEquals(
      manifest.exports,
      Object.fromEntries(
        Object.entries(sources).map(([subpath, path]) => {
          const js = path.replace(/\.ts$/, ".js");
          const types = path.replace(/\.ts$/, ".d.ts");
          return [subpath, { types, import: js, default: js }];
        }),
      ),
    );
    assertEquals(
      find(name).specifiers,
      Object.keys(sources).map((subpath) => name + subpath.slice(1)),
    );
  });

  Deno.test(`buildPackages puts into ${name} compiled sources and what goes with them`, async () => {
    const paths = [...(await readTarball(find(name).path)).keys()];
    for (const path of ["LICENSE", "README.md", "mod.js", "mod.d.ts"]) {
      assert(paths.includes(path), path);
    }
    const json = home === "cep" ? ["build.json", "deno.json"] : [];
    assertEquals(
      paths.filter((path) =>
        path.includes("test") || path.includes("example") ||
        !/\.js$|\.d\.ts$|^README(\.pt-BR)?\.md$/.test(path)
      ).sort(),
      ["LICENSE", ...json, "package.json"],
    );
  });

  Deno.test(`buildPackages tells in ${name} nothing of the machine`, async () => {
    const files = await readTarball(find(name).path);
    assert(files.size > 0);
    for (const [path, bytes] of files) {
      const text = new TextDecoder().decode(bytes);
      for (const trace of [ROOT, "file://", "sourceMappingURL"]) {
        assert(!text.includes(trace), `${path} has ${trace}`);
      }
    }
  });
}

Deno.test("buildPackages makes of the umbrella one that depends on the others", async () => {
  const { name, version } = DECLARED.get(".")!;
  const { dependencies } = await readManifest(name);
  assertEquals(dependencies, {
    "@carteiro/cep": version,
    "@carteiro/oauth2": version,
  });
  assertEquals([...(await readTarball(find(name).path)).keys()].sort(), [
    "LICENSE",
    "README.md",
    "mod.d.ts",
    "mod.js",
    "package.json",
  ]);
});

for (const home of ["cep", "oauth2"]) {
  const { name } = DECLARED.get(home)!;
  Deno.test(`buildPackages makes ${name} depend on none of the others`, async () => {
    const { dependencies } = await readManifest(name);
    const names = Object.keys(dependencies as Record<string, string>);
    assert(names.length > 0);
    assertEquals(names.filter((it) => it.startsWith("@carteiro/")), []);
  });
}

Deno.test("buildPackages makes the same bytes each time", async () => {
  const again = await buildPackages(join(folder, "second"));
  assertEquals(again.length, packages.length);
  for (const { name, path } of again) {
    assert((await readFile(path)).equals(await readFile(find(name).path)));
  }
});

Deno.test("buildPackages lets nothing be run but the command", async () => {
  const { path } = find("@carteiro/cep");
  const entries = await unpackTar(gunzipSync(await readFile(path)));
  assertEquals(
    entries.filter(({ header }) => header.mode !== 0o644)
      .map(({ header }) => [header.name, header.mode]),
    [["package/bin.js", 0o755]],
  );
});

Deno.test("the packages are imported, required and run on the oldest Node", async () => {
  const node = await nodeBinary(NODE_MAJORS[0]);
  const place = await withInstalled(packages, async (installation) => {
    await tryImports(installation, node);
    await tryCommands(installation, node);
    return installation.folder;
  });
  assert(!existsSync(place), "the folder is left over");
});
