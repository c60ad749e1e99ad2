/** Values that the files of deploy/ and the program share. */
import { assert, assertEquals } from "@std/assert";
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import workspace from "../../deno.json" with { type: "json" };
import { SETTINGS } from "../../cep/settings/config.ts";
import { HEALTHCHECK, LIVEZ } from "../../cep/http/routes/health.ts";
import { TARGETS } from "../../scripts/compile.ts";
import { ROOT } from "../../scripts/root.ts";
import {
  DEPLOY,
  listFiles,
  PODS,
  readText,
  readYaml,
  SERVICES,
  valuesOf,
} from "./_files.ts";

const UNITS = ["carteiro-cep", "carteiro-cep-seed", "carteiro-cep-update"]
  .map((name) => `systemd/${name}.service`);

const deployment = PODS["kubernetes/base/deployment.yaml"]!;
const [server] = deployment.containers;

const [user = ""] = valuesOf("Dockerfile", "USER");
const [, database = ""] = /^ENV DB_PATH=(.*)$/m.exec(readText("Dockerfile")) ??
  [];

Deno.test("deploy/Dockerfile unpacks the archives of release.yml", () => {
  const release = Deno.readTextFileSync(
    join(ROOT, ".github/workflows/release.yml"),
  );
  const [, name = ""] = /name="([^"]+)"/.exec(release) ?? [];
  const archives = TARGETS.filter((target) => target.includes("-linux-"))
    .map((target) => name.replace("$TARGET", target) + ".tar.gz");
  const [, prefix = "", suffix = ""] =
    /(\S+)\*-"\$\(uname -m\)"(\S+);/.exec(readText("Dockerfile")) ?? [];
  assert(archives.length > 0 && prefix && suffix);
  for (const archive of archives) {
    assert(archive.startsWith(prefix) && archive.endsWith(suffix), archive);
  }
});

for (
  const name of ["USER", "EXPOSE", "STOPSIGNAL", "VOLUME", "WORKDIR", "ENV"]
) {
  Deno.test(`deploy/Containerfile has the ${name} of deploy/Dockerfile`, () => {
    const [value] = valuesOf("Dockerfile", name).slice(
      name === "WORKDIR" ? -1 : 0,
    );
    assertEquals(valuesOf("Containerfile", name).at(-1), value);
  });
}

Deno.test("deploy/Containerfile copies what builds the packages", () => {
  const copied = valuesOf("Containerfile", "COPY")
    .filter((line) => !line.startsWith("--"))
    .flatMap((line) => line.split(" ").slice(0, -1));
  assertEquals(copied.filter((it) => !existsSync(join(ROOT, it))), []);
  const needed = ["deno.json", "deno.lock", "mod.ts", "scripts"];
  const packages: string[] = workspace.workspace.map((it) =>
    posix.basename(it)
  );
  const missing = [...needed, ...packages].filter((it) => !copied.includes(it));
  assertEquals(missing, []);
});

Deno.test("containers mount the database at the folder of the image", () => {
  const mounts = ["cep", "seed", "update", "seed-cnefe"].map((name) =>
    SERVICES[name]
  )
    .map((service) =>
      service?.volumes?.find((it) => `${it}`.startsWith("database:"))
    ).map((volume) => `${volume}`.split(":")[1]);
  const claims = [
    readYaml<{ spec: { template: { spec: { containers: [typeof server] } } } }>(
      "kubernetes/volume/deployment_patch.yaml",
    ).spec.template.spec.containers[0],
    PODS["kubernetes/import/cronjob.yaml"]!.containers[0],
  ].map(({ volumeMounts }) =>
    volumeMounts.find(({ name }) => name === "database")?.mountPath
  );
  const folders = [...valuesOf("Dockerfile", "VOLUME"), ...mounts, ...claims];
  assertEquals(new Set(folders), new Set([database]));
});

