/** The page of the service in headless Chromium. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { join } from "node:path";
import process from "node:process";
import { within } from "../cep/_within.ts";
import { violations } from "./_axe.ts";
import { pageTest, useScene } from "./_browser_tests.ts";
import type { VisitOptions } from "./_page_visit.ts";

useScene();

pageTest(
  "the page suggests records when someone stops typing, by one request",
  {},
  async (visit) => {
    const { page } = visit;
    await visit.stopTime();
    await page.locator("#q").pressSequentially("avenida paulista 1578");
    await page.clock.runFor(1000);
    await page.locator("#options li").first().waitFor();
    const options = await page.locator("#options li").allInnerTexts();
    assertMatch(options[0]!, /Avenida Paulista.*01310-200/s);
    assertEquals(
      await page.locator("#q").getAttribute("aria-expanded"),
      "true",
    );
    assertMatch(await page.locator("#status").innerText(), /^\d sugest/);
    const searches = visit.responses.filter((it) =>
      it.url().includes("/busca?")
    );
    assertEquals(searches.length, 1);
  },
);

pageTest(
  "arrow keys choose a suggestion, Enter takes it, Escape closes the list",
  {},
  async (visit) => {
    const { page } = visit;
    const input = page.locator("#q");
    const active = async () => {
      const id = await input.getAttribute("aria-activedescendant");
      return id && Number(id.replace("option-", ""));
    };
    await visit.type("avenida paulista");
    const last = await page.locator("#options li").count() - 1;
    assertEquals(await active(), null);
    for (
      const [key, expected] of [
        ["ArrowDown", 0],
        ["ArrowDown", 1],
        ["ArrowUp", 0],
        ["ArrowUp", null],
        ["ArrowUp", last],
        ["ArrowDown", null],
        ["ArrowDown", 0],
      ] as const
    ) {
      await page.keyboard.press(key);
      assertEquals(await active(), expected, key);
    }
    assertEquals(
      await page.locator('#options [aria-selected="true"]').count(),
      1,
    );
    await page.keyboard.press("Escape");
    assertEquals(await page.locator("#options").isVisible(), false);
    assertEquals(await input.inputValue(), "avenida paulista");
    await page.keyboard.press("ArrowDown");
    await page.locator("#options li").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assertEquals(await visit.slot("cep"), "01310-100");
    assertMatch(page.url(), /\?cep=01310-100$/);
    assertEquals(await page.locator("#options").isVisible(), false);
    // The result has the focus, so that a screen reader continues there.
    assertEquals(await page.evaluate("document.activeElement.id"), "result");
  },
);

pageTest(
  "a result has its number on the envelope, and its place on the map",
  {},
  async (visit) => {
    const { page } = visit;
    await visit.type("avenida paulista 1578");
    await page.locator("#options li").first().click();
    assertEquals(
      await visit.slot("letter"),
      "Avenida Paulista, 1578\nBela Vista\n01310-200 São Paulo – SP",
    );
    await page.locator("#recipient").fill("Ana");
    await page.locator("#unit").fill("ap 2");
    assertEquals(
      await visit.slot("letter"),
      "Ana\nAvenida Paulista, 1578, ap 2\nBela Vista\n01310-200 São Paulo – SP",
    );
    assertMatch(await visit.slot("caption"), /^Local aproximado: 95% dos/);
    assertEquals(
      await page.locator(".map path.here").getAttribute("id"),
      "uf-SP",
    );
  },
);

pageTest("the server and the browser draw the same result", {
  path: "?cep=01310-100",
}, async (visit) => {
  const { page } = visit;
  const drawn = () =>
    page.evaluate(`
      (() => {
        const of = (it) => document.querySelector(it);
        return [
          of("#result").innerText, of(".parts").innerText,
          of(".envelope").innerText, of(".map").innerText,
          Math.round(of(".mark circle").getAttribute("cx")),
          Math.round(of(".mark circle").getAttribute("cy")),
          of(".map path.here").id, document.title,
        ];
      })()
    `);
  const byServer = await drawn();
  await page.locator("#q").fill("01310200");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "01310-200" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "01310-100" }).waitFor();
  await page.locator(".mark").waitFor();
  assertEquals(await drawn(), byServer);
});

pageTest("back and forward move between results", {}, async (visit) => {
  const { page } = visit;
  await page.locator("#q").fill("avenida paulista");
  await page.keyboard.press("Enter");
  await page.locator("#list li").first().waitFor();
  assertMatch(page.url(), /\?q=avenida\+paulista$/);
  await page.locator("#list li a").first().click();
  assertEquals(await visit.slot("cep"), "01310-100");
  await page.goBack();
  await page.locator("#list li").first().waitFor();
  assertEquals(await page.locator("#result").isVisible(), false);
  await page.goBack();
  await page.locator("#list").waitFor({ state: "hidden" });
  await page.goForward();
  await page.goForward();
  assertEquals(await visit.slot("cep"), "01310-100");
  // The words of the search stay beside its result.
  assertEquals(await page.locator("#q").inputValue(), "avenida paulista");
});

for (
  const [query, number] of [
    ["avenida paulista 1578 ap 12", "1578"],
    ["av. paulista, 1578-A, 01310-200", ""],
    ["avenida paulista 1578a", "1578a"],
    ["1578 avenida paulista", ""],
    ["avenida paulista 7 de setembro 1600", "1600"],
    ["avenida paulista 01310-200", ""],
  ] as const
) {
  pageTest(
    `the number of "${query}" on the envelope is "${number}"`,
    {},
    async ({ page }) => {
      // Whatever the search finds.
      await page.route(/\/busca/, async (route) => {
        const response = await route.fetch({
          url: route.request().url().replace(/\?.*/, "?q=01310200"),
        });
        await route.fulfill({ response });
      });
      await page.route(
        /\/enderecos$/,
        (route) => route.fulfill({ body: `{"cep":"01310200"}` }),
      );
      await page.locator("#q").fill(query);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "01310-200" }).waitFor();
      assertEquals(await page.locator("#number").inputValue(), number);
    },
  );
}

