/** What the page says of itself, its menu, and the examples of the API. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { BUILD } from "../../cep/build.ts";
import { violations } from "./_axe.ts";
import { pageTest, useScene } from "./_browser_tests.ts";

useScene();

pageTest(
  "the page says what it is, and of when its data are",
  {},
  async ({ page }) => {
    assertEquals(await page.title(), "Carteiro: o CEP no seu servidor");
    const footer = page.locator("footer");
    assertMatch(
      await footer.innerText(),
      new RegExp(
        `Carteiro: o CEP no seu servidor.*CEPs, importados em .*Carteiro ${BUILD.version}`,
        "s",
      ),
    );
    for (const name of ["Código-fonte", "documentação", "licença MIT"]) {
      const link = footer.getByRole("link", { name });
      assert((await link.getAttribute("href"))!.startsWith(BUILD.repo), name);
    }
  },
);

pageTest("a link to a CEP is described by its address", {
  path: "?cep=01310-200",
}, async ({ page }) => {
  const content = (name: string) =>
    page.locator(`meta[property="og:${name}"]`).getAttribute("content");
  assertEquals(
    [await content("title"), await content("description")],
    [
      "01310-200 · Carteiro: o CEP no seu servidor",
      "Avenida Paulista, de 1512 a 2132 - lado par, Bela Vista, " +
      "São Paulo – SP",
    ],
  );
});

pageTest(
  "tabs write the examples in three languages",
  {},
  async ({ page, url }) => {
    const code = page.locator(".example code");
    assertMatch(await code.first().innerText(), /^curl -s 'http/);
    await page.getByRole("tab", { name: "curl" }).press("ArrowRight");
    assertEquals(
      await code.first().innerText(),
      `const response = await fetch("${url}cep/01310100");\n` +
        "const answer = await response.json();",
    );
    assertMatch(await code.nth(2).innerText(), /method: "POST"/);
    await page.getByRole("tab", { name: "Python" }).click();
    assertMatch(await code.nth(3).innerText(), /requests\.post\(.*\n.*json=\[/);
    await page.getByRole("tab", { name: "Python" }).press("ArrowRight");
    assertEquals(
      await page.getByRole("tab", { selected: true }).innerText(),
      "curl",
    );
  },
);

pageTest("a phone has the whole menu, and the result before the map", {
  width: 375,
  path: "?cep=01310-200",
}, async ({ page }) => {
  for (const name of ["Planilha", "API", "English"]) {
    assert(await page.getByRole("link", { name, exact: true }).isVisible());
  }
  const top = async (selector: string) =>
    (await page.locator(selector).boundingBox())!.y;
  assert(await top("#cep") < await top(".map"));
  assert(await top("#cep") < 667, "below the first screen");
});

for (const width of [375, 768, 1280]) {
  for (const dark of [false, true]) {
    pageTest(
      `axe-core finds no violation in examples at ${width} pixels, ${
        dark ? "dark" : "light"
      }`,
      { width, dark },
      async ({ page }) => {
        await page.getByRole("tab", { name: "JavaScript" }).click();
        await page.locator("[data-run]").first().click();
        await page.locator("pre").waitFor();
        assertEquals(await violations(page), []);
        assertEquals(
          await page.evaluate("document.documentElement.scrollWidth"),
          width,
        );
      },
    );
  }
}
