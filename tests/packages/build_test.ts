import { assert, assertEquals } from "@std/assert";
import { unpackTar } from "modern-tar";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import origin from "../../cep/build.json" with { type: "json" };
import {
  buildPackages,
  type Package,
  readTarball,
} from "../../scripts/npm/build.ts";
import { readDeclarations, SOURCES } from "../../scripts/npm/packages.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";

const { repo } = origin;
const declarations = await readDeclarations();
const versions = Object.fromEntries(
  declarations.map(({ name, version }) => [name, version]),
);

let folder: TemporaryFolder;
let packages: Package[] = [];

Deno.test.beforeAll(async () => {
  folder = new TemporaryFolder("build");
  packages = await buildPackages(join(folder.path, "first"));
});

Deno.test.afterAll(() => folder[Symbol.dispose]());

function find(name: string): Package {
  return packages.find((it) => it.name === name)!;
}

async function readManifest(name: string): Promise<Record<string, unknown>> {
  const files = await readTarball(find(name).path);
  return JSON.parse(new TextDecoder().decode(files.get("package.json")));
}

for (const [i, { folder: home, command, ...source }] of SOURCES.entries()) {
  const { name, version, exports } = declarations[i]!;
  const directory = home === "." ? {} : { directory: home };

  Deno.test(`buildPackages completes the package.json of ${name}`, async () => {
    const manifest = await readManifest(name);
    // Compared by other tests.
    delete manifest.exports;
    delete manifest.dependencies;
    const optional = Object.entries(source.optional ?? {});
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
      ...(optional.length > 0 && {
        peerDependencies: Object.fromEntries(optional),
        peerDependenciesMeta: Object.fromEntries(
          optional.map(([it]) => [it, { optional: true }]),
        ),
      }),
    });
  });

  Deno.test(`buildPackages keeps the exports of ${name} in its deno.json`, async () => {
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

  Deno.test(`buildPackages does not include paths of this machine in ${name}`, async () => {
    const files = await readTarball(find(name).path);
    for (const path of ["LICENSE", "README.md", "mod.js", "mod.d.ts"]) {
      assert(files.has(path), path);
    }
    for (const [path, bytes] of files) {
      const text = new TextDecoder().decode(bytes);
      for (const trace of [ROOT, "file://", "sourceMappingURL"]) {
        assert(!text.includes(trace), `${path} has ${trace}`);
      }
    }
  });
}

Deno.test("buildPackages makes the umbrella depend on exact versions", async () => {
  const { dependencies } = await readManifest("@carteiro/kit");
  const { "@carteiro/kit": _, ...others } = versions;
  assertEquals(dependencies, others);
  const files = await readTarball(find("@carteiro/kit").path);
  assertEquals([...files.keys()].sort(), [
    "LICENSE",
    "README.md",
    "mod.d.ts",
    "mod.js",
    "package.json",
  ]);
});

for (const name of ["@carteiro/cep", "@carteiro/oauth2"]) {
  Deno.test(`buildPackages makes ${name} independent of the other packages`, async () => {
    const { dependencies } = await readManifest(name);
    const names = Object.keys(dependencies as Record<string, string>);
    assertEquals(names.filter((it) => it in versions), []);
    assertEquals(names.length > 0, name === "@carteiro/cep");
  });
}

Deno.test("buildPackages makes the same bytes from the same sources", async () => {
  const again = await buildPackages(join(folder.path, "second"));
  assertEquals(again.length, packages.length);
  for (const { name, path } of again) {
    assert((await readFile(path)).equals(await readFile(find(name).path)));
  }
});

Deno.test("buildPackages makes only the command executable", async () => {
  const { path } = find("@carteiro/cep");
  const entries = await unpackTar(gunzipSync(await readFile(path)));
  assertEquals(
    entries.filter(({ header }) => header.mode !== 0o644)
      .map(({ header }) => [header.name, header.mode]),
    [["package/bin.js", 0o755]],
  );
});