for (const [file, { securityContext }] of Object.entries(PODS)) {
  Deno.test(`deploy/${file} runs as the user of the image`, () => {
    const { runAsUser, runAsGroup } = securityContext;
    assertEquals(`${runAsUser}:${runAsGroup}`, user);
  });
}

Deno.test("deploy/ uses the default port of the service", () => {
  const { scrape_configs: [{ static_configs: [{ targets: [target] }] }] } =
    readYaml<{ scrape_configs: [{ static_configs: [{ targets: [string] }] }] }>(
      "prometheus/prometheus.yml",
    );
  const ports = [
    ...valuesOf("Dockerfile", "EXPOSE"),
    ...SERVICES["cep"]?.ports ?? [],
    ...server.ports!.map(({ containerPort }) => `${containerPort}`),
    target,
  ].map((port) => port.split(":").at(-1));
  assertEquals(new Set(ports), new Set([SETTINGS.port.default]));
});

const { startupProbe, livenessProbe, readinessProbe } = server;

for (
  const [what, probe, { pattern }] of [
    ["startup", startupProbe, LIVEZ],
    ["liveness", livenessProbe, LIVEZ],
    ["readiness", readinessProbe, HEALTHCHECK],
  ] as const
) {
  Deno.test(`the ${what} probe of Kubernetes requests ${pattern}`, () => {
    assertEquals(probe?.httpGet.path, pattern);
  });
}

for (
  const [where, seconds] of Object.entries({
    "compose.yaml": parseInt(SERVICES["cep"]?.stop_grace_period ?? ""),
    "kubernetes/base/deployment.yaml":
      deployment.terminationGracePeriodSeconds! -
      server.lifecycle!.preStop.sleep.seconds,
    [UNITS[0]!]: Number(valuesOf(UNITS[0]!, "TimeoutStopSec")[0]),
  })
) {
  Deno.test(`deploy/${where} stops the service only after API_SHUTDOWN_SECONDS`, () => {
    assert(seconds > Number(SETTINGS.shutdownSeconds.default), `${seconds}`);
  });
}

Deno.test("the drop-in of systemd applies to both services", () => {
  const [folder = ""] = listFiles("systemd/")
    .filter((file) => file.endsWith(".conf"))
    .map((file) => posix.dirname(file));
  const prefix = folder.replace(/\.service\.d$/, "");
  assertEquals(UNITS.filter((unit) => !unit.startsWith(prefix)), []);
});

/** Files that other files refer to. */
const REFERENCES: Record<string, string[]> = {
  "README.md": [...readText("README.md").matchAll(/\]\(([^)#]+)/g)]
    .map(([, link]) => link!),
  "compose.yaml": Object.values(SERVICES)
    .flatMap(({ volumes = [] }) => volumes)
    .flatMap((it) => /^(\.\/[^:]+):/.exec(`${it}`)?.[1] ?? []),
  "prometheus/prometheus.yml":
    readYaml<{ rule_files: string[] }>("prometheus/prometheus.yml").rule_files,
  ...Object.fromEntries(
    [
      "base",
      "bucket",
      "import",
      "own_database",
      "replicas",
      "seeded",
      "update",
      "volume",
    ]
      .map((folder) => `kubernetes/${folder}/kustomization.yaml`)
      .map((file) => {
        const { resources = [], components = [], patches = [] } = readYaml<{
          resources?: string[];
          components?: string[];
          patches?: { path?: string }[];
        }>(file);
        const paths = patches.flatMap(({ path }) => path ?? []);
        return [file, [...resources, ...components, ...paths]];
      }),
  ),
};

for (const [file, paths] of Object.entries(REFERENCES)) {
  Deno.test(`deploy/${file} refers to files that exist`, () => {
    const folder = join(DEPLOY, posix.dirname(file));
    assert(paths.length > 0);
    assertEquals(paths.filter((it) => !existsSync(join(folder, it))), []);
  });
}