pageTest(
  "a jump to a section keeps the result",
  { path: "?cep=01310-100" },
  async ({ page }) => {
    await page.locator("summary:visible").first().click();
    await page.getByRole("link", { name: "API", exact: true }).click();
    await page.waitForURL(/#api$/);
    await page.goBack();
    await page.waitForURL(/01310-100$/);
    assertEquals(await page.locator("details[open]").count(), 1);
  },
);

pageTest(
  "the link to the other language keeps what is shown",
  {},
  async ({ page }) => {
    await page.locator("#q").fill("01310-100");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "01310-100" }).waitFor();
    await page.getByRole("link", { name: "English" }).click();
    await page.getByRole("button", { name: "Search" }).waitFor();
    await page.getByRole("heading", { name: "01310-100" }).waitFor();
  },
);

pageTest("the server's result of a whole address has its number", {
  path: "?q=avenida+paulista+1578",
}, async (visit) => {
  assertMatch(await visit.slot("letter"), /^Avenida Paulista, 1578\n/);
});

pageTest("a search without a result says so", {}, async (visit) => {
  await visit.page.locator("#q").fill("zzzzqqqq xxyyww");
  await visit.page.keyboard.press("Enter");
  assertMatch(await visit.notice(), /^Nenhum .* para “zzzzqqqq/);
});

pageTest(
  "an unknown CEP names the municipality of its range",
  {},
  async (visit) => {
    await visit.page.locator("#q").fill("01999-999");
    await visit.page.keyboard.press("Enter");
    assertMatch(
      await visit.notice(),
      /^Não encontramos 01999-999 na base de .*São Paulo, SP/,
    );
  },
);

