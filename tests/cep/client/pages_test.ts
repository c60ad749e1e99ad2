/** Searches and lists of places. */
import { assertEquals, assertRejects } from "@std/assert";
import { CepError } from "../../../cep/client/mod.ts";
import { address } from "../_records.ts";
import { Exchanges, json, type Reply } from "./_exchanges.ts";

const page = (ceps: readonly string[], cursor: string | null): Reply =>
  json({ total: null, data: ceps.map((cep) => address({ cep })), cursor });

Deno.test("search returns a page", async () => {
  const it = new Exchanges([page(["01310100"], "abc")]);
  const { total, data, cursor } = await it.client.search({
    q: "paulista",
    cidade: "São Paulo",
    numero: 1578,
    bairro: undefined,
    limite: 5,
    cursor: "x",
  });
  assertEquals(
    [total, data.map(({ cep }) => cep), cursor],
    [null, ["01310100"], "abc"],
  );
  const url = new URL(it.urls[0]!);
  assertEquals(url.pathname, "/busca");
  assertEquals(Object.fromEntries(url.searchParams), {
    q: "paulista",
    cidade: "São Paulo",
    numero: "1578",
    limite: "5",
    cursor: "x",
  });
});

Deno.test("searchAll follows the cursors to the last page", async () => {
  const it = new Exchanges([
    page(["01310100", "01310200"], "a"),
    page([], "b"),
    page(["01310300"], null),
  ]);
  const found = await Array.fromAsync(it.client.searchAll({ q: "rua" }));
  assertEquals(found.map(({ cep }) => cep), [
    "01310100",
    "01310200",
    "01310300",
  ]);
  const cursors = it.urls.map((url) => new URL(url).searchParams.get("cursor"));
  assertEquals(cursors, [null, "a", "b"]);
});

Deno.test("searchAll requests no page that is not read", async () => {
  const it = new Exchanges([page(["01310100", "01310200"], "a")]);
  for await (const { cep } of it.client.searchAll({ q: "rua" })) {
    assertEquals(cep, "01310100");
    break;
  }
});

Deno.test("searchAll rejects a page that refers to itself", async () => {
  const it = new Exchanges([page(["01310100"], "a"), page([], "a")]);
  const error = await assertRejects(
    () => Array.fromAsync(it.client.searchAll({ q: "rua" })),
    CepError,
  );
  assertEquals(error.code, "response_invalid");
});

for (
  const [name, value] of Object.entries({
    "a list without data": { total: 0, cursor: null },
    "data that is an object": { total: 0, data: {}, cursor: null },
    "a cursor that is a number": { total: 0, data: [], cursor: 1 },
    "a total that is a text": { total: "0", data: [], cursor: null },
    "a result that is a text": { total: 1, data: ["01310100"], cursor: null },
    "an array": [],
  })
) {
  Deno.test(`search rejects ${name}`, async () => {
    const { client } = new Exchanges([json(value)]);
    const error = await assertRejects(
      () => client.search({ q: "rua" }),
      CepError,
    );
    assertEquals(error.code, "response_invalid");
  });
}

Deno.test("states, municipalities, municipality and districts request their paths", async () => {
  const list = () => json({ total: 0, data: [], cursor: null });
  const it = new Exchanges([list(), list(), json({ nome: "Santos" }), list()]);
  assertEquals(await it.client.states(), []);
  assertEquals(await it.client.municipalities("sp"), []);
  assertEquals((await it.client.municipality("3548500")).nome, "Santos");
  assertEquals(await it.client.districts("3548500"), []);
  assertEquals(it.urls.map((url) => new URL(url).pathname), [
    "/estados",
    "/estados/SP/municipios",
    "/municipios/3548500",
    "/municipios/3548500/distritos",
  ]);
});

for (const ibge of ["", "355030", "35503080", "../0000", "３５５０３０８"]) {
  Deno.test(`municipality refuses "${ibge}" without a request`, async () => {
    const { client } = new Exchanges([]);
    for (
      const name of ["municipality", "districts", "neighbourhoods"] as const
    ) {
      const error = await assertRejects(() => client[name](ibge), CepError);
      assertEquals(error.code, "parameter_invalid");
    }
  });
}

Deno.test("history returns the changes of all pages", async () => {
  const change = {
    cep: "01310999",
    cep_novo: "01310200",
    release: "26021",
    alterado_em: "2026-02-01T00:00:00.000Z",
  };
  const it = new Exchanges([json({ total: 1, data: [change], cursor: null })]);
  assertEquals(await it.client.history("01310-999"), [change]);
  assertEquals(it.urls, ["https://cep.test/cep/01310999/historico"]);
});

const MATCH = {
  cep: "01310100",
  pontuacao: 0.9,
  diferencas: [],
  outros_ceps: [],
  cep_novo: null,
  endereco: {},
  registro: address({ cep: "01310100" }),
};

for (
  const [given, body] of [
    ["Av. Paulista 1578", { endereco: "Av. Paulista 1578" }],
    [{ logradouro: "Av. Paulista" }, { logradouro: "Av. Paulista" }],
  ] as const
) {
  Deno.test(`match posts ${JSON.stringify(given)}`, async () => {
    const it = new Exchanges([json(MATCH)]);
    assertEquals<unknown>(await it.client.match(given), MATCH);
    const [{ method, url, body: sent } = {}] = it.sent;
    assertEquals([method, url, sent], [
      "POST",
      "https://cep.test/enderecos",
      body,
    ]);
  });
}

Deno.test("match returns a result without a record", async () => {
  const none = { ...MATCH, cep: null, pontuacao: 0, registro: null };
  const it = new Exchanges([json(none)]);
  assertEquals<unknown>(await it.client.match("x"), none);
});

for (
  const value of [{}, { ...MATCH, registro: {} }, { ...MATCH, pontuacao: "1" }]
) {
  Deno.test(`match rejects ${JSON.stringify(value).slice(0, 40)}…`, async () => {
    const { client } = new Exchanges([json(value)]);
    const error = await assertRejects(() => client.match("x"), CepError);
    assertEquals(error.code, "response_invalid");
  });
}
