/** The page without a browser: HTML, status, headers. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import type { Address } from "../../../../cep/record/address.ts";
import { DatabaseError } from "../../../../cep/store/store.ts";
import { address, fakeStore, recordsStore, RELEASE } from "../../_records.ts";
import { Service, type ServiceOptions } from "../../_service.ts";

const PAULISTA = address({
  cep: "01310100",
  logradouro: "Avenida Paulista",
  complemento: "de 612 a 1510 - lado par",
  bairro: "Bela Vista",
  cidade: "São Paulo",
  uf: "SP",
  codigo_ibge: "3550308",
});
const FULL: ServiceOptions = { records: [PAULISTA] };

/** Asks for a path, and returns the response with its text. */
async function ask(
  path: string,
  { language, headers = {}, ...options }: ServiceOptions & {
    readonly language?: string;
    readonly headers?: Record<string, string>;
  } = FULL,
) {
  await using service = await Service.open(options);
  const response = await service.ask(path, {
    headers: { ...headers, ...(language && { "accept-language": language }) },
  });
  return { response, status: response.status, text: await response.text() };
}

/** Text of a slot. */
function slot(html: string, name: string): string | undefined {
  return new RegExp(`data-slot="${name}"[^>]*>\\s*([^<]*?)\\s*<`).exec(html)
    ?.[1];
}

for (
  const [language, expected] of [
    [undefined, "pt-BR"],
    ["pt-BR,pt;q=0.9,en;q=0.8", "pt-BR"],
    ["en", "en"],
    ["en-US,en;q=0.9", "en"],
    ["en-AU", "en"],
    ["de,en;q=0.5", "en"],
    ["de", "pt-BR"],
    ["*", "pt-BR"],
    ["en;q=0, pt", "pt-BR"],
    [";;;", "pt-BR"],
  ]
) {
  Deno.test(`GET / is in ${expected} for Accept-Language: ${language}`, async () => {
    const { response, status, text } = await ask("/", {
      ...FULL,
      ...(language && { language }),
    });
    assertEquals(status, 200);
    assertMatch(response.headers.get("vary") ?? "", /\bAccept-Language\b/);
    assertStringIncludes(text, `<html lang="${expected}">`);
  });
}

Deno.test("GET /?lang=en is in English and keeps it in its links", async () => {
  const { text } = await ask("/?lang=en", { ...FULL, language: "pt" });
  assertStringIncludes(text, `<html lang="en">`);
  assertStringIncludes(text, `?cep=01310-100&amp;lang=en`);
});

