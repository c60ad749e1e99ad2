/** Options and URLs of the client. */
import { assertEquals, assertThrows } from "@std/assert";
import {
  type CepClientOptions,
  createCepClient,
} from "../../../cep/client/mod.ts";
import { Exchanges, json, record } from "./_exchanges.ts";

const BASES: Readonly<Record<string, string>> = {
  "https://cep.test": "https://cep.test/cep/01310100",
  "https://cep.test/": "https://cep.test/cep/01310100",
  "http://localhost:8080": "http://localhost:8080/cep/01310100",
  "https://cep.test/correios": "https://cep.test/correios/cep/01310100",
  "https://cep.test/a/b//": "https://cep.test/a/b/cep/01310100",
  "https://cep.test/a/../b": "https://cep.test/b/cep/01310100",
  "https://cep.test/?key=a%20b": "https://cep.test/cep/01310100?key=a%20b",
  "https://cep.test/v1?key=abc#top": "https://cep.test/v1/cep/01310100?key=abc",
};

for (const [baseUrl, url] of Object.entries(BASES)) {
  Deno.test(`createCepClient accepts the base URL "${baseUrl}"`, async () => {
    const it = new Exchanges([record("01310100")], { baseUrl });
    await it.client.lookup("01310100");
    assertEquals(it.urls, [url]);
  });
}

Deno.test("search keeps the query of the base URL beside its own", async () => {
  const it = new Exchanges([json({ total: 0, data: [], cursor: null })], {
    baseUrl: "https://cep.test/?key=abc",
  });
  await it.client.search({ q: "praça da sé & cia", uf: "SP" });
  const [url = ""] = it.urls;
  assertEquals(Object.fromEntries(new URL(url).searchParams), {
    key: "abc",
    q: "praça da sé & cia",
    uf: "SP",
  });
});

const REFUSED: Readonly<Record<string, unknown>> = {
  "no URL": {},
  "two URLs": { baseUrl: "https://a.test", staticSite: "https://b.test" },
  "a relative URL": { baseUrl: "/cep" },
  "an empty URL": { baseUrl: "" },
  "a URL of a file": { staticSite: "file:///srv/site" },
  "a script": { baseUrl: "javascript:alert(1)" },
  "a URL with a password": { baseUrl: "https://a:b@cep.test" },
  "a negative timeout": { baseUrl: "https://a.test", timeout: -1 },
  "a timeout that is a text": { baseUrl: "https://a.test", timeout: "10" },
  "retries that are not a number": { baseUrl: "https://a.test", retries: NaN },
  "a cache that is a boolean": { baseUrl: "https://a.test", cache: true },
};

for (const [name, options] of Object.entries(REFUSED)) {
  Deno.test(`createCepClient refuses ${name}`, () => {
    assertThrows(
      () => createCepClient(options as CepClientOptions),
      TypeError,
      "Cannot ",
    );
  });
}

Deno.test("createCepClient sends its headers with every request", async () => {
  const it = new Exchanges([record("01310100")], {
    headers: { "x-api-key": "abc" },
  });
  await it.client.lookup("01310100");
  const [sent] = it.sent;
  assertEquals(sent?.headers.get("x-api-key"), "abc");
  assertEquals(sent?.headers.get("accept"), "application/json");
});
