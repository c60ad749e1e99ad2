/** OpenAPI document of the service. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { BUILD } from "../../../cep/build.ts";
import { CENSUS_FIELDS, OWN_FIELDS } from "../../../cep/record/fields.ts";
import type { Endpoint } from "../../../cep/http/exchange.ts";
import { Components } from "../../../cep/http/open_api/components.ts";
import { openApiDocument } from "../../../cep/http/open_api/document.ts";
import { errorsOf, pathOf } from "../../../cep/http/open_api/operation.ts";
import { named, object, STRING } from "../../../cep/http/open_api/schema.ts";
import { TAGS } from "../../../cep/http/open_api/tags.ts";
import { ENDPOINTS } from "../../../scripts/readme_tables/cep.ts";
import type { DataSource } from "../../../cep/store/store.ts";
import { fakeStore, RELEASE } from "../_records.ts";
import { Service } from "../_service.ts";
import { Contract } from "./_contract.ts";

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Endpoints that return more than errors. */
const OPERATIONS = ENDPOINTS.filter(({ answers }) =>
  Object.keys(answers).length > 0
);

Deno.test("openApiDocument creates a valid OpenAPI 3.1 document", async () => {
  const document = openApiDocument({ endpoints: ENDPOINTS, build: BUILD });
  const validator = new Validator();
  const { valid, errors } = await validator.validate(document);
  assert(valid, JSON.stringify(errors));
  assertEquals(validator.version, "3.1");
});

Deno.test("openApiDocument requires every field of a record but those of the CNEFE", () => {
  const { components } = openApiDocument({
    endpoints: ENDPOINTS,
    build: BUILD,
  });
  const { schemas } = components as {
    readonly schemas: Readonly<
      Record<string, { required: string[]; properties: object }>
    >;
  };
  for (
    const [name, more] of [["Registro", []], ["RegistroProximo", [
      "distancia_m",
    ]]] as const
  ) {
    const { required, properties } = schemas[name]!;
    assertEquals(required, [...OWN_FIELDS, ...more]);
    assertEquals(Object.keys(properties), [...required, ...CENSUS_FIELDS]);
  }
});

Deno.test("createHandler serves the document of its routes", async () => {
  await using service = await Service.open({ config: { metrics: false } });
  const response = await service.ask("/openapi.json");
  assertEquals(response.headers.get("content-type"), "application/json");
  const { info, paths } = await response.json();
  assertEquals(info.version, "1.2.3");
  assertEquals(
    Object.keys(paths),
    OPERATIONS.map(pathOf).filter((path) => path !== "/metrics"),
  );
});

const SOURCES: readonly (readonly [
  sources: readonly DataSource[] | undefined,
  text: string,
])[] = [
  [undefined, "CEPs do DNE dos Correios. `HEAD`"],
  [["dne"], "CEPs do DNE dos Correios. `HEAD`"],
  [["cnefe"], "CEPs do CNEFE do IBGE. Fonte: IBGE, "],
  [
    ["dne", "cnefe"],
    "CEPs do DNE dos Correios, com coordenadas e outros CEPs do CNEFE. Fonte: IBGE, ",
  ],
];

Deno.test("createHandler names the sources of each release in its document", async () => {
  let sources: readonly DataSource[] | undefined;
  const store = fakeStore({
    release: () => Promise.resolve(sources && { ...RELEASE, sources }),
  });
  await using service = await Service.open({ store });
  for (const [given, text] of SOURCES) {
    sources = given;
    const { info } = await (await service.ask("/openapi.json")).json();
    assertEquals(info.description.slice(0, text.length), text);
  }
});

Deno.test("openApiDocument has an operation for every endpoint, with distinct names", () => {
  const { document } = new Contract(ENDPOINTS);
  const operations = OPERATIONS.map((endpoint) => {
    const method = (endpoint.method ?? "GET").toLowerCase();
    return document.paths[pathOf(endpoint)]![method]! as unknown as Operation;
  });
  const ids = operations.map(({ operationId }) => operationId);
  assertEquals(ids.length, new Set(ids).size);
  for (const id of ids) assert(/^[a-z][A-Za-z0-9]*$/.test(id), id);
  for (const { responses } of operations) {
    assert(Object.keys(responses).length > 0);
  }
});

/** Describes a document by the places of its descriptions. */
function descriptionsOf(value: unknown, at = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, it]) =>
    name === "description" && typeof it === "string"
      ? [[at, it] as [string, unknown]]
      : descriptionsOf(it, `${at}/${name}`)
  );
}

