/** Tools for agents, called by the official client. */
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openStore } from "../../../../cep/mod.ts";
import type { Config } from "../../../../cep/settings/config.ts";
import { loadMcp, mcp } from "../../../../cep/http/routes/mcp.ts";
import {
  createServiceHandler,
  type Handler,
} from "../../../../cep/http/service_handler.ts";
import { seed } from "../../../../cep/import/seed.ts";
import { SAMPLE } from "../../../_sample.ts";
import { CapturingLogger } from "../../_logger.ts";
import { fakeStore } from "../../_records.ts";

const logger = new CapturingLogger();
const store = await openStore({ path: ":memory:", logger });
await seed({ store, directory: SAMPLE, logger });
const agents = mcp(await loadMcp());
const handler = create({ rateLimit: false });

function create(config: Partial<Config>): Handler {
  return createServiceHandler({ store, config, logger, mcp: agents });
}

/** Connects a client to a handler, of one era of the protocol. */
async function connect(era: "legacy" | "auto" = "auto"): Promise<Client> {
  const client = new Client({ name: "loja", version: "1.0.0" }, {
    versionNegotiation: { mode: era },
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
      fetch: async (url, init) => await handler(new Request(url, init)),
    }),
  );
  return client;
}

/** Returns the status of a tool's answer and its text as JSON. */
function resultOf({ isError, content }: CallToolResult) {
  const [text = ""] = content.map((it) => it.type === "text" ? it.text : "");
  return { isError, body: JSON.parse(text) };
}

const CALLS: readonly [name: string, values: object, expected: object][] = [
  ["getCep", { cep: "01310-100" }, { logradouro: "Avenida Paulista" }],
  ["getMunicipality", { ibge: 3550308 }, { nome: "São Paulo" }],
  ["listMunicipalities", { uf: "RR", limite: 1 }, { total: 3 }],
  ["matchAddress", {
    logradouro: "Avenida Paulista",
    numero: 1578,
    cidade: "São Paulo",
    uf: "SP",
  }, { cep: "01310200" }],
];

const REFUSED: readonly [name: string, values: object, expected: object][] = [
  ["getCep", {}, { code: "cep_invalid" }],
  ["getCep", { cep: "99999999" }, { code: "cep_not_found" }],
  ["getCep", { cpe: "01310100" }, { parametro: "cpe" }],
  ["getCep", { cep: { de: "São Paulo" } }, { code: "cep_invalid" }],
  ["getCeps", {}, { parametro: "getCeps" }],
  ["getMunicipality", {}, { parametro: "ibge" }],
  ["matchAddress", {}, { parametro: "endereco" }],
  ["matchAddress", { rua: "Augusta" }, { parametro: "rua" }],
  ["searchAddresses", { q: "", limite: 500 }, { code: "parameter_invalid" }],
];

for (const era of ["legacy", "auto"] as const) {
  Deno.test(`POST /mcp answers the official client (${era}) as the routes do`, async () => {
    const client = await connect(era);
    for (const [name, values, expected] of CALLS) {
      const result = await client.callTool({
        name,
        arguments: { ...values },
      });
      const { isError, body } = resultOf(result);
      assertEquals({ isError, ...pick(body, expected) }, {
        isError: false,
        ...expected,
      });
      assertEquals(result.structuredContent, body);
    }
    await client.close();
  });

  Deno.test(`POST /mcp returns errors of the API to the official client (${era}) as results`, async () => {
    const client = await connect(era);
    for (const [name, values, expected] of REFUSED) {
      const result = await client.callTool({ name, arguments: { ...values } });
      const { isError, body } = resultOf(result);
      assertEquals({ isError, ...pick(body, expected) }, {
        isError: true,
        ...expected,
      });
    }
    await client.close();
  });
}

function pick(body: Record<string, unknown>, members: object): object {
  return Object.fromEntries(
    Object.keys(members).map((name) => [name, body[name]]),
  );
}

Deno.test("POST /mcp lists tools with the parameters of their routes", async () => {
  const client = await connect();
  const { tools } = await client.listTools();
  const schemas = Object.fromEntries(
    tools.map(({ name, inputSchema }) => [name, inputSchema]),
  );
  assertEquals(schemas.getCep?.required, ["cep"]);
  assert("endereco" in (schemas.matchAddress?.properties ?? {}));
  for (const { description, annotations } of tools) {
    assert(description);
    assertEquals(annotations?.readOnlyHint, true);
  }
  await client.close();
});

const MALFORMED: readonly [body: string, status: number][] = [
  ["", 400],
  ["null", 400],
  ["[]", 400],
  ["{}", 400],
  ['{"jsonrpc": "2.0", "id": 1, "method": "tools/call"', 400],
  [`{"jsonrpc": "2.0", "id": 1, "method": "${"x".repeat(70_000)}"}`, 413],
];

for (const [body, status] of MALFORMED) {
  Deno.test(`POST /mcp refuses ${body.slice(0, 50) || "an empty body"}`, async () => {
    const response = await post(handler, body);
    assertEquals(response.status, status);
    await response.body?.cancel();
  });
}

Deno.test("POST /mcp ends a subscription at once", async () => {
  const response = await post(
    handler,
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "subscriptions/listen",
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "loja", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
    {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "subscriptions/listen",
    },
  );
  assertStringIncludes(await response.text(), '"error"');
});

Deno.test("POST /mcp counts against the rate limit", async () => {
  const limited = create({ rateLimitMax: 1, rateLimitBurst: 0 });
  const from = { remoteAddr: { transport: "tcp", hostname: "192.0.2.1" } };
  const statuses = [];
  for (let i = 0; i < 2; i++) {
    const response = await post(limited, callOf("01310100"), {}, from);
    statuses.push(response.status);
    await response.body?.cancel();
  }
  assertEquals(statuses, [200, 429]);
});

Deno.test("POST /mcp logs an unexpected error and tells nothing of it", async () => {
  const broken = createServiceHandler({
    store: fakeStore(),
    config: { rateLimit: false },
    logger,
    mcp: agents,
  });
  const response = await post(broken, callOf("01310100"));
  assertEquals(response.status, 500);
  assert(!(await response.text()).includes("findJson"));
});

for (const method of ["GET", "DELETE"]) {
  Deno.test(`${method} /mcp is refused, because there are no sessions`, async () => {
    const request = new Request("http://localhost/mcp", { method });
    const response = await handler(request);
    assertEquals(response.status, 405);
    await response.body?.cancel();
  });
}

function callOf(cep: string): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "getCep", arguments: { cep } },
  });
}

async function post(
  handler: Handler,
  body: string,
  headers: Record<string, string> = {},
  info?: Parameters<Handler>[1],
): Promise<Response> {
  return await handler(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body,
    }),
    info,
  );
}
