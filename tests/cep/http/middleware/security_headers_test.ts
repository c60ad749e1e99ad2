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
