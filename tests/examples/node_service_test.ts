/** Example `node-service`, with the packages from their tarballs. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import process from "node:process";
import { type Command, run } from "../../scripts/process.ts";

import { outputOf } from "../_program.ts";
import { SAMPLE } from "../_sample.ts";
import { Process } from "../cep/_process.ts";
import { Carrier, CLIENT, TOKEN_MARK } from "./_carrier.ts";
import { install, type Installed } from "./_install.ts";
import { askJson, assertRefuses, type Refusal } from "./_service.ts";

let installed: Installed;
let command: Command;

Deno.test.beforeAll(async () => {
  installed = await install("node-service", [
    "@carteiro/cep",
    "@carteiro/oauth2",
  ]);
  const { folder, example, node, env } = installed;
  command = [node, join(example, "main.js")];
  await run(["npx", "--no", "@carteiro/cep"], {
    cwd: example,
    env: {
      ...env,
      MODE: "seed",
      DB_PATH: join(folder, "sample"),
      DB_RAW_PATH: SAMPLE,
    },
  });
});

// Undefined if `beforeAll` has failed.
Deno.test.afterAll(() => installed?.[Symbol.dispose]());

/** Starts the example with the sample and a carrier. */
function startService(
  carrier: Carrier,
  env: Record<string, string> = {},
): Process {
  const database = join(installed.folder, "sample");
  return Process.service(command, {
    DB_PATH: database,
    ...carrier.settings,
    ...env,
  });
}

const WRONG_SECRET = "errado: 7% + 8";
const QUOTE = "/cotacao?cep=01310-100&peso=2.5";

Deno.test("node-service returns the address of a CEP and the quote of the carrier", async () => {
  await using carrier = new Carrier();
  await using service = startService(carrier);
  const parcels: unknown[] = [];
  carrier.answer = (parcel) => {
    parcels.push(parcel);
    return Response.json({ price_cents: 2350, days: 4 });
  };
  const { body } = await askJson(service, "/cep/01310-100");
  assertEquals(body.logradouro, "Avenida Paulista");
  assertEquals(await askJson(service, QUOTE), {
    status: 200,
    body: {
      cep: "01310100",
      cidade: "São Paulo",
      uf: "SP",
      valor_centavos: 2350,
      prazo_dias: 4,
    },
  });
  assertEquals(parcels, [{
    postal_code: "01310100",
    city: "São Paulo",
    state: "SP",
    weight_kg: 2.5,
  }]);
});

Deno.test("node-service requests one token for concurrent quotes", async () => {
  await using carrier = new Carrier();
  await using service = startService(carrier);
  const together = await Promise.all(
    Array.from({ length: 5 }, () => askJson(service, QUOTE)),
  );
  const later = await askJson(service, QUOTE);
  assertEquals(
    [...together, later].map(({ status }) => status),
    Array(6).fill(200),
  );
  assertEquals(carrier.issued, 1);
});

Deno.test("node-service renews a token that is about to expire", async () => {
  await using carrier = new Carrier();
  carrier.expiresIn = 10;
  await using service = startService(carrier);
  await askJson(service, QUOTE);
  assertEquals((await askJson(service, QUOTE)).status, 200);
  assertEquals(carrier.issued, 2);
});

Deno.test("node-service requests a new token if the carrier has revoked the old one", async () => {
  await using carrier = new Carrier();
  await using service = startService(carrier);
  await askJson(service, QUOTE);
  carrier.revoke();
  assertEquals((await askJson(service, QUOTE)).status, 200);
  assertEquals(carrier.issued, 2);
});

const invalidToken = () =>
  Response.json({ error: "invalid_token" }, { status: 401 });

/** Failures of the carrier, and the responses of the service. */
const FAILURES: readonly {
  readonly name: string;
  readonly settings?: Record<string, string>;
  /** @param end Resolves at the end of the test. */
  readonly answer?: (end: Promise<unknown>) => Response | Promise<Response>;
  readonly status: number;
  readonly code: string;
}[] = [
  {
    name: "fails",
    answer: () => new Response("oops", { status: 500 }),
    ...{ status: 502, code: "carrier_failed" },
  },
  {
    name: "refuses every token",
    answer: invalidToken,
    ...{ status: 502, code: "carrier_failed" },
  },
  {
    name: "responds with HTML",
    answer: () => new Response("<p>Em manutenção"),
    ...{ status: 502, code: "carrier_failed" },
  },
  {
    name: "does not respond in time",
    settings: { CARRIER_TIMEOUT_SECONDS: "0.2" },
    answer: (end) => end.then(() => new Response()),
    ...{ status: 504, code: "carrier_timeout" },
  },
  {
    name: "refuses the client",
    settings: { CARRIER_CLIENT_SECRET: WRONG_SECRET },
    ...{ status: 502, code: "carrier_failed" },
  },
];

