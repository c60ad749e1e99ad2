import { assertEquals } from "@std/assert";
import { SETTINGS } from "../../../cep/settings/config.ts";
import { unknownSettings } from "../../../cep/settings/unknown_settings.ts";

const NEAREST: Readonly<Record<string, string | undefined>> = {
  API_PORTS: "API_PORT",
  API_PROT: "API_PORT",
  API_CACHE_SECOND: "API_CACHE_SECONDS",
  API_CORS_ALLOWED_ORIGINS: "API_CORS_ALLOW_ORIGINS",
  API_METRIC_ENABLED: "API_METRICS_ENABLE",
  API_PROMETEUS_ENABLE: "API_PROMETHEUS_ENABLE",
  DB_PATHS: "DB_PATH",
  DB_PAHT: "DB_PATH",
  DB_RAWPATH: "DB_RAW_PATH",
  AIP_PORT: "API_PORT",
  APIS_PORT: "API_PORT",
  LGO_LEVEL: "LOG_LEVEL",
  SED_MAX_REJECTED_PERCENT: "SEED_MAX_REJECTED_PERCENT",
  API_SHUTDOWN: "API_SHUTDOWN_SECONDS",
  SEED_MAX_REJECTED: "SEED_MAX_REJECTED_PERCENT",
  API_CORS_ALLOW: undefined,
  DNE_VERSON: "DNE_VERSION",
  LOG_LEVELS: "LOG_LEVEL",
  SEED_MAX_REJECT_PERCENT: "SEED_MAX_REJECTED_PERCENT",
  API_KEY: undefined,
  API_: undefined,
  DB_HOST: undefined,
  DB_PASS: undefined,
  LOG_FILE: undefined,
  SEED_TOKEN: undefined,
};

for (const [name, nearest] of Object.entries(NEAREST)) {
  const expected = nearest ?? "no other name";
  Deno.test(`unknownSettings finds ${name} and suggests ${expected}`, () => {
    assertEquals(unknownSettings({ [name]: "1" }), [
      { name, removed: false, nearest },
    ]);
  });
}

Deno.test("unknownSettings reports API_CACHE_RECORDS as removed", () => {
  assertEquals(unknownSettings({ API_CACHE_RECORDS: "50000" }), [
    { name: "API_CACHE_RECORDS", removed: true, nearest: undefined },
  ]);
});

Deno.test("unknownSettings ignores known settings and aliases", () => {
  const names = Object.values(SETTINGS)
    .flatMap(({ name, alias }) => [name, alias ?? name]);
  const env = Object.fromEntries(names.map((name) => [name, "1"]));
  assertEquals(unknownSettings(env), []);
});

Deno.test("unknownSettings ignores names with other prefixes", () => {
  const env = {
    PATH: "/bin",
    MODES: "1",
    MY_API_PORT: "1",
    APIKEY: "1",
    GO_PATH: "1",
    XDG_DATA_HOME: "1",
    NODE_ENV: "1",
  };
  assertEquals(unknownSettings(env), []);
});
