/** OpenTelemetry of Deno, received by a collector over OTLP. */
import { assertEquals } from "@std/assert";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Process } from "./_process.ts";
import { within } from "./_within.ts";

/** Attribute, in the JSON of OTLP. */
interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

/** Span, in the JSON of OTLP. */
interface Span {
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

/** Collector of OTLP/HTTP with JSON. */
class Collector implements AsyncDisposable {
  readonly spans: Span[] = [];
  readonly bodies: string[] = [];
  readonly #server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    this.bodies.push(text);
    if (isOfRoutes(text)) this.#metrics.resolve();
    if (request.url === "/v1/traces") this.#add(JSON.parse(text));
    response.setHeader("content-type", "application/json").end("{}");
  });
  readonly #metrics = Promise.withResolvers<void>();
  readonly #awaited: { name: string; resolve: (span: Span) => void }[] = [];

  // deno-lint-ignore no-explicit-any -- JSON
  #add({ resourceSpans }: any): void {
    for (const { scopeSpans } of resourceSpans) {
      for (const span of scopeSpans.flatMap(spansOf)) {
        this.spans.push(span);
        for (const { name, resolve } of this.#awaited) {
          if (span.name === name) resolve(span);
        }
      }
    }
  }

  /** Listens, and returns the settings of a program that sends to it. */
  async listen(): Promise<Record<string, string>> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const { port } = this.#server.address() as AddressInfo;
    return {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: "20",
      OTEL_METRIC_EXPORT_INTERVAL: "50",
    };
  }

  /** Waits for a span with a name. */
  span(name: string): Promise<Span> {
    const found = this.spans.find((it) => it.name === name);
    if (found) return Promise.resolve(found);
    const { promise, resolve } = Promise.withResolvers<Span>();
    this.#awaited.push({ name, resolve });
    return within(`the span ${name}`, promise);
  }

  /** Waits for metrics of a route. */
  metrics(): Promise<void> {
    return within("metrics of a route", this.#metrics.promise);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

function isOfRoutes(body: string): boolean {
  return body.includes("http.server.request.duration") &&
    body.includes("/cep/:cep");
}

function spansOf({ spans }: { readonly spans: readonly Span[] }) {
  return spans;
}

/** Requests, and the names of their spans. */
const REQUESTS: readonly (readonly [string, string, RequestInit?])[] = [
  ["/cep/01310100", "GET /cep/:cep"],
  ["/cep/01310100", "HEAD /cep/:cep", { method: "HEAD" }],
  ["/cep/x", "GET /cep/:cep"],
  ["/busca?q=paulista", "GET /busca"],
  ["/ws/SP/Sao%20Paulo/Paulista/json", "GET /ws/:uf/:cidade/:logradouro/json"],
  ["/ceps", "POST /ceps", { method: "POST", body: "[]" }],
  ["/nada/01310100", "GET"],
];

Deno.test("OTEL_DENO=true names spans and metrics by their routes, and sends no header", async () => {
  await using collector = new Collector();
  await using server = Process.main({
    DB_PATH: ":memory:",
    ...await collector.listen(),
  });
  const port = await server.port();
  for (const [path, name, init] of REQUESTS) {
    const url = `http://127.0.0.1:${port}${path}`;
    const headers = { authorization: "Bearer s3cret", cookie: "a=s3cret" };
    await (await fetch(url, { ...init, headers })).body?.cancel();
    const { attributes } = await collector.span(name);
    const route = attributes.find(({ key }) => key === "http.route");
    const expected = name.split(" ")[1];
    assertEquals(route?.value.stringValue, expected, name);
  }
  // The process is killed then: Deno may never end while it sends the rest.
  await collector.metrics();
  const names = new Set(REQUESTS.map(([, name]) => name));
  assertEquals(new Set(collector.spans.map(({ name }) => name)), names);
  assertEquals(collector.bodies.filter((it) => it.includes("s3cret")), []);
});

Deno.test("a service without OTEL_DENO sends nothing to the collector", async () => {
  await using collector = new Collector();
  const { OTEL_DENO: _, ...settings } = await collector.listen();
  await using server = Process.main({ DB_PATH: ":memory:", ...settings });
  const port = await server.port();
  const response = await fetch(`http://127.0.0.1:${port}/cep/01310100`);
  await response.body?.cancel();
  server.kill("SIGTERM");
  await server.end();
  assertEquals(collector.bodies, []);
});