for (
  const [name, status, body, expected] of [
    ["a failure", 500, `{"code":"internal"}`, /servidor falhou/],
    ["a failure of a proxy", 502, "<html>", /servidor falhou/],
    [
      "a missing database",
      503,
      `{"code":"database_not_ready"}`,
      /indisponível/,
    ],
    ["HTML in place of JSON", 200, "<html>", /servidor falhou/],
  ] as const
) {
  pageTest(`the page reports ${name}`, {}, async (visit) => {
    const { page } = visit;
    await page.route(
      /\/(busca|cep)/,
      (route) => route.fulfill({ status, body }),
    );
    await page.locator("#q").fill("avenida");
    assertMatch(await visit.notice(), expected);
    await page.locator("#q").fill("01310-100");
    await page.keyboard.press("Enter");
    assertMatch(await visit.notice(), expected);
  });
}

pageTest("the page works again after a failure", {}, async (visit) => {
  const { page } = visit;
  await page.route(/\/busca/, (route) => route.abort(), { times: 1 });
  await page.locator("#q").fill("avenida pau");
  assertMatch(await visit.notice(), /não responde/);
  await visit.type("l");
  assertEquals(await page.locator("#notice").isVisible(), false);
});

pageTest("the page says when to search again after the rate limit", {
  config: { rateLimitMax: 1, rateLimitBurst: 0, rateLimitMinutes: 15 },
}, async (visit) => {
  const { page } = visit;
  // On a busy machine, the page would ask for suggestions before Enter.
  await visit.stopTime();
  await page.locator("#q").fill("01310100");
  await page.keyboard.press("Enter");
  assertEquals(await visit.slot("cep"), "01310-100");
  await page.locator("#q").fill("01310200");
  await page.keyboard.press("Enter");
  assertMatch(
    await visit.notice(),
    /^Muitas consultas: tente de novo em 15 min, às \d\d:\d\d:\d\d\.$/,
  );
});

pageTest("someone types an address within a rate limit of three", {
  config: { rateLimitMax: 3, rateLimitBurst: 0 },
}, async (visit) => {
  const { page } = visit;
  for (const text of ["ave", "aveni", "avenida", "avenida p", "avenida pau"]) {
    const answer = page.waitForResponse(/\/busca\?/);
    await page.locator("#q").fill(text);
    assertEquals((await answer).status(), 200);
  }
});

pageTest("the page says that it is offline", {}, async (visit) => {
  const { page } = visit;
  await page.context().setOffline(true);
  await page.locator("#q").fill("avenida");
  assertMatch(await visit.notice(), /sem conexão/);
  await page.context().setOffline(false);
  await visit.type(" p");
});

pageTest("an answer to an earlier search is dropped", {}, async (visit) => {
  const { page } = visit;
  const held = Promise.withResolvers<void>();
  await page.route(/\/cep\/01310100$/, async (route) => {
    await held.promise;
    await route.continue().catch(() => {});
  });
  await page.locator("#q").fill("01310-100");
  await page.keyboard.press("Enter");
  await page.locator("#q").fill("01310-200");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "01310-200" }).waitFor();
  const late = page.waitForResponse(/\/cep\/01310100$/);
  held.resolve();
  await (await late).finished();
  assertEquals(await visit.slot("cep"), "01310-200");
});

pageTest("neighbours, ranges and history open with a click", {
  path: "?cep=01310-100",
}, async ({ page }) => {
  const open = async (name: string) => {
    await page.locator("summary", { hasText: name }).click();
    const content = page.locator("details", { hasText: name }).locator("> div");
    await content.filter({ hasNotText: "Buscando" }).locator("p, ol, ul, dl")
      .first().waitFor();
    return await content.innerText();
  };
  assertStringIncludes(await open("CEPs vizinhos"), "01310-200");
  const town = await open("O município");
  assertMatch(town, /Estado\s+São Paulo \(SP\)\s+Código IBGE\s+3550308/);
  assertMatch(
    town,
    /DDD\s+11\s+.*01000-000 – 05999-999, 08000-000 – 08499-999/s,
  );
  assertMatch(town, /Bairros: 12\s+Alto Alvorada\s+01000-635 – 01000-735/);
  assertMatch(await open("Histórico"), /Nenhuma mudança/);
  await page.locator("details a", { hasText: "01310-200" }).click();
  await page.getByRole("heading", { name: "01310-200" }).waitFor();
  assertEquals(await page.locator("details[open]").count(), 0);
});

