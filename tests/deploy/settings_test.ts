/** Settings in the files of deploy/. */
import { assertEquals } from "@std/assert";
import { parseConfig, SETTINGS } from "../../cep/settings/config.ts";
import {
  listFiles,
  PODS,
  readText,
  readYaml,
  SERVICES,
  valuesOf,
} from "./_files.ts";

const known = Object.values(SETTINGS).map(({ name }) => name);

for (const file of listFiles()) {
  const named = readText(file).match(
    /\b(?:API|CNEFE|DB|SEED|LOG|RELEASE)_[A-Z_]+\b/g,
  );
  if (named === null) continue;

  Deno.test(`deploy/${file} contains only known settings`, () => {
    assertEquals(named.filter((name) => !known.includes(name)), []);
  });
}

function literalsOf(folder: string): string[] {
  const { configMapGenerator: [{ literals }] } = readYaml<
    { configMapGenerator: [{ literals: string[] }] }
  >(`kubernetes/${folder}/kustomization.yaml`);
  return literals;
}

/** Environment of the service in each file, and the resulting mode. */
const ENVIRONMENTS: Record<string, [mode: string, assignments: string[]]> = {
  "Dockerfile": ["seed", valuesOf("Dockerfile", "ENV")],
  "compose.yaml": [
    "seed",
    Object.entries(SERVICES["seed"]?.environment ?? {})
      .map((pair) => pair.join("=")),
  ],
  "compose.yaml, for an update,": [
    "update",
    Object.entries(SERVICES["update"]?.environment ?? {})
      .map((pair) => pair.join("=")),
  ],
  "compose.yaml, without the DNE,": [
    "seed",
    Object.entries(SERVICES["seed-cnefe"]?.environment ?? {})
      .map((pair) => pair.join("=")),
  ],
  ...Object.fromEntries(
    ["base", "bucket", "replicas"].map((folder) => [
      `kubernetes/${folder}/kustomization.yaml`,
      ["listen", literalsOf(folder)],
    ]),
  ),
  "kubernetes/import/cronjob.yaml": [
    "seed",
    PODS["kubernetes/import/cronjob.yaml"]!.containers[0].env!
      .map(({ name, value }) => `${name}=${value}`),
  ],
  ...Object.fromEntries(
    Object.entries({
      "systemd/carteiro-.service.d/common.conf": "listen",
      "systemd/carteiro-cep-seed.service": "seed",
      "systemd/carteiro-cep-update.service": "update",
    }).map(([file, mode]) => [file, [mode, valuesOf(file, "Environment")]]),
  ),
};

for (const [file, [mode, assignments]] of Object.entries(ENVIRONMENTS)) {
  Deno.test(`deploy/${file} sets values that the service accepts`, () => {
    const pairs = assignments.flatMap((line) => line.split(" "))
      .map((pair) => pair.split("="));
    assertEquals(parseConfig(Object.fromEntries(pairs)).mode, mode);
  });
}

for (
  const [name, settings] of [
    ["the image", { DB_RAW_PATH: "", CNEFE_PATH: "/cnefe" }],
    ["compose.yaml", SERVICES["seed-cnefe"]?.environment ?? {}],
  ] as const
) {
  Deno.test(`the settings of ${name} import the CNEFE alone`, () => {
    const { rawPath, cnefePaths } = parseConfig({ MODE: "seed", ...settings });
    assertEquals([rawPath, cnefePaths], ["", ["/cnefe"]]);
  });
}

Deno.test("the paths of the image unset a source with an empty value", () => {
  const { rawPath, cnefePaths } = parseConfig({
    MODE: "seed",
    DB_RAW_PATH: "/dne",
    CNEFE_PATH: "",
  });
  assertEquals([rawPath, cnefePaths], ["/dne", []]);
});
