/** Example `deno-service`, in a separate process. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { openStore } from "../../cep/mod.ts";
import type { Command } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { outputOf } from "../_program.ts";
import { Process } from "../cep/_process.ts";
import { seedSample } from "../cep/_seeding.ts";
import { askJson, assertRefuses, type Refusal } from "./_service.ts";

const FOLDER = join(ROOT, "examples", "deno-service");

/** Permissions in its README. */
const PERMISSIONS = readFileSync(join(FOLDER, "README.md"), "utf8")
  .match(/--allow-\w+/g) ?? [];

const COMMAND: Command = [
  process.execPath,
  "run",
  "--no-prompt",
  ...PERMISSIONS,
  join(FOLDER, "main.ts"),
];

let folder: TemporaryFolder;

Deno.test.beforeAll(async () => {
  folder = new TemporaryFolder("deno-service");
  const store = await openStore({ path: join(folder.path, "sample") });
  await seedSample(store);
  await store.close();
});

Deno.test.afterAll(() => folder[Symbol.dispose]());

/** Starts the example with the sample, or with an empty database. */
function startService(database: "sample" | "empty"): Process {
  return Process.service(COMMAND, { DB_PATH: join(folder.path, database) });
}

Deno.test("deno-service returns the address and the freight of a CEP", async () => {
  await using service = startService("sample");
  const { body } = await askJson(service, "/cep/01310-100");
  assertEquals(body.logradouro, "Avenida Paulista");
  assertEquals(await askJson(service, "/frete?cep=01310-100&peso=2.5"), {
    status: 200,
    body: {
      cep: "01310100",
      cidade: "São Paulo",
      uf: "SP",
      valor_centavos: 1440,
      prazo_dias: 2,
    },
  });
  // One kilogram by default, and a state of the default region.
  const { body: far } = await askJson(service, "/frete?cep=69020060");
  assertEquals(far.valor_centavos, 3010);
});

const REFUSED: readonly Refusal[] = [
  ["a missing CEP", "/frete", 400, "cep_invalid"],
  ["an invalid CEP", "/frete?cep=1310100", 400, "cep_invalid"],
  ["an unknown CEP", "/frete?cep=99999999", 404, "cep_not_found"],
  ["an empty weight", "/frete?cep=01310100&peso=", 400, "peso_invalid"],
  ["an invalid weight", "/frete?cep=01310100&peso=x", 400, "peso_invalid"],
  ["too large a weight", "/frete?cep=01310100&peso=30.1", 400, "peso_invalid"],
  ["an unknown route", "/fretes", 404, "route_not_found"],
];

Deno.test("deno-service refuses requests", async (t) => {
  await using service = startService("sample");
  await assertRefuses(service, REFUSED, t);
  await t.step("another method", async () => {
    const { status } = await askJson(service, "/frete?cep=01310100", {
      method: "POST",
    });
    assertEquals(status, 405);
  });
});

Deno.test("deno-service warns about an empty database and returns 503", async () => {
  await using service = startService("empty");
  await service.logged(
    "The database is empty: import data with MODE=seed",
  );
  for (const path of ["/frete?cep=01310100", "/cep/01310100"]) {
    const { status, body } = await askJson(service, path);
    assertEquals([status, body.code], [503, "database_not_ready"]);
  }
});

Deno.test({
  name: "deno-service exits with code 0 on SIGTERM",
  ignore: process.platform === "win32", // has no SIGTERM
  async fn() {
    await using service = startService("sample");
    await service.port();
    service.kill("SIGTERM");
    assertEquals(await service.end(), { code: 0, signal: null, stderr: "" });
    assertEquals((await service.logged("Stopping")).reason, "SIGTERM");
  },
});

Deno.test("deno-service exits with code 2 and reports an invalid setting", async () => {
  const { code, stdout, stderr } = await outputOf(COMMAND, { API_PORT: "x" });
  assertEquals([code, stdout], [2, ""]);
  assertStringIncludes(stderr, 'API_PORT="x"');
});
