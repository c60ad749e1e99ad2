import { assertEquals } from "@std/assert";
import { address } from "../../_records.ts";
import { Service } from "../../_service.ts";

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