Deno.test("openApiDocument translates operations and schemas", () => {
  const [en = [], pt = []] = (["en", "pt"] as const).map((language) => {
    const document = openApiDocument({
      endpoints: ENDPOINTS,
      build: BUILD,
      language,
    });
    return descriptionsOf([document["paths"], document["components"]]);
  });
  assertEquals(en.map(([at]) => at), pt.map(([at]) => at));
  assertEquals(en.filter(([, text], i) => text === pt[i]![1]), []);
});

Deno.test("openApiDocument leaves out paths that only return errors", () => {
  const { document } = new Contract(ENDPOINTS);
  assertEquals("/cep" in document.paths, false);
});

Deno.test("ENDPOINTS leaves /v2 to the next version of the API", async () => {
  const patterns = ENDPOINTS.map(({ pattern }) => `${pattern}/`);
  assertEquals(patterns.filter((it) => it.startsWith("/v2/")), []);
  await using service = await Service.open();
  const { code } = await (await service.ask("/v2/01310100")).json();
  assertEquals(code, "route_not_found");
});

const GROUPS = TAGS.flatMap(({ roots }) => roots);

Deno.test("TAGS has the first segment of every path, in one group each", () => {
  assertEquals(GROUPS.length, new Set(GROUPS).size);
  const roots = ENDPOINTS.map(({ pattern }) => pattern.split("/")[1]!);
  assertEquals(roots.filter((root) => !GROUPS.includes(root)), []);
});

Deno.test("openApiDocument refuses an endpoint outside TAGS", () => {
  const endpoints = [endpoint({ pattern: "/nada" })];
  assertThrows(
    () => openApiDocument({ endpoints, build: BUILD }),
    TypeError,
    'Cannot tag "/nada": "/nada" is not in TAGS',
  );
});

Deno.test("openApiDocument describes a parameter that others can replace", () => {
  const { document } = new Contract(ENDPOINTS);
  const { parameters } = document.paths["/busca"]!["get"]!;
  const [q] = parameters as unknown as {
    readonly required: boolean;
    readonly description: string;
  }[];
  assertEquals(q?.required, false);
  assertMatch(
    q?.description ?? "",
    /obrigatório sem `uf`, `cidade`, `bairro`$/,
  );
});

Deno.test("openApiDocument describes parameters that are always required", () => {
  const { document } = new Contract(ENDPOINTS);
  const { parameters } = document.paths["/proximos"]!["get"]!;
  const described = parameters as unknown as {
    readonly name: string;
    readonly required: boolean;
    readonly example: unknown;
    readonly description: string;
  }[];
  assertEquals(
    described.map(({ name, required, example }) => [name, required, example]),
    [
      ["lat", true, -23.56168],
      ["lng", true, -46.65598],
      ["limite", false, 5],
      ["formato", false, "geojson"],
    ],
  );
  assertEquals(described[0]?.description.includes("obrigatório"), false);
});

Deno.test("errorsOf leaves out what free and lenient endpoints lack", () => {
  const errors = ["cep_invalid"] as const;
  assertEquals(errorsOf(endpoint({ errors })), [
    "cep_invalid",
    "parameter_invalid",
    "rate_limited",
    "internal",
  ]);
  assertEquals(errorsOf(endpoint({ errors, lenient: true })), [
    "cep_invalid",
    "rate_limited",
    "internal",
  ]);
  assertEquals(errorsOf(endpoint({ free: true })), ["internal"]);
});

Deno.test("Components replaces schemas that have a title, at any depth", () => {
  const components = new Components();
  const inner = named("B", object({ title: STRING }));
  const outer = named("A", object({ b: { type: "array", items: inner } }));
  assertEquals(components.lift(outer), { $ref: "#/components/schemas/A" });
  assertEquals(components.schemas, {
    A: {
      title: "A",
      ...object({
        b: { type: "array", items: { $ref: "#/components/schemas/B" } },
      }),
    },
    B: inner,
  });
});

Deno.test("Components refuses different schemas with the same title", () => {
  const components = new Components();
  components.lift(named("A", STRING));
  components.lift(named("A", STRING));
  assertThrows(
    () => components.lift(named("A", object({}))),
    TypeError,
    'Cannot name schema "A": the name is in use',
  );
});

function endpoint(changes: Partial<Endpoint>): Endpoint {
  return {
    id: "getCep",
    pattern: "/cep",
    summary: { en: "", pt: "" },
    parameters: [],
    answers: { 200: { en: "", pt: "" } },
    errors: [],
    ...changes,
  };
}
