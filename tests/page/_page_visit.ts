/** Visits to the page of the service, in a real browser. */
import {
  type Browser,
  chromium,
  type Page,
  type Response,
} from "playwright-core";
import { type Config, openStore, seed, type Store } from "../../cep/mod.ts";
import { createServiceHandler } from "../../cep/http/service_handler.ts";
import { docs } from "../../cep/http/routes/docs.ts";
import type { ConnectionInfo } from "../../cep/http/exchange.ts";
import {
  CHROMIUM_FLAGS,
  findChromium,
} from "../../scripts/runtimes/find_chromium.ts";
import { SAMPLE, SAMPLE_CNEFE } from "../_sample.ts";

export const CHROMIUM = findChromium();

/** Browser and data that all visits share. */
export class Scene implements AsyncDisposable {
  private constructor(readonly browser: Browser, readonly store: Store) {}

  static async open(): Promise<Scene> {
    const store = await openStore({ path: ":memory:" });
    await seed({ directory: SAMPLE, cnefe: SAMPLE_CNEFE, store });
    const browser = await chromium.launch({
      executablePath: CHROMIUM!,
      args: [...CHROMIUM_FLAGS],
    });
    return new Scene(browser, store);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.store.close();
  }
}

/** Options of {@linkcode Visit.start}. */
export interface VisitOptions {
  /** Path and query string of the page. */
  readonly path?: string;
  readonly config?: Partial<Config>;
  readonly width?: number;
  readonly dark?: boolean;
  readonly locale?: string;
  readonly script?: boolean;
  /** Opens a store of other data than those of the scene. */
  readonly openStore?: () => Promise<Store>;
}

/** Message of the console that a failed request causes, whatever the page. */
const FAILED_LOAD = /^Failed to load resource/;

/** Visit to the page in a new browser context, of a server of its own. */
export class Visit implements AsyncDisposable {
  /** Errors on the console and in the page. */
  readonly complaints: string[] = [];
  /** Responses in order. */
  readonly responses: Response[] = [];

  private constructor(
    readonly page: Page,
    /** URL of the service. */
    readonly url: string,
    private readonly ends: AsyncDisposableStack,
  ) {
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("console", (message) => {
      const text = message.text();
      if (message.type() !== "error" || FAILED_LOAD.test(text)) return;
      this.complaints.push(text);
    });
    page.on("response", (response) => this.responses.push(response));
  }

  static async start(
    scene: Scene,
    {
      openStore,
      path = "",
      config = { rateLimit: false },
      width = 1280,
      dark = false,
      locale = "pt-BR",
      script = true,
    }: VisitOptions = {},
  ): Promise<Visit> {
    await using ends = new AsyncDisposableStack();
    const store = await openStore?.() ?? scene.store;
    if (store !== scene.store) ends.defer(() => store.close());
    const handler = createServiceHandler({ store, config, docs });
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request, info) => handler(request, info as ConnectionInfo),
    );
    ends.defer(() => server.shutdown());
    const context = await scene.browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: dark ? "dark" : "light",
      locale,
      javaScriptEnabled: script,
      reducedMotion: "reduce",
    });
    ends.defer(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const url = `http://127.0.0.1:${server.addr.port}/`;
    const visit = new Visit(page, url, ends.move());
    await page.goto(url + path);
    return visit;
  }

  /** Text of a slot that is visible. */
  async slot(name: string): Promise<string> {
    const slot = this.page.locator(`[data-slot="${name}"]`);
    await slot.filter({ hasText: /./ }).waitFor();
    return (await slot.innerText()).trim();
  }

  /** Enters a text at once, and waits for suggestions. */
  async type(text: string): Promise<void> {
    await this.page.locator("#q").focus();
    await this.page.keyboard.insertText(text);
    await this.page.locator("#options li").first().waitFor();
  }

  /** Stops the timers of the page, which `page.clock` then moves. */
  async stopTime(): Promise<void> {
    await this.page.clock.install({ time: 0 });
    await this.page.clock.pauseAt(60_000);
  }

  /** Text of the message, once there is one. */
  notice(): Promise<string> {
    return this.slot("notice");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.ends.disposeAsync();
  }
}
