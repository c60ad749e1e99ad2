/** Tests of an application with a login, in a process of its own. */
import { assertEquals } from "@std/assert";
import type { Command } from "../../../scripts/process.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { freePort } from "../../_free_port.ts";
import { Process } from "../../cep/_process.ts";
import {
  AuthorizationServer,
  BASIC,
  type Configuration,
} from "./_authorization_server.ts";
import { Browser, type Page } from "./_browser.ts";
import { PERSON } from "./_pages.ts";

/** Application that users sign in to. */
export interface LoginApp {
  readonly name: string;
  /** Path of the session, `/auth` or none. */
  readonly path: string;
  /** Returns its command; the port is in the environment, too. */
  readonly command: (port: number) => Command;
  readonly cwd?: () => string;
}

const ALLOW = {
  login: PERSON.login,
  password: PERSON.password,
  decision: "allow",
  logout: "yes",
};
const HELLO = `Hello, ${PERSON.claims.name}`;

/** Application and authorization server, both on loopback. */
export class RunningApp implements AsyncDisposable {
  private constructor(
    readonly origin: string,
    readonly server: AuthorizationServer,
    readonly process: Process,
    readonly folder: TemporaryFolder,
  ) {}

  /** Starts both. */
  static async start({ path, command, cwd }: LoginApp): Promise<RunningApp> {
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const server = await AuthorizationServer.start({
      redirectUri: `${origin}${path}/callback`,
      configure: (configuration) => configure(configuration, origin + path),
    });
    const folder = new TemporaryFolder("oauth2-login");
    const process = Process.start(command(port), {
      ISSUER: server.issuer,
      CLIENT_ID: BASIC.id,
      CLIENT_SECRET: BASIC.secret,
      ORIGIN: origin,
      PORT: String(port),
      COOKIE_KEY: "0f".repeat(32),
      SESSIONS: folder.path,
    }, cwd?.());
    try {
      const isReady = ({ message }: { message: string }) =>
        /Listening|Ready in/.test(message);
      await process.line("Listening", isReady);
      return new RunningApp(origin, server, process, folder);
    } catch (error) {
      await process[Symbol.asyncDispose]();
      await server.close();
      folder[Symbol.dispose]();
      throw error;
    }
  }

  /** Requests the first page, without what follows. */
  home(browser: Browser): Promise<Page> {
    return browser.send({ url: new URL(this.origin) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
    await this.server.close();
    this.folder[Symbol.dispose]();
  }
}

/** Defines the tests of an application. */
export function testLoginApp(app: LoginApp): void {
  const { name, path } = app;

  Deno.test(`${name} signs a user in and out, at the server, too`, async () => {
    await using running = await RunningApp.start(app);
    const { origin, server } = running;
    const browser = new Browser(ALLOW);
    const page = await browser.open(origin);
    assertEquals([page.status, page.text], [200, HELLO]);
    assertEquals(browser.cookies, ["session"]);
    assertEquals(server.tokens, 1);

    const url = new URL(`${origin}${path}/logout`);
    const form = new URLSearchParams();
    const headers = { origin: "https://evil.example" };
    const refused = await browser.send({ url, form, headers });
    assertEquals(refused.status, 403);
    assertEquals((await running.home(browser)).text, HELLO);

    const out = await browser.send({ url, form, headers: { origin } });
    assertEquals(out.status, 303);
    assertEquals(browser.cookies, []);
    assertEquals(server.tokens, 0);
    const { href } = out.next!.url;
    assertEquals(href.startsWith(`${server.issuer}/session/end?`), true);
    assertEquals((await browser.authorize(href, `${origin}/`)).pathname, "/");
    const again = await running.home(browser);
    assertEquals(again.next?.url.pathname, "/default/auth");
  });

  Deno.test(`${name} signs a user out who signs out at the server`, async () => {
    await using running = await RunningApp.start(app);
    const { origin, server } = running;
    const browser = new Browser(ALLOW);
    assertEquals((await browser.open(origin)).text, HELLO);
    await browser.open(`${server.issuer}/session/end`);
    const again = await running.home(browser);
    assertEquals(again.next?.url.pathname, "/default/auth");
  });

  Deno.test(`${name} shows that the user refused, once`, async () => {
    await using running = await RunningApp.start(app);
    const browser = new Browser({ ...ALLOW, decision: "deny" });
    const page = await browser.open(running.origin);
    assertEquals(page.status, 403);
    assertEquals(page.text, "Sign-in failed: access_denied");
  });
}

/** Lets the client of the application do all that a session does. */
function configure(
  configuration: Configuration,
  base: string,
): Configuration {
  const { origin } = new URL(base);
  const { rpInitiatedLogout } = configuration.features as {
    rpInitiatedLogout: object;
  };
  return {
    ...configuration,
    // As many servers do, and not only with `prompt=consent`.
    issueRefreshToken: () => true,
    clients: configuration.clients.map((client) => ({
      ...client,
      ...(client as { client_id: string }).client_id === BASIC.id && {
        post_logout_redirect_uris: [`${origin}/`],
        backchannel_logout_uri: `${base}/backchannel-logout`,
      },
    })),
    features: {
      ...configuration.features,
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        ...rpInitiatedLogout,
        postLogoutSuccessSource(ctx: { body: unknown }) {
          ctx.body = "Signed out";
        },
      },
    },
  };
}
