import { assertEquals } from "@std/assert";
import { address } from "../../_records.ts";
import { type Call, items, Service } from "../../_service.ts";

const RECORDS = [address()];
const LISTED = ["https://a.test", "https://b.test"];
const PREFLIGHT = {
  origin: "https://a.test",
  "access-control-request-method": "GET",
};

Deno.test("cors allows any origin by default", async () => {
  await using service = await Service.open({ records: RECORDS });
  for (const headers of [{}, { origin: "https://x.test" }]) {
    const response = await service.ask("/cep/01900001", { headers });
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    assertEquals(items(response, "vary").includes("Origin"), false);
    await response.body?.cancel();
  }
});

const REFUSED = [
  "https://c.test",
  "http://a.test",
  "https://a.test:8443",
  "https://a.test.evil.test",
  "https://A.test",
  "null",
];

for (const origin of REFUSED) {
  Deno.test(`cors does not allow the origin ${origin}`, async () => {
    await using service = await open(LISTED);
    const response = await service.ask("/cep/01900001", {
      headers: { origin },
    });
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("access-control-allow-origin"), null);
    assertEquals(items(response, "vary").includes("Origin"), true);
    await response.body?.cancel();
  });
}

const WILDCARDS = ["https://*.loja.com.br", "http://*.loja.test:8080"];

const SUBDOMAINS: readonly (readonly [origin: string, allowed: boolean])[] = [
  ["https://www.loja.com.br", true],
  ["https://a.b.c.loja.com.br", true],
  ["https://xn--caf-dma.loja.com.br", true],
  ["https://a_b.loja.com.br", true],
  ["http://www.loja.test:8080", true],
  ["https://loja.com.br", false],
  ["http://www.loja.com.br", false],
  ["https://www.loja.com.br:8443", false],
  ["http://www.loja.test", false],
  ["http://www.loja.test:80801", false],
  ["https://evilloja.com.br", false],
  ["https://www.evilloja.com.br", false],
  ["https://loja.com.br.evil.com", false],
  ["https://www.loja.com.br.evil.com", false],
  ["https://wwwXloja.com.br", false],
  ["https://www.lojaXcom.br", false],
  ["https://evil.com/.loja.com.br", false],
  ["https://evil.com?.loja.com.br", false],
  ["https://evil.com#.loja.com.br", false],
  ["https://evil.com:80.loja.com.br", false],
  ["https://evil.com@www.loja.com.br", false],
  ["https://evil.com\\.loja.com.br", false],
  ["https://.loja.com.br", false],
  ["https://..loja.com.br", false],
  ["https://*.loja.com.br", false],
  ["https://www.loja.com.br/", false],
  ["https://www.loja.com.br.", false],
  ["https://www.loja.com.br https://evil.com", false],
  ["HTTPS://www.loja.com.br", false],
  ["evil-https://www.loja.com.br", false],
  ["null", false],
  ["", false],
];

for (const [origin, allowed] of SUBDOMAINS) {
  const verb = allowed ? "allows" : "does not allow";
  Deno.test(`cors ${verb} "${origin}" for ${WILDCARDS.join(" and ")}`, async () => {
    await using service = await open(WILDCARDS);
    const response = await service.ask("/cep/01900001", {
      headers: { origin },
    });
    assertEquals(
      response.headers.get("access-control-allow-origin"),
      allowed ? origin : null,
    );
    assertEquals(items(response, "vary"), ["Origin"]);
    await response.body?.cancel();
  });
}

Deno.test("cors allows no origin if the list is empty", async () => {
  await using service = await open([]);
  const response = await service.ask("/cep/01900001", {
    headers: { origin: "https://a.test" },
  });
  assertEquals(response.headers.get("access-control-allow-origin"), null);
  await response.body?.cancel();
});

Deno.test("cors allows any origin if the list contains *", async () => {
  await using service = await open(["https://a.test", "*"]);
  const response = await service.ask("/cep/01900001", {
    headers: { origin: "https://x.test" },
  });
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  await response.body?.cancel();
});

for (const path of ["/cep/01900001", "/cep", "/metrics", "/nada"]) {
  Deno.test(`cors responds to a preflight of ${path}`, async () => {
    await using service = await Service.open({ records: RECORDS });
    const response = await service.ask(path, {
      method: "OPTIONS",
      headers: PREFLIGHT,
    });
    assertEquals(response.status, 204);
    assertEquals(response.body, null);
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    assertEquals(
      response.headers.get("access-control-allow-methods"),
      "GET, HEAD, PUT, PATCH, POST, DELETE",
    );
    assertEquals(
      response.headers.get("access-control-allow-headers"),
      "Origin, Content-Type, Accept, Authorization",
    );
    assertEquals(response.headers.get("access-control-max-age"), "600");
  });
}

Deno.test("cors responds to a preflight with corsMethods and corsHeaders", async () => {
  await using service = await Service.open({
    records: RECORDS,
    config: { corsMethods: ["GET"], corsHeaders: ["X-A", "X-B"] },
  });
  const response = await service.ask("/cep/01900001", {
    method: "OPTIONS",
    headers: PREFLIGHT,
  });
  assertEquals(response.headers.get("access-control-allow-methods"), "GET");
  assertEquals(
    response.headers.get("access-control-allow-headers"),
    "X-A, X-B",
  );
});

Deno.test("cors responds to a preflight of another origin without allowing it", async () => {
  await using service = await open(["https://b.test"]);
  const response = await service.ask("/cep/01900001", {
    method: "OPTIONS",
    headers: PREFLIGHT,
  });
  assertEquals(response.status, 204);
  assertEquals(response.headers.get("access-control-allow-origin"), null);
});

for (const missing of ["origin", "access-control-request-method"]) {
  Deno.test(`cors does not treat OPTIONS without ${missing} as a preflight`, async () => {
    await using service = await Service.open({ records: RECORDS });
    const headers = new Headers(PREFLIGHT);
    headers.delete(missing);
    const response = await service.ask("/cep/01900001", {
      method: "OPTIONS",
      headers,
    });
    assertEquals(response.status, 405);
    await response.body?.cancel();
  });
}

const EXPOSED: readonly (readonly [
  name: string,
  exposed: readonly string[],
  path: string,
  call?: Call,
])[] = [
  ["a record", [], "/cep/01900001", { from: "192.0.2.1" }],
  ["a named request", ["RateLimit", "X-Request-Id"], "/cep/01900001", {
    from: "192.0.2.1",
    headers: { "x-request-id": "r-1" },
  }],
  ["a quota", ["RateLimit"], "/debug/count", { from: "192.0.2.1" }],
  ["an error", ["X-Request-Id"], "/nada"],
];

for (const [name, expected, path, call] of EXPOSED) {
  Deno.test(`expose lists ${expected.join(", ") || "no header"} with ${name}`, async () => {
    await using service = await Service.open({ records: RECORDS });
    const response = await service.ask(path, call);
    const exposed = items(response, "access-control-expose-headers");
    assertEquals(expected.filter((name) => !exposed.includes(name)), []);
    assertEquals(exposed.filter((name) => !response.headers.has(name)), []);
    await response.body?.cancel();
  });
}

function open(corsOrigins: readonly string[]): Promise<Service> {
  return Service.open({ records: RECORDS, config: { corsOrigins } });
}
