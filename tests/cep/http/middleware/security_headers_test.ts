import { assertEquals } from "@std/assert";
import { securityHeaders } from "../../../../cep/http/middleware/security_headers.ts";
import { address } from "../../_records.ts";
import { complete, exchange, Service } from "../../_service.ts";

const CSP = "content-security-policy";
const CORP = "cross-origin-resource-policy";
const NAMES = ["x-content-type-options", CSP, "referrer-policy", CORP];

/** Headers of a response that a browser could render or execute. */
const ACTIVE = ["nosniff", "default-src 'none'; frame-ancestors 'none'"]
  .concat("no-referrer");

for (
  const [type, origins, expected] of [
    ["application/json", ["*"], ["nosniff", null, null, null]],
    ["application/json", ["https://a.example"], [
      "nosniff",
      null,
      null,
      "same-site",
    ]],
    ["application/xml", ["*"], [...ACTIVE, "cross-origin"]],
    ["text/html; charset=utf-8", ["*"], [...ACTIVE, "cross-origin"]],
    ["text/html", ["https://a.example"], [...ACTIVE, "same-site"]],
    ["application/javascript", ["https://a.example"], [...ACTIVE, "same-site"]],
    [undefined, ["*"], ["nosniff", null, null, null]],
  ] as const
) {
  Deno.test(`securityHeaders adds its headers to ${type ?? "no body"} with the origins ${origins}`, async () => {
    const it = exchange();
    const body = type && { type, content: "", length: 0 };
    await complete(securityHeaders({ corsOrigins: origins }), it, {
      status: 200,
      ...(body && { body }),
    });
    assertEquals(NAMES.map((name) => it.headers[name] ?? null), [...expected]);
  });
}

for (
  const [path, status, init] of [
    ["/cep/01900001", 200],
    ["/cep/x", 400],
    ["/nada", 404],
    ["/nada", 405, { method: "DELETE" }],
    ["/livez", 200, { method: "HEAD" }],
    ["/metrics", 200],
    ["/openapi.json", 200],
    ["/ws/01900001/xml", 200],
    ["/ws/01900001/json?callback=a", 200],
    ["/ws/x/json", 400],
    ["/ceps", 415, { method: "POST", body: "" }],
    ["/healthcheck", 204, {
      method: "OPTIONS",
      headers: {
        origin: "https://a.example",
        "access-control-request-method": "GET",
      },
    }],
  ] as const
) {
  Deno.test(`createHandler adds security headers to the ${status} of ${path}`, async () => {
    await using service = await Service.open({ records: [address()] });
    const { headers, body } = await service.ask(path, init);
    await body?.cancel();
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    const type = headers.get("content-type");
    const isActive = type !== null && type !== "application/json";
    assertEquals(headers.get(CSP), isActive ? ACTIVE[1] : null);
    for (const banner of ["server", "x-powered-by"]) {
      assertEquals(headers.get(banner), null);
    }
  });
}
