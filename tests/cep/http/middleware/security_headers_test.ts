import { assertEquals } from "@std/assert";
import { securityHeaders } from "../../../../cep/http/middleware/security_headers.ts";
import { complete, exchange } from "../../_service.ts";

const CSP = "content-security-policy";
const CORP = "cross-origin-resource-policy";
const NAMES = ["x-content-type-options", CSP, "referrer-policy", CORP];

/** Headers of a response that a browser could render or execute. */
const ACTIVE = ["nosniff", "default-src 'none'; frame-ancestors 'none'"]
  .concat("no-referrer");

for (
  const [type, status, origins, expected] of [
    ["application/json", 200, ["*"], [null, null, null, null]],
    ["application/json", 200, ["https://a.example"], [
      null,
      null,
      null,
      "same-site",
    ]],
    ["application/json", 400, ["*"], ["nosniff", null, null, null]],
    ["application/xml", 200, ["*"], [...ACTIVE, "cross-origin"]],
    ["text/html; charset=utf-8", 200, ["*"], [...ACTIVE, "cross-origin"]],
    ["text/html", 200, ["https://a.example"], [...ACTIVE, "same-site"]],
    ["application/javascript", 200, ["https://a.example"], [
      ...ACTIVE,
      "same-site",
    ]],
    [undefined, 200, ["*"], ["nosniff", null, null, null]],
  ] as const
) {
  Deno.test(`securityHeaders adds its headers to ${type ?? "no body"} of status ${status} with the origins ${origins}`, async () => {
    const it = exchange();
    const body = type && { type, content: "", length: 0 };
    await complete(securityHeaders({ corsOrigins: origins }), it, {
      status,
      ...(body && { body }),
    });
    assertEquals(NAMES.map((name) => it.headers[name] ?? null), [...expected]);
  });
}
