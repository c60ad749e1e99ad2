/** Example `browser` in a real browser, with a real authorization server. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { join } from "node:path";
import process from "node:process";
import { type Browser, chromium, type Page } from "playwright-core";
import { run } from "../../scripts/process.ts";
import {
  CHROMIUM_FLAGS,
  findChromium,
} from "../../scripts/runtimes/find_chromium.ts";
import {
  AuthorizationServer,
  PUBLIC,
} from "../oauth2/e2e/_authorization_server.ts";
import { PERSON } from "../oauth2/e2e/_pages.ts";
import { outputOf } from "../_program.ts";
import { install, type Installed } from "./_install.ts";
import { PageServer } from "./_page_server.ts";

const CHROMIUM = findChromium();
/** Folder for screenshots of the page, optional. */
const SCREENSHOTS = process.env.SCREENSHOTS;

let installed: Installed;
let browser: Browser | undefined;

Deno.test.beforeAll(async () => {
  installed = await install("browser", ["@carteiro/oauth2"]);
  if (CHROMIUM === undefined) return;
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [...CHROMIUM_FLAGS],
  });
});

Deno.test.afterAll(async () => {
  await browser?.close();
  // Undefined if `beforeAll` has failed.
  installed?.[Symbol.dispose]();
});

/** Builds the page for a server. */
async function build(issuer: string): Promise<void> {
  const { node, example, env } = installed;
  await run([node, "build.js"], {
    cwd: example,
    env: { ...env, ISSUER: issuer, CLIENT_ID: PUBLIC.id, SCOPE: undefined },
  });
}

/** Visit to the page in a new browser context. */
class Visit implements AsyncDisposable {
  /** Errors of the page on the console of the browser. */
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    /** URL of the page. */
    readonly url: URL,
    readonly server: AuthorizationServer,
    private readonly ends: AsyncDisposableStack,
  ) {
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() !== "error") return;
      if (!message.location().url.startsWith(url.href)) return;
      this.complaints.push(message.text());
    });
  }

  static async start(): Promise<Visit> {
    await using ends = new AsyncDisposableStack();
    const { url } = ends.use(new PageServer(join(installed.example, "dist")));
    const server = ends.use(
      await AuthorizationServer.start({ redirectUri: url.href }),
    );
    await build(server.issuer);
    const page = await browser!.newPage();
    page.setDefaultTimeout(60_000);
    ends.defer(() => page.context().close());
    const visit = new Visit(page, url, server, ends.move());
    await page.goto(url.href);
    return visit;
  }

  /** Signs in at the server with name and password. */
  async signIn(): Promise<void> {
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.locator("[name=login]").fill(PERSON.login);
    await this.page.locator("[name=password]").fill(PERSON.password);
    await this.page.getByRole("button", { name: "Entrar" }).click();
  }

  /** Stores a login as the page does. */
  async pretendToSignIn(state: string): Promise<void> {
    const flow = {
      v: 1,
      client_id: PUBLIC.id,
      issuer: this.server.issuer,
      token_endpoint: `${this.server.issuer}/token`,
      state,
      code_verifier: "v".repeat(43),
      nonce: "n",
      redirect_uri: this.url.href,
      scope: "openid",
      expires_at: Math.floor(Date.now() / 1000) + 600,
    };
    await this.page.evaluate(
      (flow) => sessionStorage.setItem("login", flow),
      JSON.stringify(flow),
    );
  }

  /** Grants or denies access, and returns to the page. */
  async decide(decision: "Permitir" | "Negar"): Promise<void> {
    await this.page.getByRole("button", { name: decision }).click();
    await this.page.waitForURL((url) => url.origin === this.url.origin);
  }

  /** Waits for the error message of the page. */
  async error(): Promise<string> {
    const alert = this.page.getByRole("alert").filter({ hasText: /./ });
    return await alert.textContent() ?? "";
  }

  /** Waits for the greeting of the page. */
  async greeting(): Promise<string> {
    const heading = this.page.getByRole("heading", { name: "Hello" });
    return await heading.textContent() ?? "";
  }

  /** Takes a screenshot. */
  async screenshot(name: string): Promise<void> {
    if (!SCREENSHOTS) return;
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.ends.disposeAsync();
  }
}

/** Defines a test that needs a browser. */
function browserTest(name: string, test: (visit: Visit) => Promise<void>) {
  Deno.test({
    name: CHROMIUM === undefined
      ? `${name} (ignored: no Chromium here, CHROMIUM_PATH may name one)`
      : name,
    ignore: CHROMIUM === undefined,
    async fn() {
      await using visit = await Visit.start();
      await test(visit);
    },
  });
}

browserTest(
  "the page signs in a user and shows the claims",
  async (visit) => {
    const { page } = visit;
    await visit.screenshot("signed-out");
    await visit.signIn();
    await visit.decide("Permitir");
    assertEquals(await visit.greeting(), `Hello, ${PERSON.claims.name}`);
    await visit.screenshot("signed-in");
    assertEquals(
      await page.locator("dd").allTextContents(),
      Object.values(PERSON.claims),
    );
    assertEquals(page.url(), visit.url.href);
    assertEquals(visit.server.tokens, 1);
    assertEquals(visit.complaints, []);
  },
);