pageTest(
  "a part and the envelope are copied",
  { path: "?cep=01310-100" },
  async ({ page }) => {
    await page.context().grantPermissions([
      "clipboard-read",
      "clipboard-write",
    ]);
    const clipboard = () => page.evaluate("navigator.clipboard.readText()");
    await page.getByRole("button", { name: "Copiar Bairro" }).click();
    await page.getByRole("button", { name: "Copiado" }).or(
      page.getByText("Copiado"),
    )
      .first().waitFor();
    assertEquals(await clipboard(), "Bela Vista");
    await page.getByRole("button", { name: "Copiar endereço" }).click();
    await page.locator('[data-copy="letter"]', { hasText: "Copiado" })
      .waitFor();
    assertEquals(
      await clipboard(),
      "Avenida Paulista\nBela Vista\n01310-100 São Paulo – SP",
    );
  },
);

pageTest("the examples run on this server", {}, async ({ page, url }) => {
  const examples = page.locator(".example");
  const count = await examples.count();
  assertEquals(count, 6);
  for (let i = 0; i < count; i++) {
    const example = examples.nth(i);
    assertStringIncludes(await example.locator("code").innerText(), url);
    await example.getByRole("button").click();
    assertMatch(
      await example.locator("[data-answer] p").innerText(),
      /^Status 200, [\d,.]+ ms$/,
    );
    const text = await example.locator("pre").innerText();
    assertEquals("error" in JSON.parse(text.replace(/\n…$/, "")), false, text);
  }
});

pageTest(
  "the page looks up a CEP without JavaScript",
  { script: false },
  async (visit) => {
    const { page } = visit;
    await page.locator("#q").fill("01310-100");
    await page.getByRole("button", { name: "Buscar" }).click();
    await page.getByRole("heading", { name: "01310-100" }).waitFor();
    assertEquals(
      await page.getByRole("button", { name: /^Copiar/ }).count(),
      0,
    );
    await page.locator("#q").fill("avenida paulista");
    await page.getByRole("button", { name: "Buscar" }).click();
    await page.locator("#list li a").first().click();
    await page.getByRole("heading", { name: "01310-100" }).waitFor();
  },
);

pageTest(
  "the page follows the language of the browser, and its link changes it",
  { locale: "en-GB" },
  async ({ page }) => {
    await page.getByRole("button", { name: "Search" }).waitFor();
    await page.getByRole("link", { name: "Português" }).click();
    await page.getByRole("button", { name: "Buscar" }).waitFor();
    await page.waitForLoadState(); // Before, the form goes without its script.
    await page.locator("#q").fill("01310100");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "01310-100" }).waitFor();
    assertMatch(page.url(), /\?cep=01310-100&lang=pt$/);
  },
);

for (
  const [name, options] of Object.entries<VisitOptions>({
    "at first": {},
    "in the dark": { dark: true, path: "?cep=01310-100" },
    "in English": { locale: "en-US", path: "?cep=01310-100" },
    "on a phone": { width: 360, path: "?cep=01310-100" },
    "with a place": { path: "?cep=01310-200" },
    "with a list": { path: "?q=avenida+paulista" },
    "with a message": { path: "?cep=99999-999" },
  })
) {
  pageTest(`axe-core finds no violation ${name}`, options, async (visit) => {
    const { page } = visit;
    assertEquals(await violations(page), []);
    for (const details of await page.locator("summary:visible").all()) {
      await details.click();
    }
    if (options.path === undefined) await visit.type("avenida paulista");
    assertEquals(await violations(page), []);
  });
}

