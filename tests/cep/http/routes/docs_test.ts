/** Reference of the API. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ERRORS } from "../../../../cep/http/errors.ts";
import { pathOf } from "../../../../cep/http/open_api/operation.ts";
import { ENDPOINTS } from "../../../../scripts/readme_tables/cep.ts";
import { createHandler } from "../../../../cep/http/handler.ts";
import { recordsStore } from "../../_records.ts";
import { Service } from "../../_service.ts";

async function pageOf(path: string): Promise<string> {
  await using service = await Service.open();
  return await (await service.ask(path)).text();
}

for (const language of ["pt", "en"] as const) {
  Deno.test(`GET /docs?lang=${language} has every operation with its summary and parameters`, async () => {
    const html = await pageOf(`/docs?lang=${language}`);
    const operations = ENDPOINTS.filter(({ answers }) =>
      Object.keys(answers).length > 0
    );
    for (const endpoint of operations) {
      const { id, method = "GET", summary, parameters } = endpoint;
      const [, article = ""] = html.split(`<article aria-labelledby="${id}">`);
      const [own = ""] = article.split("</article>");
      assertStringIncludes(own, `<code>${method} ${pathOf(endpoint)}</code>`);
      assertStringIncludes(own, plain(summary[language]).slice(1));
      for (const { name } of parameters) {
        assertStringIncludes(own, `<dt><code>${name}</code>`);
      }
      assertStringIncludes(html, `<a href="#${id}">${method} `);
    }
  });

  Deno.test(`GET /docs?lang=${language} has the errors of the API with their causes`, async () => {
    const html = await pageOf(`/docs?lang=${language}`);
    const codes = new Set(ENDPOINTS.flatMap(({ errors }) => errors));
    codes.delete("cep_missing");
    for (const code of codes) {
      assertStringIncludes(html, `<dt id="Erro_${code}"`);
      assertStringIncludes(plain(html), plain(ERRORS[code].cause[language]));
    }
  });

  Deno.test(`GET /docs?lang=${language} has links to its own parts and to this service only`, async () => {
    const html = await pageOf(`/docs?lang=${language}`);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
    assertEquals(ids.length, new Set(ids).size);
    const links = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, link]) => link!);
    const parts = links.filter((it) => it.startsWith("#"));
    assertEquals(parts.filter((it) => !ids.includes(it.slice(1))), []);
    assert(parts.length > 50);
    assertEquals(links.filter((it) => !/^(?:#|\?lang=|\.\/)/.test(it)), []);
    assert(!html.includes("<script"));
  });
}

/** Returns a text as in HTML, without its marks. */
function plain(text: string): string {
  return text.replaceAll(/`|<\/?code>/g, "").replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

Deno.test("GET /docs has the language of the browser, and an ETag", async () => {
  await using service = await Service.open();
  for (const [accepted, lang] of [["en-GB", "en"], ["pt", "pt-BR"]]) {
    const headers = { "accept-language": accepted! };
    const response = await service.ask("/docs", { headers });
    assertStringIncludes(
      response.headers.get("vary") ?? "",
      "Accept-Language",
    );
    assertStringIncludes(await response.text(), `<html lang="${lang}">`);
    const again = await service.ask("/docs", {
      headers: {
        ...headers,
        "if-none-match": response.headers.get("etag") ?? "",
      },
    });
    assertEquals(again.status, 304);
  }
});

Deno.test("GET /docs/ links to the service above it", async () => {
  const html = await pageOf("/docs/");
  assertStringIncludes(html, 'href="../openapi.json"');
});

Deno.test("GET /docs leaves out routes that the settings disable", async () => {
  await using service = await Service.open({
    config: { search: false, compatibility: [] },
  });
  const html = await (await service.ask("/docs")).text();
  assert(html.includes("GET /cep/{cep}"));
  assert(!html.includes("/busca") && !html.includes("/ws/"));
});

Deno.test("createHandler has no /docs, and no link to it, by default", async () => {
  const store = recordsStore();
  const handler = createHandler({ store, config: { rateLimit: false } });
  const get = (path: string) => handler(new Request(`http://localhost${path}`));
  assertEquals((await get("/docs")).status, 404);
  const { paths } = await (await get("/openapi.json")).json();
  assert(!("/docs" in paths) && "/cep/{cep}" in paths);
  const html = await (await get("/")).text();
  assertStringIncludes(html, '<span hidden><a href="docs">');
});

Deno.test("GET /docs is off with the page", async () => {
  await using service = await Service.open({ config: { page: false } });
  const response = await service.ask("/docs");
  assertEquals((await response.json()).code, "route_not_found");
});