Deno.test("GET / has a strict policy and no script or style of its own", async () => {
  const { response, text } = await ask("/");
  assertEquals(
    response.headers.get("content-security-policy"),
    "default-src 'none'; script-src 'self'; style-src 'self'; " +
      "img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
      "base-uri 'none'; frame-ancestors 'none'",
  );
  assertEquals(text.match(/<style|\sstyle=|\son\w+=|javascript:/gi), null);
  for (const [script] of text.matchAll(/<script[^>]*>/g)) {
    assertMatch(script, / src="pagina\//);
  }
});

Deno.test("GET / is not cached without its ETag being checked", async () => {
  const { response } = await ask("/");
  assertEquals(response.headers.get("cache-control"), "max-age=0");
  const tag = response.headers.get("etag")!;
  for (const known of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
    const again = await ask("/", {
      ...FULL,
      headers: { "if-none-match": known },
    });
    assertEquals([again.status, again.text], [304, ""]);
  }
});

Deno.test("GET / is compressed in advance", async () => {
  await using service = await Service.open(FULL);
  const init = { headers: { "accept-encoding": "gzip" } };
  const [once, twice] = [
    await service.ask("/", init),
    await service.ask("/", init),
  ];
  assertEquals(once.headers.get("content-encoding"), "gzip");
  const bytes = await once.bytes();
  assertEquals(await twice.bytes(), bytes);
  assertEquals(Number(once.headers.get("content-length")), bytes.length);
  assert(bytes.length < 10_000, `${bytes.length} bytes`);
});

Deno.test("GET /?cep= shows the record, its envelope and its municipality", async () => {
  const { status, text } = await ask("/?cep=01310-100");
  assertEquals(status, 200);
  assertEquals(slot(text, "cep"), "01310-100");
  assertEquals(
    slot(text, "street"),
    "Avenida Paulista, de 612 a 1510 - lado par",
  );
  assertEquals(slot(text, "place"), "Bela Vista, São Paulo – SP");
  assertEquals(
    slot(text, "letter"),
    "Avenida Paulista\nBela Vista\n01310-100 São Paulo – SP",
  );
  assertStringIncludes(text, `class="here" id="uf-SP"`);
  assertMatch(text, /<circle r="5.5" cx="425.\d" cy="462.\d"/);
  assertMatch(slot(text, "caption")!, /sede do município de São Paulo/);
});

Deno.test("GET /?cep= of a municipality has its name as headline", async () => {
  const { text } = await ask("/?cep=18280000", {
    records: [{
      ...PAULISTA,
      cep: "18280000",
      logradouro: "",
      complemento: "",
      bairro: "",
      cidade: "Cesário Lange",
      tipo_origem: "localidade",
    }],
  });
  assertEquals(slot(text, "street"), "Cesário Lange");
  assertEquals(slot(text, "letter"), "18280-000 Cesário Lange – SP");
  assertEquals(slot(text, "kind"), "Município ou localidade");
});

Deno.test("GET /?cep= without a known seat marks the state alone", async () => {
  const { text } = await ask("/?cep=01310100", {
    records: [{ ...PAULISTA, codigo_ibge: "" }],
  });
  assertStringIncludes(text, `class="here" id="uf-SP"`);
  assertMatch(text, /class="mark" hidden/);
});

for (
  const [path, status, pattern] of [
    [
      "/?cep=99999-999",
      404,
      /Não encontramos 99999-999 na base de 2 de janeiro de 2026/,
    ],
    ["/?q=99999-999&lang=en", 404, /99999-999 is not in the data/],
    ["/?cep=1", 400, /“1” não é um CEP/],
    ["/?cep=", 200, undefined],
    ["/?cep=%20", 200, undefined],
    ["/?outra=1", 200, undefined],
  ] as const
) {
  Deno.test(`GET ${path} returns ${status}`, async () => {
    const { status: given, text } = await ask(path);
    assertEquals(given, status);
    if (pattern) assertMatch(slot(text, "notice")!, pattern);
    else assertEquals(slot(text, "notice"), "");
  });
}

for (
  const hostile of [
    `"><script>alert(1)</script>`,
    `' onfocus='alert(1)`,
    `</title><img src=x onerror=alert(1)>`,
    `{{{states}}}{{t.find}}`,
    `$&$'$1`,
    `\u0000\u2028x`,
  ]
) {
  Deno.test(`GET /?q= escapes ${JSON.stringify(hostile)}`, async () => {
    const query = encodeURIComponent(hostile);
    const { text } = await ask(`/?q=${query}`);
    for (const part of ["<script>", "<img", "' onfocus"]) {
      assertEquals(text.includes(part), false);
    }
    assertEquals(text.split("uf-AC").length, 2);
    const shown = /name="q"[^>]* value="([^"]*)"/s.exec(text)?.[1];
    assertEquals(
      shown,
      hostile.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;").replaceAll('"', "&quot;")
        .replaceAll("'", "&#39;"),
    );
  });
}

Deno.test("GET /?cep= escapes the fields of a record", async () => {
  const { text } = await ask("/?cep=01310100", {
    records: [{ ...PAULISTA, logradouro: `<b>&"'`, bairro: "{{t.find}}" }],
  });
  assertEquals(text.includes("<b>"), false);
  assertEquals(slot(text, "part.logradouro"), "&lt;b&gt;&amp;&quot;&#39;");
  assertEquals(slot(text, "part.bairro"), "{{t.find}}");
});

Deno.test("GET /?q= lists several records, shows a single one, and returns 404 without any", async () => {
  const found = async (records: Address[]) =>
    await ask("/?q=paulista", { records });
  const list = await found([PAULISTA, { ...PAULISTA, cep: "01310200" }]);
  assertEquals(
    [...list.text.matchAll(/<li><a href="([^"]+)"/g)].map(([, it]) => it),
    ["?cep=01310-100", "?cep=01310-200"],
  );
  assertEquals(slot((await found([PAULISTA])).text, "cep"), "01310-100");
  const { status, text } = await found([]);
  assertEquals([status, slot(text, "cep")], [404, ""]);
  assertMatch(slot(text, "notice")!, /Nenhum CEP encontrado para “paulista”/);
});

Deno.test("GET / of an empty database says so, and lookups return 503", async () => {
  assertStringIncludes((await ask("/", {})).text, "a base está vazia");
  assertEquals((await ask("/?cep=01310100", {})).status, 503);
  assertEquals((await ask("/?q=paulista", {})).status, 503);
});

Deno.test("GET / is served while the database is unreadable", async () => {
  const gone = () => Promise.reject(new DatabaseError("gone"));
  const store = fakeStore({ release: gone, findJson: gone });
  const home = await ask("/", { store });
  assertEquals(home.status, 200);
  assertStringIncludes(home.text, "<p>A base de dados está indisponível.");
  const { status, text } = await ask("/?cep=01310100", { store });
  assertEquals(status, 503);
  assertMatch(slot(text, "notice")!, /indisponível/);
});

