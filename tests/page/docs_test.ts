/** The reference of the API in Chromium. */
import { assertEquals } from "@std/assert";
import { violations } from "./_axe.ts";
import { pageTest, useScene } from "./_browser_tests.ts";

useScene();

for (const width of [375, 1280]) {
  for (const dark of [false, true]) {
    for (const locale of ["pt-BR", "en-US"]) {
      pageTest(
        `axe-core finds no violation in /docs at ${width} pixels, ${
          dark ? "dark" : "light"
        }, ${locale}`,
        { path: "docs", width, dark, locale },
        async ({ page }) => {
          assertEquals(await violations(page), []);
          const overflow = await page.evaluate(
            "document.documentElement.scrollWidth",
          );
          assertEquals(overflow, width);
          const folder = Deno.env.get("DOCS_SHOTS");
          if (folder) {
            await page.screenshot({
              path: `${folder}/docs-${width}-${
                dark ? "dark" : "light"
              }-${locale}.png`,
            });
          }
        },
      );
    }
  }
}

pageTest(
  "the page leads to the reference of the API, whose links work",
  {},
  async ({ page }) => {
    await page.getByRole("link", { name: "Referência da API" }).click();
    await page.getByRole("heading", { name: "GET /cep/{cep}", exact: true })
      .waitFor();
    await page.getByRole("link", { name: "/cep/01310-100", exact: true })
      .click();
    await page.getByText("Avenida Paulista").waitFor();
  },
);
