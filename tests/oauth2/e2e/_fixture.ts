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
} from "./_authorization_server.ts";
import { Browser } from "./_browser.ts";
import { PERSON } from "./_pages.ts";
import { Witness } from "./_witness.ts";

/** Answers of the user on the pages of the server. */
const ALLOW = {
  login: PERSON.login,
  password: PERSON.password,
  decision: "allow",
};

/** Server with its metadata and a recorder of its requests. */
export class Fixture implements AsyncDisposable {
  readonly witness = new Witness();

  private constructor(
    readonly server: AuthorizationServer,
    readonly found: Awaited<ReturnType<typeof discover>>,
  ) {}

  /** Starts and discovers a server. */
  static async open(): Promise<Fixture> {
    const server = await AuthorizationServer.start();
    return new Fixture(server, await discover(server.issuer));
  }

  /** Creates a client that is recorded. */
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

  /** Logs in and consents, and returns the code and the PKCE verifier. */
  async authorize(client: Client): Promise<{ code: string; verifier: string }> {
    const { code_verifier, ...challenge } = await pkce();
    const state = randomState();
    const url = client.authCode.authorizeUrl({
      scope: "openid profile offline_access",
      prompt: "consent",
      state,
      ...challenge,
    });
    const callback = await new Browser(ALLOW).authorize(url, REDIRECT_URI);
    assertEquals(callback.searchParams.get("error"), null);
    assertEquals(callback.searchParams.get("state"), state);
    assertEquals(callback.searchParams.get("iss"), this.server.issuer);
    return {
      code: this.witness.hide(callback.searchParams.get("code") ?? ""),
      verifier: this.witness.hide(code_verifier),
    };
  }

  /** Gets a token with the authorization code grant. */
  async getToken(client: Client): Promise<AccessToken> {
    const { code, verifier } = await this.authorize(client);
    const token = await client.authCode.getToken(code, {
      code_verifier: verifier,
    });
    return this.witness.see(token);
  }

  /** Returns true if a token is valid (RFC 7662). */
  async isActive(token: string): Promise<boolean> {
    const client = this.client(BODY);
    const response = await client.request("post", this.introspectionUrl, {
      body: { token, client_id: BODY.id, client_secret: BODY.secret },
    });
    this.witness.see(response);
    return (response.parsed as { active: boolean }).active;
  }

  /** Fails unless a call throws this error, as not retryable. */
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

  /** Userinfo endpoint. */
  get userinfoUrl(): string {
    return String(this.found.metadata.userinfo_endpoint);
  }

  /** Introspection endpoint. */
  get introspectionUrl(): string {
    return String(this.found.metadata.introspection_endpoint);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    this.witness.check();
  }
}