Deno.test("GET /?cep= of a replaced CEP links to its successor", async () => {
  const last = {
    cep: "98765432",
    successor: "01310100",
    dneVersion: "26011",
    seededAt: RELEASE.seededAt,
  };
  const store = recordsStore([PAULISTA], {
    lastChange: () => Promise.resolve(last),
  });
  const { status, text } = await ask("/?cep=98765432", { store });
  assertEquals(status, 404);
  assertMatch(slot(text, "notice")!, /98765-432 foi substituído/);
  assertStringIncludes(text, `href="?cep=01310-100"`);
});

Deno.test("GET / without search hides what needs it", async () => {
  const options = { ...FULL, config: { search: false } };
  const { text } = await ask("/", options);
  assertStringIncludes(text, `data-search=""`);
  assertMatch(text, /id="planilha"[^>]* hidden/s);
  assertEquals(text.includes("/busca"), false);
  assertEquals((await ask("/?q=paulista", options)).status, 400);
  assertEquals((await ask("/?q=01310100", options)).status, 200);
});

for (
  const [host, scheme, origin] of [
    ["cep.example", "https", "https://cep.example"],
    ["localhost:8080", undefined, "http://localhost:8080"],
    ["[::1]:8080", "ftp", "http://[::1]:8080"],
    [`x"><script>`, undefined, "http://localhost"],
  ] as const
) {
  Deno.test(`GET /opensearch.xml names ${origin} for the host ${host}`, async () => {
    const { response, text } = await ask("/opensearch.xml", {
      headers: { host, ...(scheme && { "x-forwarded-proto": scheme }) },
    });
    assertEquals(
      response.headers.get("content-type"),
      "application/opensearchdescription+xml; charset=utf-8",
    );
    assertStringIncludes(text, `template="${origin}/?q={searchTerms}"`);
    assertEquals(text.includes("<script>"), false);
  });
}

Deno.test("API_PAGE=false turns the page and its files off", async () => {
  const options = { ...FULL, config: { page: false } };
  for (
    const path of [
      "/",
      "/?cep=01310100",
      "/pagina/app.js",
      "/favicon.ico",
      "/opensearch.xml",
    ]
  ) {
    const { status, text } = await ask(path, options);
    assertEquals([status, JSON.parse(text).code], [404, "route_not_found"]);
  }
});

Deno.test("GET / names files by their content, which are cached for a year", async () => {
  await using service = await Service.open(FULL);
  const html = await (await service.ask("/")).text();
  const paths = new Set(
    [...html.matchAll(/(?:href|src)="(pagina\/[^"]+)"/g)].map(([, it]) => it!),
  );
  assert(paths.size >= 10);
  for (const path of paths) {
    assertMatch(path, /\.[0-9a-f]{8}\.(?:js|css|svg)$/);
    const response = await service.ask(`/${path}`);
    assertEquals(response.status, 200);
    assertEquals(
      response.headers.get("cache-control"),
      "max-age=31536000, immutable",
    );
    const text = await response.text();
    for (const [, name] of text.matchAll(/from ?"\.\/([^"]+)"/g)) {
      assert(paths.has(`pagina/${name}`), `${name} is not preloaded`);
    }
  }
});

Deno.test("GET /pagina/:arquivo of another version is current and not cached", async () => {
  for (const name of ["app.js", "app.01234567.js"]) {
    const { response, text } = await ask(`/pagina/${name}`);
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertStringIncludes(text, "export function start");
  }
});

for (
  const name of [
    "page.html",
    "states.svg",
    "nada.js",
    "..%2fconfig.ts",
    "app.js.map",
    "__proto__",
  ]
) {
  Deno.test(`GET /pagina/${name} returns 404`, async () => {
    assertEquals((await ask(`/pagina/${name}`)).status, 404);
  });
}

Deno.test("the page and its files are free, and a lookup by it is not", async () => {
  await using service = await Service.open({
    ...FULL,
    config: { rateLimitMax: 1, rateLimitBurst: 0 },
    now: () => 0,
  });
  const from = "192.0.2.1";
  const status = async (path: string) => {
    const response = await service.ask(path, { from });
    await response.body?.cancel();
    return response.status;
  };
  for (let i = 0; i < 3; i++) {
    assertEquals(await status("/"), 200);
    assertEquals(await status("/?lang=en"), 200);
    assertEquals(await status("/pagina/app.js"), 200);
  }
  assertEquals(await status("/?cep=01310100"), 200);
  assertEquals(await status("/?cep=01310100"), 429);
  assertEquals(await status("/?q=x"), 429);
  const response = await service.ask("/?cep=01310100", { from });
  assertEquals(response.headers.get("retry-after"), "900");
  assertMatch(slot(await response.text(), "notice")!, /de novo em 15 min/);
});