for (const { name, settings, answer, status, code } of FAILURES) {
  Deno.test(`node-service returns ${status} if the carrier ${name}`, async () => {
    await using carrier = new Carrier();
    const end = Promise.withResolvers<void>();
    if (answer) carrier.answer = () => answer(end.promise);
    await using service = startService(carrier, settings);
    const found = await askJson(service, QUOTE);
    end.resolve();
    assertEquals([found.status, found.body.code], [status, code]);
    await service.logged("Cannot quote");
    // Neither the log nor the response contains a secret or a token.
    const told = JSON.stringify([service.lines, service.stderr, found.body]);
    for (const secret of [CLIENT.secret, WRONG_SECRET, TOKEN_MARK]) {
      assertEquals(told.includes(secret), false, told);
    }
    // Lookups do not need the carrier.
    assertEquals((await askJson(service, "/cep/01310100")).status, 200);
  });
}

Deno.test("node-service returns 502 if the carrier cannot be reached", async () => {
  const carrier = new Carrier();
  await carrier.close();
  await using service = startService(carrier);
  const { status, body } = await askJson(service, QUOTE);
  assertEquals([status, body.code], [502, "carrier_failed"]);
});

const REFUSED: readonly Refusal[] = [
  ["a missing CEP", "/cotacao", 400, "cep_invalid"],
  ["an unknown CEP", "/cotacao?cep=99999999", 404, "cep_not_found"],
  ["an invalid weight", `${QUOTE}x`, 400, "peso_invalid"],
  ["an unknown route", "/cotacoes", 404, "route_not_found"],
];

Deno.test("node-service refuses requests without a request to the carrier", async (t) => {
  await using carrier = new Carrier();
  await using service = startService(carrier);
  await assertRefuses(service, REFUSED, t);
  await t.step("another method", async () => {
    const { status } = await askJson(service, QUOTE, { method: "POST" });
    assertEquals(status, 405);
  });
  assertEquals(carrier.issued, 0);
});

Deno.test("node-service warns about an empty database and returns 503", async () => {
  await using carrier = new Carrier();
  await using service = startService(carrier, {
    DB_PATH: join(installed.folder, "empty"),
  });
  await service.logged(
    "The database is empty: import data with MODE=seed",
  );
  for (const path of [QUOTE, "/cep/01310100"]) {
    const { status, body } = await askJson(service, path);
    assertEquals([status, body.code], [503, "database_not_ready"]);
  }
});

Deno.test({
  name:
    "node-service completes the requests in flight on SIGTERM and exits with code 0",
  ignore: process.platform === "win32", // has no SIGTERM
  async fn() {
    await using carrier = new Carrier();
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Response>();
    carrier.answer = () => {
      asked.resolve();
      return answer.promise;
    };
    await using service = startService(carrier);
    const quote = askJson(service, QUOTE);
    await asked.promise;
    service.kill("SIGTERM");
    await service.logged("Stopping");
    answer.resolve(Response.json({ price_cents: 2350, days: 4 }));
    assertEquals((await quote).status, 200);
    assertEquals(await service.end(), { code: 0, signal: null, stderr: "" });
  },
});

Deno.test("node-service exits with code 2 and lists every missing setting", async () => {
  const { code, stdout, stderr } = await outputOf(command, {
    CARRIER_CLIENT_ID: "loja",
  });
  assertEquals([code, stdout, stderr], [
    2,
    "",
    "Cannot read the settings: CARRIER_URL, CARRIER_TOKEN_URL, " +
    "CARRIER_CLIENT_SECRET must be set\n",
  ]);
});

Deno.test("node-service exits with code 2 and reports an invalid setting", async () => {
  const { code, stderr } = await outputOf(command, { API_PORT: "x" });
  assertEquals(code, 2);
  assertStringIncludes(stderr, 'API_PORT="x"');
});