browserTest("the page keeps the token in memory only", async (visit) => {
  await visit.signIn();
  await visit.decide("Permitir");
  await visit.greeting();
  const kept = await visit.page.evaluate(
    `JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      history.state,
    ])`,
  );
  assertEquals(kept, '[{},{},"",null]');
  await visit.page.reload();
  await visit.page.getByRole("button", { name: "Sign in" }).waitFor();
});

browserTest("the page signs out and revokes the token", async (visit) => {
  await visit.signIn();
  await visit.decide("Permitir");
  await visit.page.getByRole("button", { name: "Sign out" }).click();
  const button = visit.page.getByRole("button", { name: "Sign in" });
  // It is enabled again after the response of the server.
  await button.click({ trial: true });
  assertEquals(visit.server.tokens, 0);
  assertEquals(await visit.page.locator("dd").count(), 0);
  assertEquals(visit.complaints, []);
});

browserTest(
  "the page reports that the user has denied access",
  async (visit) => {
    await visit.signIn();
    await visit.decide("Negar");
    assertEquals(
      await visit.error(),
      "You did not allow this page to read your profile.",
    );
    await visit.screenshot("denied");
    assertEquals(visit.page.url(), visit.url.href);
    assertEquals(visit.server.tokens, 0);
    // The server asks again on the next attempt.
    await visit.page.getByRole("button", { name: "Sign in" }).click();
    await visit.decide("Permitir");
    assertEquals(await visit.greeting(), `Hello, ${PERSON.claims.name}`);
  },
);

browserTest(
  "the page can send requests only to the server",
  async ({ page, url, server }) => {
    const asks = (to: string) =>
      page.evaluate(
        (to) => fetch(to).then(({ status }) => status, ({ name }) => name),
        to,
      );
    const discovery = `${server.issuer}/.well-known/openid-configuration`;
    assertEquals(await asks(discovery), 200);
    assertEquals(await asks(url.href), "TypeError");
  },
);

const FOREIGN = "This login was not started on this page. Try again.";

browserTest(
  "the page refuses a code of a login that it did not start",
  async (visit) => {
    await visit.page.goto(`${visit.url}?code=stolen&state=guessed`);
    assertEquals(await visit.error(), FOREIGN);
    assertEquals(visit.page.url(), visit.url.href);
  },
);

browserTest(
  "the page refuses a code with another state",
  async (visit) => {
    const { page } = visit;
    let state: string | null = null;
    let code: string | null = null;
    await page.route(
      ({ pathname }) => pathname.endsWith("/auth"),
      async (route) => {
        const url = new URL(route.request().url());
        state = url.searchParams.get("state");
        url.searchParams.set("state", "guessed");
        await route.continue({ url: url.href });
      },
    );
    page.on("request", (request) => {
      code ??= new URL(request.url()).searchParams.get("code");
    });
    await visit.signIn();
    await visit.decide("Permitir");
    assertEquals(await visit.error(), FOREIGN);
    assertNotEquals(code, null);
    assertEquals(visit.server.tokens, 0);
    // A state is used once: even the right one is refused now.
    await page.goto(`${visit.url}?code=${code}&state=${state}`);
    assertEquals(await visit.error(), FOREIGN);
    assertEquals(visit.server.tokens, 0);
  },
);

browserTest(
  "the page reports that the server cannot be reached",
  async (visit) => {
    await visit.page.route(
      (url) => url.origin === new URL(visit.server.issuer).origin,
      (route) => route.abort(),
    );
    await visit.page.getByRole("button", { name: "Sign in" }).click();
    assertEquals(
      await visit.error(),
      "The authorization server is unreachable. Try again later.",
    );
  },
);

browserTest(
  "the page reports that the server refuses the code",
  async (visit) => {
    await visit.pretendToSignIn("own");
    const iss = encodeURIComponent(visit.server.issuer);
    await visit.page.goto(`${visit.url}?code=old&state=own&iss=${iss}`);
    const error = await visit.error();
    assertEquals(error.startsWith("The authorization server refused: "), true);
    assertEquals(error.includes("invalid_grant"), true, error);
  },
);

for (
  const [name, iss] of [
    ["of another issuer", "&iss=https%3A%2F%2Fattacker.example"],
    ["without the issuer that the server announces", ""],
    ["with two codes", "&code=other"],
  ]
) {
  browserTest(`the page refuses an answer ${name}`, async (visit) => {
    await visit.pretendToSignIn("own");
    await visit.page.goto(`${visit.url}?code=old&state=own${iss}`);
    assertEquals(
      await visit.error(),
      "This login was not started on this page. Try again.",
    );
  });
}

Deno.test("build.js exits with code 2 without ISSUER and CLIENT_ID", async () => {
  const { node, example } = installed;
  const { code, stderr } = await outputOf(
    [node, join(example, "build.js")],
    { CLIENT_ID: PUBLIC.id },
  );
  assertEquals([code, stderr], [
    2,
    "Cannot build: ISSUER must be the URL of the authorization server, " +
    "and CLIENT_ID must be set\n",
  ]);
});
