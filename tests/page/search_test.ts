/** Searches on the page: what is near, similar, or further down. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { violations } from "./_axe.ts";
import { pageTest, useScene } from "./_browser_tests.ts";
import type { Visit } from "./_page_visit.ts";

useScene();

async function search({ page }: Visit, text: string): Promise<void> {
  await page.locator("#q").fill(text);
  await page.keyboard.press("Enter");
}

pageTest("a search says at once that it is under way", {}, async (visit) => {
  const { page } = visit;
  const held = Promise.withResolvers<void>();
  await page.route(/\/(busca|cep)/, async (route) => {
    await held.promise;
    await route.continue();
  });
  for (const text of ["avenida paulista", "01310-100"]) {
    await search(visit, text);
    assert(await page.locator("#busy").isVisible());
    assertEquals(await page.locator("#status").innerText(), "Buscando…");
  }
  held.resolve();
  await page.getByRole("heading", { name: "01310-100" }).waitFor();
  assertEquals(await page.locator("#busy").isVisible(), false);
});

pageTest("suggestions that take long say so", {}, async (visit) => {
  const { page } = visit;
  const held = Promise.withResolvers<void>();
  await page.route(/\/busca/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.locator("#q").pressSequentially("avenida");
  await page.locator("#busy").waitFor();
  held.resolve();
  await page.locator("#options li").first().waitFor();
  assertEquals(await page.locator("#busy").isVisible(), false);
});

/** Texts, and whether a record has their words or nearly these. */
const NAMED = [
  ["avenida paulista", true],
  ["av pualista", true],
  ["rua xyzw brasilia", false],
  ["cesario lange", false],
] as const;

for (const [text, isNamed] of NAMED) {
  for (const script of [true, false]) {
    const by = script ? "browser" : "server";
    pageTest(
      `the ${by} ${
        isNamed ? "lists records" : "says none is exact"
      } for "${text}"`,
      { script, path: script ? "" : `?q=${encodeURIComponent(text)}` },
      async (visit) => {
        const { page } = visit;
        if (script) await search(visit, text);
        if (isNamed) return await page.locator("#list li").first().waitFor();
        assertMatch(
          await visit.notice(),
          new RegExp(`^Nenhum registro exato para “${text}”`),
        );
        assertEquals(await page.locator("#list").isVisible(), false);
        await page.getByRole("link", { name: "Ver os mais parecidos" }).click();
        await page.locator("#list li, #result").filter({ visible: true })
          .first().waitFor();
        assertMatch(page.url(), /parecidos=1/);
      },
    );
  }
}

for (const script of [true, false]) {
  const by = script ? "browser" : "server";
  pageTest(
    `the ${by} says what is near an unknown CEP, and of when the data are`,
    { script, path: script ? "" : "?cep=01999-999" },
    async (visit) => {
      if (script) await search(visit, "01999-999");
      assertMatch(
        await visit.notice(),
        /^Não encontramos 01999-999 na base de \d+ de \p{L}+ de \d{4}\. Essa faixa é de São Paulo, SP\.$/u,
      );
    },
  );
  pageTest(
    `the ${by} names the municipality of the nearest codes outside all ranges`,
    { script, path: script ? "" : "?cep=99999-999" },
    async (visit) => {
      if (script) await search(visit, "99999-999");
      assertMatch(
        await visit.notice(),
        /^Não encontramos 99999-999 na base de/,
      );
    },
  );
}

pageTest("a search counts its results, and shows more", {}, async (visit) => {
  const { page } = visit;
  const title = page.locator("#list-title");
  await search(visit, "rua");
  await title.filter({ hasText: "Mais de 10 resultados" }).waitFor();
  assertEquals(await page.locator("#list li").count(), 10);
  await page.getByRole("button", { name: "Mostrar mais" }).click();
  await title.filter({ hasText: "Mais de 100 resultados" }).waitFor();
  assertEquals(await page.locator("#list li").count(), 100);
  assertEquals(
    await page.locator("#list li").nth(10).locator("a").evaluate((it) =>
      it.matches(":focus")
    ),
    true,
  );
  await search(visit, "avenida paulista");
  await title.filter({ hasText: /^\d resultados$/ }).waitFor();
  assertEquals(
    await page.getByRole("button", { name: "Mostrar mais" }).isVisible(),
    false,
  );
});

pageTest("the server's list shows more, too", {
  path: "?q=rua",
}, async ({ page }) => {
  assertEquals(
    await page.locator("#list-title").innerText(),
    "Mais de 10 resultados",
  );
  await page.getByRole("button", { name: "Mostrar mais" }).click();
  await page.locator("#list li").nth(99).waitFor();
});

pageTest(
  "the words stay when a suggestion is chosen, also on the way back",
  {},
  async (visit) => {
    const { page } = visit;
    await visit.type("avenida paulista 1578");
    await page.locator("#options li:first-child", { hasText: "01310-200" })
      .click();
    await page.getByRole("heading", { name: "01310-200" }).waitFor();
    assertEquals(
      await page.locator("#q").inputValue(),
      "avenida paulista 1578",
    );
    await page.locator("#q").fill("01310-100");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "01310-100" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "01310-200" }).waitFor();
    assertEquals(
      await page.locator("#q").inputValue(),
      "avenida paulista 1578",
    );
    assertMatch(await visit.slot("letter"), /^Avenida Paulista, 1578/);
  },
);

pageTest("the slash focuses the search, but not while someone types", {
  path: "?cep=01310-100",
}, async ({ page }) => {
  const input = page.locator("#q");
  await page.keyboard.press("/");
  assertEquals(await input.evaluate((it) => it.matches(":focus")), true);
  assertEquals(await input.inputValue(), "01310-100");
  await page.locator("#unit").focus();
  await page.keyboard.press("/");
  assertEquals(await page.locator("#unit").inputValue(), "/");
});

pageTest("a screen reader hears the whole address", {}, async (visit) => {
  await search(visit, "01310-200");
  await visit.page.getByRole("heading", { name: "01310-200" }).waitFor();
  assertEquals(
    await visit.page.locator("#status").innerText(),
    "CEP 01310-200: Avenida Paulista, de 1512 a 2132 - lado par, " +
      "Bela Vista, São Paulo – SP",
  );
});

for (const width of [375, 768, 1280]) {
  for (const dark of [false, true]) {
    pageTest(
      `axe-core finds no violation in searches at ${width} pixels, ${
        dark ? "dark" : "light"
      }`,
      { width, dark },
      async (visit) => {
        const { page } = visit;
        await search(visit, "rua");
        await page.locator("#further").waitFor();
        assertEquals(await violations(page), []);
        await search(visit, "rua xyzw brasilia");
        await visit.notice();
        assertEquals(await violations(page), []);
      },
    );
  }
}
