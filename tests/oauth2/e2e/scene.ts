import { assertEquals, assertRejects } from "@std/assert";
import {
  type AccessToken,
  Client,
  type ClientOptions,
  discover,
  OAuth2Error,
  pkce,
  randomState,
} from "../../../oauth2/mod.ts";
import {
  AuthorizationServer,
  BODY,
  REDIRECT_URI,
} from "./authorization_server.ts";
import { Browser } from "./browser.ts";
import { PERSON } from "./pages.ts";
import { Witness } from "./witness.ts";

/** What the person answers on the pages of the server. */
export const ALLOW = {
  login: PERSON.login,
  password: PERSON.password,
  decision: "allow",
};

/** A server, what is known of it, and a witness of all that happens. */
export class Scene implements AsyncDisposable {
  readonly witness = new Witness();

  private constructor(
    readonly server: AuthorizationServer,
    readonly found: Awaited<ReturnType<typeof discover>>,
  ) {}

  static async open(): Promise<Scene> {
    const server = await AuthorizationServer.start();
    return new Scene(server, await discover(server.issuer));
  }

  client(
    { id, secret }: { id: string; secret?: string },
    options: ClientOptions = {},
  ): Client {
    if (secret !== undefined) this.witness.hide(secret);
    return this.witness.see(
      new Client(id, secret, {
        ...this.found,
        redirectUri: REDIRECT_URI,
        fetch: this.witness.fetch,
        logger: this.witness.logger,
        debug: true,
        ...options,
      }),
    );
  }

  /** Has the person log in and allow; gives what the client gets of it. */
  async authorize(client: Client): Promise<{ code: string; verifier: string }> {
    const { challenge, method, verifier } = await pkce();
    const state = randomState();
    const url = client.authCode.authorizeUrl({
      scope: "openid profile offline_access",
      prompt: "consent",
      state,
      code_challenge: challenge,
      code_challenge_method: method,
    });
    const back = await new Browser(ALLOW).authorize(url, REDIRECT_URI);
    assertEquals(back.searchParams.get("error"), null);
    assertEquals(back.searchParams.get("state"), state);
    assertEquals(back.searchParams.get("iss"), this.server.issuer);
    return {
      code: this.witness.hide(back.searchParams.get("code") ?? ""),
      verifier: this.witness.hide(verifier),
    };
  }

  /** A token that the person allowed. */
  async getToken(client: Client): Promise<AccessToken> {
    const { code, verifier } = await this.authorize(client);
    const token = await client.authCode.getToken(code, {
      code_verifier: verifier,
    });
    return this.witness.see(token);
  }

  /** Whether the server still knows a token (RFC 7662). */
  async isActive(token: string): Promise<boolean> {
    const client = this.client(BODY);
    const response = await client.request("post", this.introspectionUrl, {
      body: { token, client_id: BODY.id, client_secret: BODY.secret },
    });
    this.witness.see(response);
    return (response.parsed as { active: boolean }).active;
  }

  /** Fails unless the server refuses a call for good, with this code. */
  async assertRefused(
    call: () => Promise<unknown>,
    code: string,
    status: number,
  ): Promise<void> {
    const error: OAuth2Error = await assertRejects(call, OAuth2Error);
    this.witness.see(error);
    const { retryable } = error;
    assertEquals(
      { code: error.code, status: error.status, retryable },
      { code, status, retryable: false },
    );
  }

  get userinfoUrl(): string {
    return String(this.found.metadata.userinfo_endpoint);
  }

  get introspectionUrl(): string {
    return String(this.found.metadata.introspection_endpoint);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    this.witness.check();
  }
}
