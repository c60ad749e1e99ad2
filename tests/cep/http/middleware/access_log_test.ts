import { assertEquals } from "@std/assert";
import { address, fakeStore } from "../../_records.ts";
import { type Call, Service, type ServiceOptions } from "../../_service.ts";

const RECORDS = [address()];
const DEBUG = { logLevel: "debug" } as const;

for (const logLevel of ["info", "warn", "error"] as const) {
  Deno.test(`accessLog logs no request at level ${logLevel}`, async () => {
    await using service = await Service.open({
      records: RECORDS,
      config: { logLevel },
    });
    for (const path of ["/cep/01900001", "/cep/x", "/nada"]) {
      await (await service.ask(path)).body?.cancel();
    }
    assertEquals(service.logger.entries, []);
  });
}

Deno.test("accessLog logs a request", async () => {
  let time = 0;
  await using service = await Service.open({
    records: RECORDS,
    config: DEBUG,
    now: () => time += 0.5,
  });
  const response = await service.ask("/cep/01900-001?formato=json", {
    from: "192.0.2.1",
    headers: { "x-request-id": "r-1" },
  });
  await response.body?.cancel();
  const [entry, ...others] = service.logger.entries;
  assertEquals(others, []);
  assertEquals(entry?.level, "debug");
  assertEquals(entry?.message, "Request");
  const { milliseconds, ...rest } = entry?.properties ?? {};
  assertEquals(rest, {
    request_id: "r-1",
    client: "192.0.2.1",
    method: "GET",
    path: "/cep/01900-001",
    status: 200,
  });
  // The clock advances with each reading.
  assertEquals(milliseconds, 0.5);
});

Deno.test("accessLog logs the client that a trusted proxy forwards", async () => {
  await using service = await Service.open({
    records: RECORDS,
    config: { ...DEBUG, trustedProxies: ["10.0.0.0/8"] },
  });
  const response = await service.ask("/cep/01900001", {
    from: "10.0.0.1",
    headers: { "x-forwarded-for": "203.0.113.5" },
  });
  await response.body?.cancel();
  assertEquals(service.logger.at("debug")[0]?.client, "203.0.113.5");
});

Deno.test("accessLog logs each error with the request id of its response", async () => {
  await using service = await Service.open({ records: RECORDS, config: DEBUG });
  const ids = [];
  for (const path of ["/cep", "/cep/x", "/nada"]) {
    const response = await service.ask(path);
    ids.push(response.headers.get("x-request-id"));
    await response.body?.cancel();
  }
  const logged = service.logger.at("debug");
  assertEquals(logged.map(({ request_id }) => request_id), ids);
  assertEquals(logged.map(({ status }) => status), [400, 400, 404]);
});

const ANSWERS: readonly (readonly [
  status: number,
  path: string,
  call?: Call,
  options?: ServiceOptions,
])[] = [
  [204, "/cep/01900001", {
    method: "OPTIONS",
    headers: {
      origin: "https://a.test",
      "access-control-request-method": "GET",
    },
  }],
  [304, "/cep/01900001", { headers: { "if-none-match": "*" } }],
  [405, "/cep", { method: "POST" }],
  [429, "/cep/01900001", {}, {
    records: RECORDS,
    config: { ...DEBUG, rateLimitMax: 1, rateLimitBurst: 0 },
    now: () => 0,
  }],
  [500, "/cep/01900001", {}, { store: fakeStore(), config: DEBUG }],
  [503, "/cep/01900001", {}, { config: DEBUG }],
];

for (const [status, path, call, options] of ANSWERS) {
  Deno.test(`accessLog logs a response with status ${status}`, async () => {
    await using service = await Service.open(
      options ?? { records: RECORDS, config: DEBUG },
    );
    const from = { from: "192.0.2.1" };
    if (status === 429) await service.ask(path, from);
    const response = await service.ask(path, { ...from, ...call });
    await response.body?.cancel();
    const last = service.logger.at("debug").at(-1);
    assertEquals(last?.status, status);
    const id = response.headers.get("x-request-id");
    if (id !== null) assertEquals(last?.request_id, id);
    assertEquals(last?.method, call?.method ?? "GET");
  });
}
