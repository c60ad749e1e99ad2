/** Settings of the database: a folder, a server, or a replica of a server. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  completeConfig,
  ConfigError,
  parseConfig,
} from "../../../cep/settings/config.ts";

const URL = "http://localhost:8081";

const PLACES: readonly (readonly [
  env: Record<string, string>,
  databasePath: string,
  databaseUrl: string,
])[] = [
  [{}, "./data", ""],
  [{ DB_PATH: "/srv/data" }, "/srv/data", ""],
  [{ DB_PATH: ":memory:" }, ":memory:", ""],
  [{ DB_URL: URL }, "", URL],
  [{ DB_URL: URL, DB_PATH: " " }, "", URL],
  [{ DB_URL: URL, DB_PATH: "./data" }, "./data", URL],
  [{ DB_URL: " ", DB_PATH: "" }, "./data", ""],
];

for (const [env, databasePath, databaseUrl] of PLACES) {
  Deno.test(`parseConfig reads ${JSON.stringify(env)} as folder "${databasePath}" and server "${databaseUrl}"`, () => {
    const config = parseConfig(env);
    assertEquals(config.databasePath, databasePath);
    assertEquals(config.databaseUrl, databaseUrl);
    // createHandler completes settings that are complete.
    assertEquals(completeConfig(config), config);
  });
}

Deno.test("completeConfig uses a server without a folder", () => {
  assertEquals(completeConfig({ databaseUrl: URL }).databasePath, "");
  const replica = { databaseUrl: URL, databasePath: "./data" };
  assertEquals(completeConfig(replica).databasePath, "./data");
});

const CONFLICTS: readonly (readonly [
  name: string,
  action: () => unknown,
  problem: string,
])[] = [
  [
    "an empty folder without a server",
    () => completeConfig({ databasePath: "" }),
    'databasePath="": must be a path',
  ],
  [
    "a replica in memory",
    () => parseConfig({ DB_URL: URL, DB_PATH: ":memory:" }),
    "DB_PATH=:memory:: must be a folder with DB_URL, or be left out",
  ],
  [
    "a replica in memory, from code",
    () => completeConfig({ databaseUrl: URL, databasePath: ":memory:" }),
    "DB_PATH=:memory:: must be a folder with DB_URL, or be left out",
  ],
  [
    "a token without a server",
    () => parseConfig({ DB_AUTH_TOKEN: "secret" }),
    "DB_AUTH_TOKEN=***: needs DB_URL",
  ],
  [
    "a sync without a pause",
    () => parseConfig({ DB_SYNC_SECONDS: "0" }),
    'DB_SYNC_SECONDS="0": must be a whole number from 1 to 86400',
  ],
];

for (const [name, action, problem] of CONFLICTS) {
  Deno.test(`the settings of the database refuse ${name}`, () => {
    const { problems } = assertThrows(action, ConfigError);
    assertEquals(problems, [problem]);
  });
}
