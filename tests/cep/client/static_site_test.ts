/** Client of a static site. */
import { assertEquals, assertRejects } from "@std/assert";
import { type CepClient, CepError } from "../../../cep/client/mod.ts";
import { SITE_VERSION } from "../../../cep/export/static/layout.ts";
import {
  formatPrefixFile,
  PrefixSet,
} from "../../../cep/export/static/prefixes.ts";
import { address, addresses } from "../_records.ts";
import { Exchanges, json, type Reply } from "./_exchanges.ts";

const SITE = "https://cdn.test/cep-br/";

function manifest(...prefixes: string[]): Response {
  return json({
    formato: SITE_VERSION,
    prefixos: PrefixSet.of(prefixes).toString(),
  });
}

function prefixFile(...ceps: string[]): Response {
  return new Response(formatPrefixFile(ceps.map((cep) => address({ cep }))));
}

function open(...replies: Reply[]): Exchanges {
  return new Exchanges(replies, { staticSite: SITE });
}

Deno.test("lookup reads manifest and prefix of a static site", async () => {
  const it = open(manifest("01310"), prefixFile("01310100", "01310200"));
  assertEquals(
    await it.client.lookup("01310-200"),
    address({ cep: "01310200" }),
  );
  assertEquals(it.urls, [`${SITE}manifest.json`, `${SITE}cep/01310.json`]);
});

Deno.test("find requests no prefix that the manifest does not have", async () => {
  const it = open(manifest("01310"));
  assertEquals(await it.client.find("01311000"), undefined);
  assertEquals(await it.client.find("99999999"), undefined);
  assertEquals(it.urls, [`${SITE}manifest.json`]);
});

Deno.test("lookup reads the manifest again after five minutes", async () => {
  const it = open(manifest(), manifest("01310"), prefixFile("01310100"));
  assertEquals(await it.client.find("01310100"), undefined);
  it.clock.time += 5 * 60_000 - 1;
  assertEquals(await it.client.find("01310100"), undefined);
  it.clock.time += 1;
  assertEquals((await it.client.find("01310100"))?.cep, "01310100");
});

for (const status of [403, 404, 410]) {
  const missing = () => new Response("<h1>Not Found</h1>", { status });

  Deno.test(`find returns undefined after status ${status} if a new manifest lacks the prefix`, async () => {
    const it = open(manifest("01310"), missing(), manifest());
    assertEquals(await it.client.find("01310100"), undefined);
    it.assertDone();
  });

  Deno.test(`find rejects after status ${status} if a new manifest has the prefix`, async () => {
    const it = open(manifest("01310"), missing(), manifest("01310"));
    const error = await assertRejects(() => it.client.find("01310100"));
    assertEquals((error as CepError).code, "response_invalid");
    it.assertDone();
  });
}

Deno.test("batch reads each prefix of a static site once", async () => {
  const it = open(
    manifest("01310", "20040"),
    prefixFile("01310100", "01310200"),
    prefixFile("20040020"),
  );
  const items = await it.client.batch([
    "01310100",
    "99999999",
    "01310999",
    "01310200",
    "20040020",
  ]);
  assertEquals(
    items.map(({ cep, address, error }) => [cep, address?.cep, error?.code]),
    [
      ["01310100", "01310100", undefined],
      ["99999999", undefined, "cep_not_found"],
      ["01310999", undefined, "cep_not_found"],
      ["01310200", "01310200", undefined],
      ["20040020", "20040020", undefined],
    ],
  );
  it.assertDone();
});

