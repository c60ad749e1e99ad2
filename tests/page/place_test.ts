/** The page with the data of the census. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { CENSUS_CREDIT } from "../../cep/http/sources.ts";
import { type DataSource, openStore, type Store } from "../../cep/store/mod.ts";
import { censusRow, entry, fill } from "../cep/store/_release.ts";
import { pageTest, useScene } from "./_browser_tests.ts";

useScene();

/** Opens a store with places, the last of which only the census has. */
async function openCounted(
  sources: readonly DataSource[] = ["dne", "cnefe"],
): Promise<Store> {
  const store = await openStore({ path: ":memory:" });
  const at = { latitude: -23.56168, longitude: -46.65611 };
  const dneVersion = sources.includes("dne") ? "25041" : "";
  await fill(
    store,
    [
      entry("13500001"),
      entry("13500002"),
      entry("13500003"),
      entry("13500004", { origin: "cnefe", file: "35_SP.csv" }),
    ],
    { sources, dneVersion },
    [
      censusRow("13500001", {
        point: { ...at, radius: 312 },
        addresses: 1234,
      }),
      censusRow("13500002", {
        point: { ...at, radius: 1240 },
        addresses: 2,
      }),
      censusRow("13500003", { point: { ...at, radius: 6 }, addresses: 1 }),
      censusRow("13500004"),
    ],
  );
  return store;
}

/** Looks up a CEP in the browser. */
async function lookUp(page: Page, cep: string): Promise<void> {
  await page.locator("#q").fill(cep);
  await page.keyboard.press("Enter");
  await page.locator("#status", { hasText: cep }).waitFor({
    state: "attached",
  });
}

/** Captions of the map by language and CEP. */
const CAPTIONS = [
  [
    "pt",
    "13500-001",
    "Local aproximado: 95% dos 1.234 endereços ficam num raio de 312 m.",
  ],
  [
    "pt",
    "13500-002",
    "Local aproximado: 95% dos 2 endereços ficam num raio de 1,2 km.",
  ],
  ["pt", "13500-003", "Local do único endereço do CEP."],
  [
    "en",
    "13500-001",
    "Approximate place: 95% of the 1,234 addresses are within 312 m.",
  ],
  [
    "en",
    "13500-002",
    "Approximate place: 95% of the 2 addresses are within 1.2 km.",
  ],
  ["en", "13500-003", "Place of the only address of the CEP."],
] as const;

for (const [lang, cep, caption] of CAPTIONS) {
  pageTest(
    `the server and the browser describe the place of ${cep} (${lang})`,
    { path: `?cep=${cep}&lang=${lang}`, openStore: openCounted },
    async (visit) => {
      const { page } = visit;
      const drawn = async () => [
        await visit.slot("caption"),
        await visit.slot("part.coordenadas"),
        await page.locator('[data-row="coordenadas"] dt').innerText(),
        await page.locator('[data-load="near"]').isVisible(),
        ...await page.locator(".links a").evaluateAll((links) =>
          links.map((it) => it.getAttribute("href"))
        ),
        ...await page.locator(".mark circle").evaluateAll((circles) =>
          circles.map((it) => Math.round(Number(it.getAttribute("cx"))))
        ),
      ];
      const byServer = await drawn();
      assertEquals(byServer.slice(0, 2), [caption, "-23.56168, -46.65611"]);
      await lookUp(page, "13500-004");
      await lookUp(page, cep);
      assertEquals(await drawn(), byServer);
      const credit = page.locator("footer").getByText(CENSUS_CREDIT);
      assertEquals(await credit.getAttribute("lang"), "pt-BR");
    },
  );
}

pageTest("a CEP without a place has the seat of its municipality", {
  path: "?cep=01000-900",
}, async (visit) => {
  const { page } = visit;
  const check = async () => {
    assertMatch(await visit.slot("caption"), /sede do município de São Paulo/);
    for (const hidden of ['[data-row="coordenadas"]', '[data-load="near"]']) {
      assertEquals(await page.locator(hidden).isVisible(), false, hidden);
    }
  };
  await check();
  await lookUp(page, "01310-100");
  assertEquals(await page.locator('[data-load="near"]').isVisible(), true);
  await lookUp(page, "01000-900");
  await check();
});

pageTest("the nearest CEPs open with a click", {
  path: "?cep=01310-200",
}, async ({ page }) => {
  const details = page.locator("details", { hasText: "CEPs perto daqui" });
  await details.locator("summary").click();
  await details.locator("ol").waitFor();
  const records = await details.locator("li").allInnerTexts();
  assertEquals(records.length, 8);
  assertMatch(records[0]!, /^Avenida Paulista.* · \d+ m\s+01311-200$/s);
  assertMatch(records.at(-1)!, / · \d+(,\d)? km\s/);
  await details.locator("a").first().click();
  await page.getByRole("heading", { name: "01311-200" }).waitFor();
  assertEquals(await details.locator("li").count(), 0);
});

/** Kinds of a record that only the census has, by the sources of the data. */
const KINDS = [
  [
    ["dne", "cnefe"],
    "Contado pelo Censo 2022, fora do diretório dos Correios",
    "DNE 25041, CNEFE 2022",
  ],
  [["cnefe"], "Contado pelo Censo 2022", "CNEFE 2022"],
] as const;

for (const [sources, kind, names] of KINDS) {
  pageTest(
    `a CEP that only the census has is named in data of ${sources.join(", ")}`,
    { path: "?cep=13500-004", openStore: () => openCounted(sources) },
    async (visit) => {
      const { page } = visit;
      assertEquals(await visit.slot("kind"), kind);
      await lookUp(page, "13500-001");
      await lookUp(page, "13500-004");
      assertEquals(await visit.slot("kind"), kind);
      const footer = await page.locator("footer").innerText();
      assertStringIncludes(footer, `(${names})`);
    },
  );
}
