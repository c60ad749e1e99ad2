/**
 * Every operation of the OpenAPI document, called over the sample with a small
 * CNEFE.
 */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { openStore } from "../../../cep/mod.ts";
import type { Endpoint, Parameter } from "../../../cep/http/exchange.ts";
import { docs } from "../../../cep/http/routes/docs.ts";
import { createServiceHandler } from "../../../cep/http/service_handler.ts";
import { ENDPOINTS } from "../../../scripts/readme_tables/cep.ts";
import { CapturingLogger } from "../_logger.ts";
import { SAMPLE } from "../../_sample.ts";
import { SAO_PAULO, seedBoth } from "../import/_both.ts";
import { Contract, receive } from "./_contract.ts";
import { CODE_POINT } from "../_characters.ts";

const logger = new CapturingLogger();
const store = await openStore({ path: ":memory:", logger });
await seedBoth(store, { cnefe: SAO_PAULO }, { directory: SAMPLE });
const handler = createServiceHandler({
  store,
  docs,
  config: { rateLimit: false },
  logger,
});
const contract = new Contract(ENDPOINTS);

type Values = Readonly<Record<string, string>>;

/** Returns a request to an endpoint with the values of some parameters. */
function requestTo(
  { method = "GET", pattern, parameters }: Endpoint,
  values: Values,
  body?: readonly [type: string, text: string],
): Request {
  const path = parameters.filter((it) => it.in === "path").reduce(
    (path, { name, example }) =>
      path.replace(`:${name}`, encodeURIComponent(values[name] ?? example)),
    pattern,
  );
  const query = new URLSearchParams();
  for (const { name, in: where, unless, example } of parameters) {
    const isRequired = unless?.every((it) => !(it in values));
    const value = values[name] ?? (isRequired ? example : undefined);
    if (where === "query" && value !== undefined) query.set(name, value);
  }
  return new Request(`http://localhost${path}?${query}`, {
    method,
    ...(body && { headers: { "content-type": body[0] }, body: body[1] }),
  });
}

/** Calls an endpoint, and checks that the document allows the response. */
async function call(
  endpoint: Endpoint,
  values: Values = {},
  body = bodiesOf(endpoint)[0],
): Promise<number> {
  const request = requestTo(endpoint, values, body);
  const received = await receive(await handler(request));
  contract.check(endpoint, received);
  return received.status;
}

function bodiesOf({ content }: Endpoint): [type: string, text: string][] {
  return Object.entries(content?.examples ?? {});
}

/** Texts that are wrong for most parameters and bodies. */
const HOSTILE = fc.oneof(
  fc.constantFrom(
    "x",
    "0",
    "-1",
    "1e9",
    "null",
    "*",
    '"',
    "'; --",
    "NEAR(",
    "a AND OR NOT",
    "\0",
    "\n",
    "😀",
    "../..",
    "<script>",
    "a".repeat(10_000),
    "[]",
    "{}",
    '["01310100"]',
    '{"endereco":1}',
    "[[[[",
  ),
  fc.string({ unit: CODE_POINT, minLength: 1, maxLength: 20 }),
);

/** True if a URL can have the text as a segment of its path. */
function isSegment(text: string): boolean {
  return text !== "" && !/^\.\.?$/.test(text) && text.isWellFormed();
}

for (const endpoint of ENDPOINTS) {
  const { method = "GET", pattern, parameters } = endpoint;
  const isOperation = Object.keys(endpoint.answers).length > 0;
  const name = `${method} ${pattern}`;

  if (isOperation) {
    Deno.test(`${name} answers its examples as documented`, async () => {
      assertEquals(await call(endpoint), 200);
      for (const { name, example } of parameters) {
        assertEquals(await call(endpoint, { [name]: example }), 200, name);
      }
      for (const body of bodiesOf(endpoint)) {
        assertEquals(await call(endpoint, {}, body), 200, body[0]);
      }
    });
  }

  const takesInput = parameters.length > 0 || endpoint.content !== undefined;
  if (!isOperation || !takesInput) continue;

  Deno.test(`${name} answers any input as documented`, async () => {
    const values = fc.record(
      Object.fromEntries(parameters.map((it) => [it.name, inputOf(it)])),
      { requiredKeys: [] },
    );
    const bodies = bodiesOf(endpoint).map(([type]) =>
      fc.tuple(fc.constant(type), HOSTILE)
    );
    const body = bodies.length > 0
      ? fc.oneof(...bodies)
      : fc.constant(undefined);
    await fc.assert(
      fc.asyncProperty(values, body, async (values, body) => {
        const status = await call(endpoint, values as Values, body);
        assertEquals(status < 500, true);
      }),
      { seed: 12, numRuns: 100 },
    );
    assertEquals(logger.entries.filter(({ level }) => level === "error"), []);
  });
}

function inputOf({ in: where, example }: Parameter): fc.Arbitrary<string> {
  const input = where === "path" ? HOSTILE.filter(isSegment) : HOSTILE;
  return fc.oneof(input, fc.constant(example));
}
