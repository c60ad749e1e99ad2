import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import fc from "fast-check";
import { CepError } from "../../../cep/client/mod.ts";
import { address } from "../_records.ts";
import { Exchanges, failure, json, record } from "./_exchanges.ts";

const ACCEPTED: readonly unknown[] = [
  "01310100",
  "01310-100",
  "01.310-100",
  " 01310\u00A0100 ",
  1310100,
];

for (const cep of ACCEPTED) {
  Deno.test(`lookup requests and returns the record of ${JSON.stringify(cep)}`, async () => {
    const it = new Exchanges([record("01310100")]);
    assertEquals(
      await it.client.lookup(cep as string),
      address({ cep: "01310100" }),
    );
    assertEquals(it.urls, ["https://cep.test/cep/01310100"]);
    assertEquals(it.sent[0]?.method, "GET");
  });
}

const INVALID: readonly unknown[] = [
  "",
  "1310100",
  "01310-1000",
  "../debug/count",
  "01310100/../../debug/count",
  "01310100?x=1",
  "01310100#",
  "０１３１０１００",
  "01310100\n",
  131010,
  1310100.5,
  null,
  undefined,
  {},
  ["01310100"],
];

for (const cep of INVALID) {
  Deno.test(`lookup refuses ${JSON.stringify(cep)} without a request`, async () => {
    const { client } = new Exchanges([]);
    const error = await assertRejects(
      () => client.lookup(cep as string),
      CepError,
    );
    assertEquals([error.code, error.status], ["cep_invalid", undefined]);
  });
}

Deno.test("lookup rejects with the suggestion for an unknown CEP", async () => {
  const sugestao = { cidade: "São Paulo", uf: "SP", codigo_ibge: "3550308" };
  const { client } = new Exchanges([
    failure(404, "cep_not_found", { details: { sugestao } }),
  ]);
  const error = await assertRejects(() => client.lookup("01310999"), CepError);
  assertEquals(error.code, "cep_not_found");
  assertEquals(error.status, 404);
  assertEquals(error.message, "Mensagem.");
  assertEquals(error.sugestao, sugestao);
  assertEquals(error.cepNovo, undefined);
});

Deno.test("lookup rejects with the new CEP of a replaced one", async () => {
  const { client } = new Exchanges([
    failure(404, "cep_replaced", { details: { cep_novo: "01310200" } }),
  ]);
  const error = await assertRejects(() => client.lookup("01310999"), CepError);
  assertEquals(error.code, "cep_replaced");
  assertEquals(error.cepNovo, "01310200");
  assertEquals(error.sugestao, undefined);
  assertEquals(error.details["cep_novo"], "01310200");
});

for (
  const [name, response] of [
    ["another error", () => failure(400, "parameter_invalid")],
    [
      "a 404 of another server",
      () => new Response("<h1>404</h1>", { status: 404 }),
    ],
    [
      "a 404 in JSON of another server",
      () => json({ message: "Not Found" }, 404),
    ],
  ] as const
) {
  Deno.test(`find rejects for ${name}`, async () => {
    const { client } = new Exchanges([response()]);
    await assertRejects(() => client.find("01310999"), CepError);
  });
}

const NOT_RECORDS: Readonly<Record<string, () => Response>> = {
  "an HTML page": () =>
    new Response("<html>", { headers: { "content-type": "text/html" } }),
  "half a record": () => new Response('{"cep":"01310100","logra'),
  "no body": () => new Response(null, { status: 204 }),
  "an empty body": () => new Response(""),
  "null": () => json(null),
  "a list": () => json([]),
  "a text": () => json("01310100"),
  "an object without a CEP": () => json({ logradouro: "Avenida Paulista" }),
  "the record of another CEP": () => record("01310200"),
  "a field that is a number": () =>
    json({ ...address({ cep: "01310100" }), codigo_ibge: 3550308 }),
  "a field that is null": () =>
    json({ ...address({ cep: "01310100" }), bairro: null }),
  "the CEP as a number": () => json({ ...address(), cep: 13101000 }),
};

for (const [name, response] of Object.entries(NOT_RECORDS)) {
  Deno.test(`lookup rejects ${name}`, async () => {
    const it = new Exchanges([response()]);
    const error = await assertRejects(
      () => it.client.lookup("01310100"),
      CepError,
    );
    assertEquals(error.code, "response_invalid");
    assertEquals(it.clock.waits, []);
  });
}

Deno.test("lookup names URL, status and type of a page, but not the query", async () => {
  const { client } = new Exchanges([
    new Response("<html>", { headers: { "content-type": "text/html" } }),
  ], { baseUrl: "https://cep.test/?key=secret" });
  const { message } = await assertRejects(
    () => client.lookup("01310100"),
    CepError,
  );
  assertEquals(
    message,
    'Cannot read the response of "https://cep.test/cep/01310100": it is not ' +
      "of the API (status 200, text/html)",
  );
});

Deno.test("lookup names the URL that a redirect led to", async () => {
  const response = new Response("<html>");
  Object.defineProperty(response, "url", { value: "https://login.test/?a=b" });
  const { client } = new Exchanges([response]);
  const { message } = await assertRejects(
    () => client.lookup("01310100"),
    CepError,
  );
  assertStringIncludes(message, '"https://login.test/"');
});

Deno.test("lookup fills a field that an older server does not have", async () => {
  const { nome: _, ...older } = address({ cep: "01310100" });
  const { client } = new Exchanges([json(older)]);
  assertEquals((await client.lookup("01310100")).nome, "");
});

Deno.test("lookup keeps the fields of the CNEFE, which must be numbers", async () => {
  const counted = address({ cep: "01310100", enderecos: 18 });
  const { client } = new Exchanges([
    json(counted),
    json({ ...counted, latitude: "-23.5" }),
  ]);
  assertEquals(await client.lookup("01310100"), counted);
  await assertRejects(
    () => client.lookup("01310100"),
    CepError,
    'the field "latitude" of a record is not a number',
  );
});

Deno.test("lookup keeps a field of a newer server", async () => {
  const newer = { ...address({ cep: "01310100" }), ddd: "11" };
  const { client } = new Exchanges([json(newer)]);
  assertEquals<unknown>(await client.lookup("01310100"), newer);
});

Deno.test("lookup gives a record or a CepError for any response", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 200, max: 599 }),
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.record({
          error: fc.oneof(fc.string(), fc.integer()),
          code: fc.oneof(fc.string(), fc.integer()),
          sugestao: fc.jsonValue(),
          cep_novo: fc.jsonValue(),
        }, { requiredKeys: [] }).map((it) => JSON.stringify(it)),
      ),
      async (status, text) => {
        const body = [204, 205, 304].includes(status) ? null : text;
        const it = new Exchanges([new Response(body, { status })], {
          retries: 0,
        });
        const error = await it.client.lookup("01310100").catch((it) => it);
        assertInstanceOf(error, CepError);
        const { sugestao, cepNovo } = error;
        assert(sugestao === undefined || typeof sugestao.cidade === "string");
        assert(cepNovo === undefined || typeof cepNovo === "string");
      },
    ),
  );
});
