/** The page that users copy, in a real browser, before a real server. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { join } from "node:path";
import process from "node:process";
import { type Browser, chromium, type Page } from "playwright-core";
import { run } from "../../scripts/command.ts";
import {
  CHROMIUM_FLAGS,
  findChromium,
} from "../../scripts/runtimes/find_chromium.ts";
import {
  AuthorizationServer,
  PUBLIC,
} from "../oauth2/e2e/authorization_server.ts";
import { PERSON } from "../oauth2/e2e/pages.ts";
import { outputOf } from "../program.ts";
import { install, type Installed } from "./_install.ts";
import { PageServer } from "./_page_server.ts";

const CHROMIUM = findChromium();
/** Where pictures of the page go, for whoever wants to look at it. */
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
  // Absent if that failed, and then its error is the one to be seen.
  await installed?.remove();
});

/** Builds the page for a server. */
async function build(issuer: string): Promise<void> {
  const { node, example, env } = installed;
  await run(node, ["build.js"], {
    cwd: example,
    env: { ...env, ISSUER: issuer, CLIENT_ID: PUBLIC.id, SCOPE: undefined },
  });
}

/** A person who has come to the page with a fresh browser. */
class Visit implements AsyncDisposable {
  /** What the browser complains of about the page. */
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    /** Where the page is. */
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

  static async begin(): Promise<Visit> {
    await using ends = new AsyncDisposableStack();
    const { url } = ends.use(new PageServer(join(installed.example, "dist")));
    const server = ends.use(
      await AuthorizationServer.start({ redirectUri: url.href }),
    );
    await build(server.issuer);
    const page = await browser!.newPage();
    ends.defer(() => page.context().close());
    const visit = new Visit(page, url, server, ends.move());
    await page.goto(url.href);
    return visit;
  }

  /** Goes to the server and gives name and password. */
  async signIn(): Promise<void> {
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await this.page.locator("[name=login]").fill(PERSON.login);
    await this.page.locator("[name=password]").fill(PERSON.password);
    await this.page.getByRole("button", { name: "Entrar" }).click();
  }

  /** Answers whether the page may know who it is, and is sent back. */
  async decide(decision: "Permitir" | "Negar"): Promise<void> {
    await this.page.getByRole("button", { name: decision }).click();
    await this.page.waitForURL((url) => url.origin === this.url.origin);
  }

  /** What the page says that went wrong, once it says so. */
  async error(): Promise<string> {
    const alert = this.page.getByRole("alert").filter({ hasText: /./ });
    return await alert.textContent() ?? "";
  }

  /** The name under which the page greets, once it does. */
  async greeting(): Promise<string> {
    const heading = this.page.getByRole("heading", { name: "Hello" });
    return await heading.textContent() ?? "";
  }

  async look(name: string): Promise<void> {
    if (!SCREENSHOTS) return;
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.ends.disposeAsync();
  }
}

/** A test that needs a browser. */
function browserTest(name: string, test: (visit: Visit) => Promise<void>) {
  Deno.test({
    name: CHROMIUM === undefined
      ? `${name} (ignored: no Chromium here, CHROMIUM_PATH may name one)`
      : name,
    ignore: CHROMIUM === undefined,
    async fn() {
      await using visit = await Visit.begin();
      await test(visit);
    },
  });
}

browserTest(
  "the page signs a person in, and shows what the server tells",
  async (visit) => {
    const { page } = visit;
    await visit.look("signed-out");
    await visit.signIn();
    await visit.decide("Permitir");
    assertEquals(await visit.greeting(), `Hello, ${PERSON.claims.name}`);
    await visit.look("signed-in");
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

browserTest("the page signs out and gives the token back", async (visit) => {
  await visit.signIn();
  await visit.decide("Permitir");
  await visit.page.getByRole("button", { name: "Sign out" }).click();
  const button = visit.page.getByRole("button", { name: "Sign in" });
  // Enabled again, hence the server has answered.
  await button.click({ trial: true });
  assertEquals(visit.server.tokens, 0);
  assertEquals(await visit.page.locator("dd").count(), 0);
  assertEquals(visit.complaints, []);
});

browserTest(
  "the page says so when the person does not allow it",
  async (visit) => {
    await visit.signIn();
    await visit.decide("Negar");
    assertEquals(
      await visit.error(),
      "You did not allow this page to know who you are.",
    );
    await visit.look("denied");
    assertEquals(visit.page.url(), visit.url.href);
    assertEquals(visit.server.tokens, 0);
    // And it may be tried again, which the server asks about again.
    await visit.page.getByRole("button", { name: "Sign in" }).click();
    await visit.decide("Permitir");
    assertEquals(await visit.greeting(), `Hello, ${PERSON.claims.name}`);
  },
);

browserTest(
  "the page may talk to nobody but the server",
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

const FOREIGN = "This is not a login that was begun here. Try again.";

browserTest(
  "the page refuses a code of a login that it did not begin",
  async (visit) => {
    await visit.page.goto(`${visit.url}?code=stolen&state=guessed`);
    assertEquals(await visit.error(), FOREIGN);
    assertEquals(visit.page.url(), visit.url.href);
  },
);

browserTest(
  "the page refuses a code with another state than its own",
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
    // Not even the right state helps afterwards: it was for one answer.
    await page.goto(`${visit.url}?code=${code}&state=${state}`);
    assertEquals(await visit.error(), FOREIGN);
    assertEquals(visit.server.tokens, 0);
  },
);

browserTest(
  "the page says so when the server cannot be reached",
  async (visit) => {
    await visit.page.route(
      (url) => url.origin === new URL(visit.server.issuer).origin,
      (route) => route.abort(),
    );
    await visit.page.getByRole("button", { name: "Sign in" }).click();
    assertEquals(
      await visit.error(),
      "The authorization server cannot be reached. Try again later.",
    );
  },
);

browserTest(
  "the page says so when the server does not know the code",
  async (visit) => {
    await visit.page.evaluate(() =>
      sessionStorage.setItem(
        "login",
        JSON.stringify({ state: "own", verifier: "v".repeat(43) }),
      )
    );
    const iss = encodeURIComponent(visit.server.issuer);
    await visit.page.goto(`${visit.url}?code=old&state=own&iss=${iss}`);
    const error = await visit.error();
    assertEquals(error.startsWith("The authorization server refused: "), true);
    assertEquals(error.includes("invalid_grant"), true, error);
  },
);

for (
  const [what, iss] of [
    ["of another issuer", "&iss=https%3A%2F%2Fattacker.example"],
    ["without the issuer that the server promises", ""],
    ["with two codes", "&code=other"],
  ]
) {
  browserTest(`the page refuses an answer ${what}`, async (visit) => {
    await visit.page.evaluate(() =>
      sessionStorage.setItem(
        "login",
        JSON.stringify({ state: "own", verifier: "v".repeat(43) }),
      )
    );
    await visit.page.goto(`${visit.url}?code=old&state=own${iss}`);
    assertEquals(
      await visit.error(),
      "This is not a login that was begun here. Try again.",
    );
  });
}

Deno.test("the page is not built without a server and a name", async () => {
  const { node, example } = installed;
  const { code, stderr } = await outputOf(
    [node, join(example, "build.js")],
    { CLIENT_ID: PUBLIC.id },
  );
  assertEquals([code, stderr], [
    2,
    "Cannot build: ISSUER must be the URL of the authorization server, " +
    "and CLIENT_ID the page's name there\n",
  ]);
});
