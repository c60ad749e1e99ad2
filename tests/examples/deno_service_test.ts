/** The service on Deno that users copy, as a process of its own. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { openStore, seed } from "../../cep/mod.ts";
import { Process } from "../cep/_server.ts";
import { type Command, outputOf } from "../program.ts";
import { askJson, assertRefuses, type Refusal } from "./_service.ts";

const ROOT = new URL("../../", import.meta.url);
const FOLDER = fileURLToPath(new URL("examples/deno-service/", ROOT));
const SAMPLE = fileURLToPath(new URL("samples/dne", ROOT));

/** What its README says that it gets along with. */
const PERMISSIONS = readFileSync(join(FOLDER, "README.md"), "utf8")
  .match(/--allow-\w+/g) ?? [];

const COMMAND: Command = [
  process.execPath,
  "run",
  "--no-prompt",
  ...PERMISSIONS,
  join(FOLDER, "main.ts"),
];

let folder: string;

Deno.test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "deno-service-"));
  const store = await openStore({ path: join(folder, "sample") });
  await seed({ directory: SAMPLE, store });
  await store.close();
});

Deno.test.afterAll(() => rm(folder, { recursive: true }));

/** The example over the sample, or over an empty database. */
function startService(database: "sample" | "empty"): Process {
  return Process.service(COMMAND, { DB_PATH: join(folder, database) });
}

Deno.test("deno-service answers with the address of a code and with its freight", async () => {
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
  // One kilo, and a state that is in no region of its own.
  const { body: far } = await askJson(service, "/frete?cep=69020060");
  assertEquals(far.valor_centavos, 3010);
});

const REFUSED: readonly Refusal[] = [
  ["no code", "/frete", 400, "cep_invalid"],
  ["what is no code", "/frete?cep=1310100", 400, "cep_invalid"],
  ["a code that is unknown", "/frete?cep=99999999", 404, "cep_not_found"],
  ["no weight", "/frete?cep=01310100&peso=", 400, "peso_invalid"],
  ["what is no weight", "/frete?cep=01310100&peso=x", 400, "peso_invalid"],
  ["too much", "/frete?cep=01310100&peso=30.1", 400, "peso_invalid"],
  ["an unknown route", "/fretes", 404, "route_not_found"],
];

Deno.test("deno-service refuses", async (t) => {
  await using service = startService("sample");
  await assertRefuses(service, REFUSED, t);
  await t.step("another method", async () => {
    const { status } = await askJson(service, "/frete?cep=01310100", {
      method: "POST",
    });
    assertEquals(status, 405);
  });
});

Deno.test("deno-service tells of an empty database and answers 503", async () => {
  await using service = startService("empty");
  await service.logged(
    "The database is empty: import a directory with MODE=seed",
  );
  for (const path of ["/frete?cep=01310100", "/cep/01310100"]) {
    const { status, body } = await askJson(service, path);
    assertEquals([status, body.code], [503, "database_not_ready"]);
  }
});

Deno.test({
  name: "deno-service ends with status 0 on SIGTERM",
  ignore: process.platform === "win32", // knows no SIGTERM
  async fn() {
    await using service = startService("sample");
    await service.port();
    service.kill("SIGTERM");
    assertEquals(await service.end(), { code: 0, signal: null, stderr: "" });
    assertEquals((await service.logged("Stopping")).reason, "SIGTERM");
  },
});

Deno.test("deno-service ends with status 2 and names a setting that cannot be used", async () => {
  const { code, stdout, stderr } = await outputOf(COMMAND, { API_PORT: "x" });
  assertEquals([code, stdout], [2, ""]);
  assertStringIncludes(stderr, 'API_PORT="x"');
});
