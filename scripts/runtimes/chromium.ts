/** Tests in a headless Chromium: one page a file. */
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import {
  AuthorizationServer,
  PUBLIC,
} from "../../tests/oauth2/e2e/authorization_server.ts";
import { PERSON } from "../../tests/oauth2/e2e/pages.ts";
import { CHROMIUM_FLAGS, findChromium } from "./find_chromium.ts";
import { attempt, type TestResult } from "./harness.ts";
import type { FileResult, Runtime } from "./runtime.ts";
import { bundle } from "./translate.ts";

const INSPECT = fileURLToPath(
  new URL("inspect_in_browser.ts", import.meta.url),
);

/** The module of a page that gets a token. */
const TOKEN = "scripts/runtimes/token/page.ts";

/**
 * The Chromium of this machine.
 *
 * @param folder Where the packages are installed.
 */
export async function openChromium(folder: string): Promise<Runtime> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error("Cannot find a Chromium: CHROMIUM_PATH is not set");
  }
  const args = [...CHROMIUM_FLAGS];
  const browser = await chromium.launch({ executablePath, args });
  return new Chromium(browser, folder);
}

class Chromium implements Runtime {
  readonly version: string;

  constructor(readonly browser: Browser, readonly folder: string) {
    this.version = browser.version();
  }

  async *run(files: readonly string[]): AsyncGenerator<FileResult> {
    for (const file of files) {
      yield { file, tests: await this.#runFile(file) };
    }
    const token = await attempt(
      "a page signs a person in and gets a token, with PKCE",
      () => this.#withPage(`import "./${TOKEN}";`, signIn),
    );
    yield { file: TOKEN, tests: [token] };
  }

  async #runFile(file: string): Promise<TestResult[]> {
    return await this.#withPage(
      `import { runTests } from "./scripts/runtimes/harness.ts";
       const results = runTests(() => import("./${file}"));
       globalThis.results = Array.fromAsync(results);`,
      async (page, url) => {
        await page.goto(url.href);
        return await page.evaluate<TestResult[]>("results");
      },
    );
  }

  /** Uses a page that has this module. */
  async #withPage<T>(
    code: string,
    use: (page: Page, url: URL) => Promise<T>,
  ): Promise<T> {
    const script = await bundle(code, {
      folder: this.folder,
      conditions: ["browser"],
      alias: { "node:util": INSPECT },
    });
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      ({ url }) => {
        const [body, type] = url.endsWith("/page.js")
          ? [script, "text/javascript"]
          : [`<script type="module" src="page.js"></script>`, "text/html"];
        const headers = { "content-type": `${type}; charset=utf-8` };
        return new Response(body, { headers });
      },
    );
    const page = await this.browser.newPage();
    try {
      return await use(page, new URL(`http://127.0.0.1:${server.addr.port}/`));
    } finally {
      await page.context().close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.browser.close();
  }
}

/** Has a person sign in at a server on loopback, and the page get a token. */
async function signIn(page: Page, url: URL): Promise<void> {
  await using server = await AuthorizationServer.start({
    redirectUri: url.href,
  });
  const query = new URLSearchParams({ issuer: server.issuer, ...PUBLIC });
  await page.goto(`${url}?${query}`);
  await page.locator("[name=login]").fill(PERSON.login);
  await page.locator("[name=password]").fill(PERSON.password);
  await page.getByRole("button", { name: "Entrar" }).click();
  await page.getByRole("button", { name: "Permitir" }).click();
  await page.waitForFunction("document.title !== ''");
  const title = await page.title();
  if (title !== `Signed in: ${PERSON.claims.name}`) throw new Error(title);
}
