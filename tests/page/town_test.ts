/** Municipalities and the last lookups on the page. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { violations } from "./_axe.ts";
import { pageTest, useScene } from "./_browser_tests.ts";
import type { Visit } from "./_page_visit.ts";

useScene();

async function search({ page }: Visit, text: string): Promise<void> {
  await page.locator("#q").fill(text);
  await page.keyboard.press("Enter");
}

for (const text of ["São Paulo", "boa vista, roraima", "Boa Vista RR"]) {
  pageTest(
    `a search for "${text}" has the card of the town`,
    {},
    async (visit) => {
      const { page } = visit;
      await search(visit, text);
      const card = page.locator("#town");
      await card.waitFor();
      assertMatch(
        await card.innerText(),
        text === "São Paulo"
          ? /Estado\s+São Paulo \(SP\)\s+Código IBGE\s+3550308.*01000-000 – 05999-999/s
          : /Estado\s+Roraima \(RR\)\s+Código IBGE\s+1400100/,
      );
      assert(await page.locator("#list").isVisible());
      await search(visit, "avenida paulista");
      await card.waitFor({ state: "hidden" });
    },
  );
}

pageTest("a neighbourhood of a town is a search", {}, async (visit) => {
  const { page } = visit;
  await search(visit, "São Paulo");
  await page.locator("#town").getByRole("link", { name: "Bela Vista" }).click();
  await page.locator("#list a", { hasText: "Bela Vista" }).first().waitFor();
  assertMatch(page.url(), /\?q=Bela\+Vista%2C\+S%C3%A3o\+Paulo\+SP$/);
});

pageTest(
  "the last lookups are listed until they are forgotten",
  {},
  async (visit) => {
    const { page, url } = visit;
    const recent = page.locator("#recent");
    assertEquals(await recent.isVisible(), false);
    for (const cep of ["01310-100", "01310-200", "01310-100"]) {
      await search(visit, cep);
      await page.getByRole("heading", { name: cep }).waitFor();
      assertEquals(await recent.isVisible(), false);
    }
    await page.goto(url);
    assertEquals(
      await recent.locator("a .cep").allInnerTexts(),
      ["01310-100", "01310-200"],
    );
    assertEquals(await violations(page), []);
    await recent.locator("a").nth(1).click();
    await page.getByRole("heading", { name: "01310-200" }).waitFor();
    await page.goBack();
    await recent.waitFor();
    await page.getByRole("button", { name: "Esquecer" }).click();
    await recent.waitFor({ state: "hidden" });
    await page.reload();
    assertEquals(await recent.isVisible(), false);
  },
);

for (const width of [375, 768, 1280]) {
  for (const dark of [false, true]) {
    pageTest(
      `axe-core finds no violation in a town at ${width} pixels, ${
        dark ? "dark" : "light"
      }`,
      { width, dark },
      async (visit) => {
        const { page } = visit;
        await search(visit, "São Paulo");
        await page.locator("#town").waitFor();
        assertEquals(await violations(page), []);
        assertEquals(
          await page.evaluate("document.documentElement.scrollWidth"),
          width,
        );
      },
    );
  }
}
