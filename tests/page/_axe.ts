/** Checks of accessibility. */
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Runs axe-core over the protocol of the browser, past the policy. */
export async function violations(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return await page.evaluate(`
    axe.run(document, { resultTypes: ["violations"] }).then((it) =>
      it.violations.map(({ id, nodes }) => [id, nodes.map((it) => it.html)]))
  `);
}
