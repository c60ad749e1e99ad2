/** Files of deploy/, checked by the tools that read them, if installed. */
import { assertEquals } from "@std/assert";
import { cpSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Command, outputOf, run } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { DASHBOARD } from "./_expressions.ts";
import { DEPLOY, listFiles, readText } from "./_files.ts";

/** Defines tests that are ignored if a command fails. */
async function withTool(
  probe: Command,
  tests: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const ended = await outputOf(probe).catch(() => undefined);
  const ignore = ended?.code !== 0;
  const why = ignore ? " (ignored: not installed)" : "";
  for (const [name, fn] of Object.entries(tests)) {
    Deno.test({ name: name + why, ignore, fn: async () => void await fn() });
  }
}

await withTool(["promtool", "--version"], {
  "promtool accepts the configuration and the alerts": () =>
    run(["promtool", "check", "config", "prometheus/prometheus.yml"], {
      cwd: DEPLOY,
    }),
  "promtool sees each alert fire": () =>
    run(["promtool", "test", "rules", "alerts.yaml", "alert_of_age.yaml"], {
      cwd: join(ROOT, "tests", "deploy"),
    }),
  async "promtool accepts the expressions of the dashboard"() {
    using folder = new TemporaryFolder("dashboard");
    const rules = DASHBOARD.map(([, expr], i) => ({ record: `e${i}`, expr }));
    const groups = [{ name: "dashboard", rules }];
    // JSON is YAML.
    const path = join(folder.path, "rules.json");
    writeFileSync(path, JSON.stringify({ groups }));
    await run(["promtool", "check", "rules", path]);
  },
});

await withTool(["nginx", "-v"], {
  "nginx accepts the server of a static site": () =>
    checkNginx(readText("site/nginx.conf")),
  "nginx accepts the server of releases": () =>
    checkNginx(readText("site/releases.conf")),
  "nginx accepts several servers in place of one": () =>
    checkNginx(
      readText("proxy/nginx.conf")
        .replace(/^upstream [^]*?^\}/m, () => readText("proxy/upstream.conf")),
    ),
});

/** Checks a configuration for the folder `conf.d`. */
async function checkNginx(text: string): Promise<void> {
  using folder = new TemporaryFolder("nginx");
  const file = join(folder.path, "nginx.conf");
  const pid = join(folder.path, "nginx.pid");
  const ownLog = text.replace("/var/log/nginx", folder.path);
  writeFileSync(file, `pid ${pid}; events {} http { ${ownLog} }`);
  await run(["nginx", "-t", "-q", "-c", file, "-e", "stderr"]);
}

const compose: Command = ["docker", "compose"];

await withTool([...compose, "version"], {
  "docker compose accepts the Compose file": () =>
    run([...compose, "--profile", "seed", "config", "--quiet"], {
      cwd: DEPLOY,
    }),
});

for (const folder of ["bucket", "replicas", "seeded", "volume"]) {
  await withTool(["kubectl", "version", "--client"], {
    [`kubectl completes kubernetes/${folder}`]: () =>
      run(["kubectl", "kustomize", `kubernetes/${folder}`], { cwd: DEPLOY }),
  });
}

const rating: Command = ["systemd-analyze", "security", "--offline=true"];

await withTool([...rating, "--root=/nowhere", "--threshold=100"], {
  async "systemd-analyze rates the exposure of the units below 2 of 10"() {
    using folder = new TemporaryFolder("systemd");
    const units = join(folder.path, "etc/systemd/system");
    cpSync(join(DEPLOY, "systemd"), units, { recursive: true });
    for (const unit of ["cep", "cep-seed", "cep-update"]) {
      const root = `--root=${folder.path}`;
      const name = `carteiro-${unit}.service`;
      await run([...rating, root, "--threshold=20", name]);
    }
  },
});

await withTool(["systemd-analyze", "--version"], {
  async "systemd-analyze accepts the units"() {
    using folder = new TemporaryFolder("systemd");
    cpSync(join(DEPLOY, "systemd"), folder.path, { recursive: true });
    // An existing program, because the tool checks that it exists.
    const common = join("carteiro-.service.d", "common.conf");
    writeFileSync(
      join(folder.path, common),
      readText(`systemd/${common}`)
        .replace(/^ExecStart=.*/m, `ExecStart=${Deno.execPath()}`),
    );
    const units = listFiles("systemd/").map((it) => basename(it))
      .filter((name) => !name.endsWith(".conf"))
      .map((name) => join(folder.path, name));
    const { stderr } = await outputOf(
      ["systemd-analyze", "verify", ...units],
      // A trailing colon adds the units of the system.
      { env: { SYSTEMD_UNIT_PATH: `${folder.path}:` } },
    );
    // The tool may complain about units of the system, too.
    const lines = stderr.split("\n").filter((it) => it.includes("carteiro"));
    assertEquals(lines, []);
  },
});
