import { assertEquals } from "@std/assert";
import {
  spanFinder,
  tracing,
} from "../../../../cep/http/middleware/telemetry.ts";
import { UNKNOWN } from "../../../../cep/http/router.ts";
import { complete, exchange, route } from "../../_service.ts";

/** Span that keeps its name and attributes. */
class FakeSpan {
  name = "GET";
  readonly attributes: Record<string, string> = {};

  updateName(name: string): void {
    this.name = name;
  }

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }
}

const CEP = route({ pattern: "/cep/:cep" });

for (
  const [method, matched, name, attributes] of [
    ["GET", CEP, "GET /cep/:cep", { "http.route": "/cep/:cep" }],
    ["HEAD", CEP, "HEAD /cep/:cep", { "http.route": "/cep/:cep" }],
    ["X-SECRET", CEP, "HTTP /cep/:cep", { "http.route": "/cep/:cep" }],
    ["POST", UNKNOWN, "POST", {}],
    ["X-SECRET", UNKNOWN, "HTTP", {}],
  ] as const
) {
  Deno.test(`tracing names the span of ${method} ${matched.pattern} "${name}"`, async () => {
    const span = new FakeSpan();
    const it = exchange({ method, route: matched, path: "/cep/01310100" });
    await complete(tracing(() => span), it, { status: 200 });
    assertEquals([span.name, span.attributes], [name, attributes]);
  });
}

Deno.test("tracing passes a request without a span", async () => {
  const answer = { status: 200 };
  const it = exchange({ route: CEP });
  assertEquals(await complete(tracing(() => undefined), it, answer), answer);
});

Deno.test("spanFinder returns undefined while OpenTelemetry is off", () => {
  assertEquals(spanFinder({}), undefined);
  const registry = Symbol.for("opentelemetry.js.api.1");
  assertEquals(spanFinder({ [registry]: {} }), undefined);
});

Deno.test("spanFinder finds the span of the active context", () => {
  const span = new FakeSpan();
  const key = Symbol.for("OpenTelemetry Context Key SPAN");
  let values = new Map([[key, span]]);
  const context = {
    active: () => ({ getValue: (it: symbol) => values.get(it) }),
  };
  const find = spanFinder({
    [Symbol.for("opentelemetry.js.api.1")]: { context },
  });
  assertEquals(find?.(), span);
  values = new Map();
  assertEquals(find?.(), undefined);
});
