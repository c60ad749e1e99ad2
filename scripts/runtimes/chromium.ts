/** Tests in headless Chromium: one page per file. */
import { join } from "node:path";
import { chromium } from "playwright-core";
import {
  AuthorizationServer,
  PUBLIC,
} from "../../tests/oauth2/e2e/_authorization_server.ts";
import { PERSON } from "../../tests/oauth2/e2e/_pages.ts";
import { bundle } from "./translate.ts";
import { CHROMIUM_FLAGS, findChromium } from "./find_chromium.ts";
import type { Open, TestResult } from "./harness.ts";

/** Chromium of this machine. */
export const openChromium: Open = async (folder, stack) => {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error("Cannot find a Chromium: CHROMIUM_PATH is not set");
  }
  const args = [...CHROMIUM_FLAGS];
  const browser = await chromium.launch({ executablePath, args });
  stack.defer(() => browser.close());
  let script = "";
  const headers = { "content-type": "text/html; charset=utf-8" };
  const pages = stack.use(Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response(`<script type="module">${script}</script>`, { headers }),
  ));
  const redirectUri = `http://127.0.0.1:${pages.addr.port}/`;
  const { issuer } = stack.use(
    await AuthorizationServer.start({ redirectUri }),
  );
  const inspect = join(folder, "scripts/runtimes/inspect_in_browser.mjs");
  return {
    version: browser.version(),
    async run(file) {
      script = await bundle(file, {
        folder,
        registered: { issuer, ...PUBLIC },
        entry: "globalThis.results = run();",
        alias: { "node:util": inspect },
      });
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.exposeFunction("signIn", async (authorizeUrl: string) => {
        const page = await context.newPage();
        await page.goto(authorizeUrl);
        await page.locator("[name=login]").fill(PERSON.login);
        await page.locator("[name=password]").fill(PERSON.password);
        await page.getByRole("button", { name: "Entrar" }).click();
        await page.getByRole("button", { name: "Permitir" }).click();
        await page.waitForURL(`${redirectUri}?*`);
        return page.url();
      });
      await page.goto(redirectUri);
      return await page.evaluate<TestResult[]>("results");
    },
  };
};
