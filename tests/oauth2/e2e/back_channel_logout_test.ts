/** Back-channel logout with a certified OpenID provider. */
import { assert, assertEquals } from "@std/assert";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, discover } from "../../../oauth2/mod.ts";
import { BackChannelLogout, endSessionUrl } from "../../../oauth2/oidc/mod.ts";
import { SignIn } from "../../../oauth2/sign_in/mod.ts";
import {
  AuthorizationServer,
  BASIC,
  LOGOUT_URI,
  REDIRECT_URI,
} from "./_authorization_server.ts";
import { Browser } from "./_browser.ts";
import { PERSON } from "./_pages.ts";

const PAGES = {
  login: PERSON.login,
  password: PERSON.password,
  decision: "allow",
  logout: "yes",
};

/** Application with a logout endpoint on loopback. */
class App implements AsyncDisposable {
  /** Answer to each request: status and body. */
  readonly answers: [number, string][] = [];
  handle: (request: Request) => Promise<Response> = () =>
    Promise.resolve(new Response(null, { status: 503 }));
  #server = createServer(async (request, response) => {
    const answer = await this.handle(await toRequest(request));
    const body = await answer.text();
    this.answers.push([answer.status, body]);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(body);
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) =>
      this.#server.listen(0, "127.0.0.1", resolve)
    );
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/backchannel-logout`;
  }

  async [Symbol.asyncDispose]() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function toRequest(request: IncomingMessage): Promise<Request> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new Request(`http://127.0.0.1${request.url}`, {
    method: request.method ?? "GET",
    headers: { "content-type": request.headers["content-type"] ?? "" },
    body: await new Blob(chunks as BlobPart[]).text(),
  });
}

Deno.test("BackChannelLogout ends the session that a user ends at the server", async () => {
  await using app = new App();
  const backchannel_logout_uri = await app.listen();
  await using server = await AuthorizationServer.start({
    configure: ({ clients, features, ...others }) => ({
      ...others,
      features: { ...features, backchannelLogout: { enabled: true } },
      clients: clients.map((client) => ({
        ...client,
        ...(client as { client_id: string }).client_id === BASIC.id && {
          backchannel_logout_uri,
          backchannel_logout_session_required: true,
        },
      })),
    }),
  });
  const client = new Client(BASIC.id, BASIC.secret, {
    ...await discover(server.issuer),
    redirectUri: REDIRECT_URI,
  });
  // Sessions of the application, by its own ids.
  const sessions = new Map<string, { sub: string; sid: string | undefined }>([
    ["other", { sub: "maria", sid: "of a phone" }],
  ]);
  const errors: unknown[] = [];
  const logout = new BackChannelLogout(client, {
    types: ["logout+jwt"],
    onError: (error) => errors.push(error),
    endSessions({ iss, sid }) {
      assertEquals(iss, server.issuer);
      for (const [id, session] of sessions) {
        if (session.sid === sid) sessions.delete(id);
      }
    },
  });
  let sent = "";
  app.handle = async (request) => {
    sent = await request.clone().text();
    return await logout.handle(request);
  };

  const browser = new Browser(PAGES);
  const signIn = new SignIn(client);
  const flow = await signIn.start({ scope: "openid" });
  const callback = await browser.authorize(flow.url, REDIRECT_URI);
  const { token, claims } = await signIn.callback(callback, flow);
  const { sub, sid } = claims!;
  assert(sid, "the ID token has a sid");
  sessions.set("own", { sub, sid });

  await browser.authorize(
    endSessionUrl(client, {
      id_token_hint: String(token.params.id_token),
      post_logout_redirect_uri: LOGOUT_URI,
    }),
    LOGOUT_URI,
  );
  assertEquals(errors, []);
  assertEquals(app.answers, [[200, ""]]);
  assertEquals([...sessions.keys()], ["other"]);

  // A token that was overheard cannot end the next session.
  const replay = await fetch(backchannel_logout_uri, {
    method: "POST",
    body: new URLSearchParams(sent),
  });
  assertEquals(replay.status, 400);
  assertEquals((await replay.json()).error, "invalid_request");
});
