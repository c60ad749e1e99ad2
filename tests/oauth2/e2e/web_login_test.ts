/** Example of a web app, with a certified OpenID provider. */
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../oauth2/examples/web_login.ts";
import { AuthorizationServer, BASIC } from "./_authorization_server.ts";
import { Browser } from "./_browser.ts";
import { PERSON } from "./_pages.ts";
import { createApp as createOpenidApp } from "./_web_login_with_openid_client.ts";

const ORIGIN = "http://127.0.0.1";
const ALLOW = {
  login: PERSON.login,
  password: PERSON.password,
  decision: "allow",
};

/** App with the cookies of its user. */
class Visit {
  readonly cookies = new Map<string, string>();

  private constructor(
    readonly app: (request: Request) => Promise<Response>,
  ) {}

  static async to(
    server: AuthorizationServer,
    create = createApp,
  ): Promise<Visit> {
    return new Visit(
      await create({
        ISSUER: server.issuer,
        CLIENT_ID: BASIC.id,
        CLIENT_SECRET: BASIC.secret,
        ORIGIN,
        COOKIE_KEY: "0f".repeat(32),
      }),
    );
  }

  /** Requests a page, and keeps the cookies of its response. */
  async open(url: string | URL, method = "GET"): Promise<Response> {
    const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ");
    const response = await this.app(
      new Request(new URL(url, ORIGIN), { method, headers: { cookie } }),
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([\w-]+)=([^;]*);/.exec(line) ?? [];
      assert(line.endsWith("; Path=/; HttpOnly; Secure; SameSite=Lax"), line);
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

const location = ({ headers }: Response) => headers.get("location") ?? "";

for (
  const [name, create] of [
    ["web_login.ts", createApp],
    ["web_login.ts with openid-client", createOpenidApp],
  ] as const
) {
  Deno.test(`${name} signs a user in, and out`, async () => {
    await using server = await AuthorizationServer.start();
    const visit = await Visit.to(server, create);
    assertEquals(location(await visit.open("/")), "/login");

    const started = await visit.open("/login");
    assertEquals([...visit.cookies.keys()], ["__Host-login"]);
    const back = await new Browser(ALLOW)
      .authorize(location(started), `${ORIGIN}/callback`);
    assertEquals(location(await visit.open(back)), "/");
    assertEquals([...visit.cookies.keys()], ["__Host-user"]);
    const home = await visit.open("/");
    assertEquals(await home.text(), `Hello, ${PERSON.login}`);

    const end = new URL(location(await visit.open("/logout", "POST")));
    assertEquals(end.pathname, "/default/session/end");
    assertEquals(end.searchParams.get("client_id"), BASIC.id);
    assertEquals(location(await visit.open("/")), "/login");
  });

  Deno.test(`${name} shows the code of an error of the server`, async () => {
    await using server = await AuthorizationServer.start();
    const visit = await Visit.to(server, create);
    const started = await visit.open("/login");
    const back = await new Browser({ ...ALLOW, decision: "deny" })
      .authorize(location(started), `${ORIGIN}/callback`);
    assertEquals(
      await (await visit.open(back)).text(),
      "Sign-in failed: access_denied",
    );
  });
}

Deno.test("web_login.ts refuses a callback without its cookie, and a second one", async () => {
  await using server = await AuthorizationServer.start();
  const visit = await Visit.to(server);
  const started = await visit.open("/login");
  const cookie = visit.cookies.get("__Host-login")!;
  const back = await new Browser(ALLOW)
    .authorize(location(started), `${ORIGIN}/callback`);

  visit.cookies.clear();
  const other = await visit.open(back);
  assertEquals(other.status, 400);
  assertEquals(await other.text(), "Sign-in failed: missing_flow");

  visit.cookies.set("__Host-login", cookie);
  assertEquals(location(await visit.open(back)), "/");
  visit.cookies.set("__Host-login", cookie);
  assertEquals(
    await (await visit.open(back)).text(),
    "Sign-in failed: flow_used",
  );
});

Deno.test("web_login.ts answers other paths with 404", async () => {
  await using server = await AuthorizationServer.start();
  const visit = await Visit.to(server);
  for (const path of ["/x", "/callback/x"]) {
    assertEquals((await visit.open(path)).status, 404);
  }
  assertEquals((await visit.open("/", "POST")).status, 404);
});
