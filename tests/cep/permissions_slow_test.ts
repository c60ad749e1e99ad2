/** Permissions of Deno that the READMEs and the tasks give the service. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { SETTINGS } from "../../cep/settings/config.ts";
import type { Command } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { readCepDocuments, readJson, readText } from "../house/_repository.ts";
import { type Environment, outputOf } from "../_program.ts";
import { SAMPLE, SAMPLE_CNEFE, SAMPLE_DELTA } from "../_sample.ts";
import { Process, runSeed } from "./_process.ts";

/** Permissions of the table in a README, by the use in its first column. */
function readPermissions(markdown: string): Map<string, string[]> {
  const variables = new Map(
    [...markdown.matchAll(/^(ENV|SYS)='?([^'\n]*)'?$/gm)]
      .map(([, name, value]) => [name!, value!]),
  );
  const rows = markdown.matchAll(/^\| ([^|]*) \| `([^|`]*--allow-[^|`]*)`/gm);
  return new Map([...rows].map(([, use, flags]) => [
    use!.replaceAll(/[` ]/g, ""),
    flags!.replaceAll(/\$(\w+)/g, (_, name) => variables.get(name) ?? "")
      .split(" "),
  ]));
}

const PERMISSIONS = readPermissions(readCepDocuments("en"));

const EVERY_MODE = PERMISSIONS.get("everymode") ?? [];

/** Folder with a database, an input and settings for every mode. */
class Place implements Disposable {
  readonly #folder = new TemporaryFolder("permissions");
  readonly database = join(this.#folder.path, "data");
  readonly site = join(this.#folder.path, "site");
  readonly input = join(this.#folder.path, "input.csv");
  readonly output = join(this.#folder.path, "output.csv");

  constructor() {
    writeFileSync(this.input, "endereco\nav paulista 1578 sao paulo\n");
    mkdirSync(this.database);
  }

  /** Settings of a mode. */
  settings(mode: string): Environment {
    const match = { MATCH_INPUT: this.input, MATCH_OUTPUT: this.output };
    return {
      MODE: mode.replace("folder", "export"),
      DB_PATH: this.database,
      API_HOST: "127.0.0.1",
      API_PORT: "0",
      DB_RAW_PATH: mode === "update" ? SAMPLE_DELTA : SAMPLE,
      CNEFE_PATH: SAMPLE_CNEFE,
      ...(mode === "folder" && {
        EXPORT_FORMAT: "static",
        EXPORT_PATH: this.site,
      }),
      ...(mode === "match" ? match : {}),
    };
  }

  /** Flags of the README for a mode. */
  flags(mode: string): string[] {
    const use = { seed: "seed,update", update: "seed,update" }[mode] ??
      { folder: "afolderasexport" }[mode] ?? mode;
    const settings = this.settings(mode);
    const flags = [...EVERY_MODE, ...PERMISSIONS.get(use) ?? []];
    return withSettings(flags, settings);
  }

  /** Runs a mode to its end. */
  run(mode: string, flags = this.flags(mode)) {
    return outputOf(command(flags), this.settings(mode));
  }

  /** Starts a server. */
  listen(flags: readonly string[], settings: Environment = {}): Process {
    return Process.start(command(flags), {
      ...this.settings("listen"),
      API_RATE_LIMIT_ENABLE: "false",
      ...settings,
    });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

/** Replaces the names of settings in flags by their values. */
function withSettings(
  flags: readonly string[],
  settings: Environment,
): string[] {
  return flags.map((flag) =>
    flag.startsWith("--allow-env") ? flag : flag.replaceAll(
      /[A-Z]+_[A-Z_]+/g,
      (name) => settings[name] ?? name,
    )
  );
}

function command(flags: readonly string[]): Command {
  return [process.execPath, "run", ...flags, join(ROOT, "cep/main.ts")];
}

/** Requests to every feature, and a text of the answer to each. */
const FEATURES: readonly (readonly [string, RequestInit, string])[] = [
  ["/cep/01310100", {}, "Avenida Paulista"],
  ["/cep/01310100/historico", {}, '"total"'],
  ["/ceps", posted('["01310100"]'), "Avenida Paulista"],
  ["/busca?q=av+paulista", {}, "Avenida Paulista"],
  ["/enderecos", posted('{"endereco":"av paulista 1578 sp"}'), "pontuacao"],
  ["/estados", {}, "São Paulo"],
  ["/municipios/3550308/bairros", {}, "Bela Vista"],
  ["/ws/01310100/xml", {}, "Avenida Paulista"],
  ["/healthcheck", {}, '"ok"'],
  ["/metrics", {}, "process_resident_memory_bytes"],
  ["/debug/stats", {}, "por_uf"],
  ["/openapi.json", {}, "openapi"],
];

function posted(body: string): RequestInit {
  return {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "accept-encoding": "gzip" },
  };
}

async function tryFeatures(server: Process): Promise<void> {
  const port = await server.port();
  for (const [path, init, text] of FEATURES) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const body = await response.text();
    assertEquals(response.status, 200, path);
    assert(body.includes(text), `${path}: ${body.slice(0, 200)}`);
  }
  server.kill("SIGTERM");
  assertEquals((await server.end()).code, 0);
  const failures = server.lines.filter(({ level }) => level !== "INFO");
  assertEquals(failures, []);
}

Deno.test("the permissions of the README suffice for every mode and feature", async (t) => {
  using place = new Place();
  for (
    const mode of [
      "seed",
      "export",
      "folder",
      "match",
      "compare",
      "update",
      "upgrade",
    ]
  ) {
    await t.step(`MODE=${mode}`, async () => {
      const { code, stdout, stderr } = await place.run(mode);
      assertEquals(code, 0, stdout.slice(-500) + stderr.slice(-500));
    });
  }
  for (const seconds of ["0", "10"]) {
    await t.step(`MODE=listen with API_HEADER_SECONDS=${seconds}`, async () => {
      const settings = { API_HEADER_SECONDS: seconds };
      await using server = place.listen(place.flags("listen"), settings);
      await tryFeatures(server);
    });
  }
});

Deno.test("every permission of the README is needed, and is named if it is missing", async (t) => {
  using place = new Place();
  await runSeed(place.database, SAMPLE, { CNEFE_PATH: SAMPLE_CNEFE });
  for (
    const mode of [
      "seed",
      "update",
      "upgrade",
      "export",
      "folder",
      "match",
      "compare",
      "listen",
    ]
  ) {
    for (const flag of place.flags(mode)) {
      if (flag === "--no-prompt") continue;
      const [name = ""] = flag.split("=");
      await t.step(`MODE=${mode} without ${name}`, async () => {
        const flags = place.flags(mode).filter((it) => it !== flag);
        const { code, stdout, stderr } = await place.run(mode, flags);
        assertEquals(code, 1);
        assertMatch(stdout + stderr, new RegExp(`the ${name} flag`));
      });
    }
  }
});

Deno.test("--allow-ffi may name the folder of libSQL in the npm cache", async () => {
  using place = new Place();
  await runSeed(place.database, SAMPLE);
  const { stdout } = await outputOf([process.execPath, "info", "--json"]);
  const { npmCache } = JSON.parse(stdout);
  const [registry] = [...Deno.readDirSync(npmCache)]
    .map((it) => join(npmCache, it.name, "@libsql"))
    .filter((path) => isFolder(path));
  const flags = place.flags("listen")
    .map((it) => it === "--allow-ffi" ? `--allow-ffi=${registry}` : it);
  await using server = place.listen(flags);
  await tryFeatures(server);
});

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

Deno.test("a database on another server needs neither --allow-ffi nor --allow-read", async () => {
  using place = new Place();
  const flags = place.flags("listen")
    .filter((it) => !/ffi|read/.test(it))
    .map((it) => it.replace(/^(--allow-net=.*)$/, "$1,127.0.0.1:9"));
  await using server = Process.start(command(flags), {
    API_HOST: "127.0.0.1",
    API_PORT: "0",
    DB_URL: "http://127.0.0.1:9",
  });
  const port = await server.port();
  const response = await fetch(`http://127.0.0.1:${port}/cep/01310100`);
  assertEquals((await response.json()).code, "database_not_ready");
});

Deno.test("the READMEs in both languages give the same permissions", () => {
  const portuguese = readPermissions(readCepDocuments("pt"));
  assertEquals([...portuguese.values()], [...PERMISSIONS.values()]);
  assertEquals(PERMISSIONS.size, 8);
});

for (
  const [task, added] of [
    ["seed", ["--allow-net", "--allow-read", "--allow-write"]],
    ["start", ["--allow-net", "--allow-read"]],
  ] as const
) {
  Deno.test(`the task ${task} adds ${added.join(" ")} to the permissions of every mode`, () => {
    const { command } = readJson("deno.json").tasks[task];
    const flags: string[] = command.split(" ")
      .filter((it: string) => /^--(allow|no-prompt)/.test(it));
    assertEquals(flags, [...EVERY_MODE, ...added]);
  });
}

/** Paths of the units; the DNE of an update is a delta. */
const PATHS: Environment = {
  API_HOST: "0.0.0.0",
  API_PORT: "8080",
  DB_PATH: "/var/lib/cep",
  CNEFE_PATH: "/srv/cnefe",
};

for (
  const [unit, use, DB_RAW_PATH] of [
    ["carteiro-cep", "listen", "/srv/dne"],
    ["carteiro-cep-seed", "seed,update", "/srv/dne"],
    ["carteiro-cep-update", "seed,update", "/srv/delta"],
  ] as const
) {
  Deno.test(`deploy/systemd-deno gives ${unit} the permissions of the README`, () => {
    const path = `deploy/systemd-deno/${unit}.service.d/deno.conf`;
    const flags = readText(path).match(/--(?:no-prompt|allow-\S+)/g);
    const documented = [...EVERY_MODE, ...PERMISSIONS.get(use) ?? []];
    assertEquals(
      [...flags ?? []],
      withSettings(documented, { ...PATHS, DB_RAW_PATH }),
    );
  });
}

Deno.test("the permissions of every mode include the variables of all settings", () => {
  const [, list = ""] = /--allow-env=(\S+)/.exec(EVERY_MODE.join(" ")) ?? [];
  const allowed = list.split(",");
  const missing = Object.values(SETTINGS)
    .flatMap(({ name, alias }) => [name, alias ?? name])
    .filter((name) =>
      !allowed.includes(name) && !allowed.includes(name.replace(/_.*/, "_*"))
    );
  assertEquals(missing, []);
});