Deno.test("batch reads at most six files at the same time", async () => {
  const prefixes = addresses(1_000_000, 20).map((_, i) => `${10_000 + i}`);
  let open = 0;
  let most = 0;
  const reply = async (url: string) => {
    if (url.endsWith("manifest.json")) return manifest(...prefixes);
    most = Math.max(most, ++open);
    await Promise.resolve();
    open--;
    return prefixFile(`${url.slice(-10, -5)}000`);
  };
  const it = new Exchanges(Array.from({ length: 21 }, () => reply), {
    staticSite: SITE,
  });
  const items = await it.client.batch(prefixes.map((it) => `${it}000`));
  assertEquals(items.map(({ error }) => error), prefixes.map(() => undefined));
  assertEquals(most <= 6, true);
});

for (
  const [i, [path, ask]] of ([
    ["/busca", (client: CepClient) => client.search({ q: "a" })],
    [
      "/busca",
      (client: CepClient) => Array.fromAsync(client.searchAll({ q: "a" })),
    ],
    ["/enderecos", (client: CepClient) => client.match("a")],
    [
      "/cep/01310100/historico",
      (client: CepClient) => client.history("01310100"),
    ],
    ["/cep/01310100/censo", (client: CepClient) => client.census("01310100")],
    [
      "/proximos",
      (client: CepClient) => client.nearest({ latitude: 0, longitude: 0 }),
    ],
  ] as const).entries()
) {
  Deno.test(`${path} is unsupported on a static site (${i})`, async () => {
    const error = await assertRejects(() => ask(open().client), CepError);
    assertEquals(error.code, "unsupported");
    assertEquals(
      error.message,
      `Cannot answer "${path}" from a static site: it needs a server ` +
        "(option baseUrl)",
    );
  });
}

const LIST = { total: 1, data: [{ nome: "Santos" }], cursor: null };

Deno.test("places are read from the files of a static site", async () => {
  const file = () =>
    json({ municipio: { nome: "Santos" }, distritos: LIST, bairros: LIST });
  const it = open(json(LIST), json(LIST), file(), file(), file());
  const { client } = it;
  assertEquals<unknown>(await client.states(), LIST.data);
  assertEquals<unknown>(await client.municipalities("sp"), LIST.data);
  assertEquals((await client.municipality("3548500")).nome, "Santos");
  assertEquals<unknown>(await client.districts("3548500"), LIST.data);
  assertEquals<unknown>(await client.neighbourhoods("3548500"), LIST.data);
  const path = `${SITE}municipios/3548500.json`;
  assertEquals(it.urls, [
    `${SITE}estados.json`,
    `${SITE}estados/SP/municipios.json`,
    ...[path, path, path],
  ]);
});

const PADRAO = { logradouro: "", uf: "SP" };

for (
  const [name, replies] of Object.entries<readonly Reply[]>({
    "a manifest that is a page": [new Response("<html>")],
    "a manifest of a newer version": [json({ formato: 2, prefixos: "" })],
    "a manifest without prefixes": [json({ formato: 1 })],
    "a manifest with too few prefixes": [
      json({ formato: 1, prefixos: "AAAA" }),
    ],
    "a manifest whose prefixes are not base64": [
      json({ formato: 1, prefixos: "ção" }),
    ],
    "a prefix that is a page": [manifest("01310"), new Response("<html>")],
    "a prefix without records": [manifest("01310"), json({ padrao: PADRAO })],
    "a prefix without common values": [
      manifest("01310"),
      json({ ceps: { 100: {} } }),
    ],
    "a record that is a text": [
      manifest("01310"),
      json({ padrao: PADRAO, ceps: { 100: "x" } }),
    ],
    "a record with a number": [
      manifest("01310"),
      json({ padrao: PADRAO, ceps: { 100: { bairro: 1 } } }),
    ],
    "a record with another CEP": [
      manifest("01310"),
      json({ padrao: PADRAO, ceps: { 100: { cep: "99999999" } } }),
    ],
  })
) {
  Deno.test(`lookup rejects ${name}`, async () => {
    const { client } = open(...replies);
    const error = await assertRejects(
      () => client.lookup("01310100"),
      CepError,
    );
    assertEquals(error.code, "response_invalid");
  });
}