for (const path of ["", "?cep=01310-100", "?q=avenida+paulista"]) {
  pageTest(
    `the page /${path} fits a width of 360 pixels`,
    { width: 360, path },
    async ({ page }) => {
      assertEquals(
        await page.evaluate("document.documentElement.scrollWidth"),
        360,
      );
      const small = await page.evaluate(`
      [...document.querySelectorAll("button, summary, nav a, input, select")]
        .filter((it) => it.checkVisibility() && !it.closest(".unseen"))
        .map((it) => [it.outerHTML, it.getBoundingClientRect()])
        .filter(([html, { height }]) => height < 24 && !html.includes("unseen"))
        .map(([html]) => html)
    `);
      assertEquals(small, []);
    },
  );
}

pageTest(
  "a print has the result alone",
  { path: "?cep=01310-100" },
  async ({ page }) => {
    await page.emulateMedia({ media: "print" });
    for (const shown of ["#cep", ".envelope", ".parts dl", ".map svg"]) {
      assert(await page.locator(shown).isVisible(), shown);
    }
    for (
      const hidden of ["#search", "#planilha", "#api", "nav", ".code button"]
    ) {
      assertEquals(await page.locator(hidden).isVisible(), false, hidden);
    }
  },
);

pageTest(
  "the page loads at most 40 kB, from its own origin",
  {},
  async (visit) => {
    const { page, url, responses } = visit;
    await page.waitForLoadState("networkidle");
    let bytes = 0;
    for (const response of responses) {
      assert(response.url().startsWith(url), response.url());
      const sizes = await response.request().sizes();
      bytes += sizes.responseBodySize + sizes.responseHeadersSize;
    }
    assert(responses.length > 10);
    assert(bytes <= 40_000, `${bytes} bytes`);
    if (process.env.PAGE_SHOTS) console.log(`${bytes} bytes`);
    // A second visit loads the document alone.
    const before = responses.length;
    await page.reload({ waitUntil: "networkidle" });
    const again = responses.slice(before).filter((it) => it.status() !== 304);
    const loaded = await Promise.all(
      again.map(async (it) => (await it.request().sizes()).responseBodySize),
    );
    assert(loaded.filter((it) => it > 0).length <= 1, `${loaded}`);
  },
);

pageTest("the page paints before its scripts arrive", {}, async (visit) => {
  const { page, url } = visit;
  const held = Promise.withResolvers<void>();
  await page.route(/./, async (route) => {
    if (route.request().resourceType() === "script") await held.promise;
    await route.continue();
  });
  await page.goto(url, { waitUntil: "commit" });
  const paint = page.evaluate(`
    new Promise((resolve) =>
      new PerformanceObserver(() => resolve())
        .observe({ type: "paint", buffered: true })
    )
  `);
  await within("the first paint", paint);
  held.resolve();
  await page.waitForLoadState();
  await visit.type("avenida paulista");
});

pageTest("a hostile record is shown as text", {}, async (visit) => {
  const { page } = visit;
  const hostile = `<img src=x onerror=alert(1)>`;
  await page.route(/\/busca/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const record of body.data) record.logradouro = hostile;
    await route.fulfill({ response, json: body });
  });
  await visit.type("avenida paulista");
  assertEquals(await page.locator("#options img").count(), 0);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assertStringIncludes(await visit.slot("street"), hostile);
  assertEquals(await page.locator("main img").count(), 0);
});

/** Folder for the screenshots of the READMEs, optional. */
const SHOTS = process.env.PAGE_SHOTS;

for (
  const [name, options, height] of [
    ["page-light", { path: "?cep=01310-200" }, 1080],
    ["page-dark", { path: "?cep=01310-200", dark: true }, 1080],
    ["page-phone", { path: "?cep=01310-200", width: 360 }, 1180],
  ] as const
) {
  pageTest(`${name} shows CEP, map and envelope`, options, async ({ page }) => {
    await page.setViewportSize({ width: options.width ?? 1280, height });
    await page.locator("#number").fill("1578");
    for (const shown of ["#cep", ".mark", ".parts dl"]) {
      assert(await page.locator(shown).isVisible(), shown);
    }
    if (!SHOTS) return;
    await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)");
    await page.screenshot({ path: join(SHOTS, `${name}.png`) });
  });
}
