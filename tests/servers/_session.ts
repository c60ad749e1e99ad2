import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  AccessToken,
  Client,
  type ClientOptions,
  discover,
  type DiscoveredOptions,
  OAuth2Error,
  type OAuth2Response,
  pkce,
  randomState,
} from "../../oauth2/mod.ts";
import { Browser } from "../oauth2/e2e/_browser.ts";
import { Witness } from "../oauth2/e2e/_witness.ts";
import {
  CERTIFIED,
  CONFIDENTIAL,
  type Credentials,
  IMPLICIT,
  REDIRECT_URI,
  USER,
} from "./_clients.ts";
import type { Server } from "./_server.ts";

/** Function of a case. */
export type Case = (session: Session) => Promise<void>;

/** Cases by name. */
export type Cases = Readonly<Record<string, Case>>;

/** Case that passes if the server refuses a call with one of the codes. */
export function refuses(
  call: (session: Session) => Promise<unknown>,
  ...codes: readonly string[]
): Case {
  return (session) => session.assertRefused(() => call(session), ...codes);
}

/** Run of a case on a server: its clients, logins and refusals. */
export class Session {
  /** Witness that finds secrets in logs and results. */
  readonly witness = new Witness();

  private constructor(
    readonly server: Server,
    /** Metadata of the server, as client options. */
    readonly found: DiscoveredOptions,
    /** Private key for client assertions. */
    readonly privateKey: CryptoKey,
  ) {
    this.witness.hide(USER.password);
  }

  /** Discovers the server. */
  static async open(server: Server, privateKey: CryptoKey): Promise<Session> {
    const found = await discover(server.issuer);
    const { endpoints } = server;
    Object.assign(found.metadata, endpoints);
    found.revokeUrl ??= endpoints?.["revocation_endpoint"] ?? null;
    return new Session(server, found, privateKey);
  }

  /** Makes a client; it authenticates by `client_secret_basic`. */
  client({ id, secret }: Credentials, options: ClientOptions = {}): Client {
    if (secret !== undefined) this.witness.hide(secret);
    return this.witness.see(
      new Client(id, secret, {
        ...this.found,
        redirectUri: REDIRECT_URI,
        authScheme: "basic_auth",
        logger: this.witness.logger,
        debug: true,
        fetch: this.witness.fetch,
        ...options,
      }),
    );
  }

  /** Makes a client that authenticates by a certificate. */
  async certifiedClient(which: "fetch" | "otherFetch"): Promise<Client> {
    const { tls } = this.server;
    if (!tls) throw new Error("Cannot use https: the server has none");
    const fetch = tls[which];
    return this.client(CERTIFIED, {
      ...await discover(tls.issuer, { fetch }),
      authScheme: "tls_client_auth",
      fetch: this.witness.over(fetch),
    });
  }

  /** Gets an authorization code with PKCE, or an error and an empty code. */
  async authorize(
    credentials: Credentials,
    { scope = "openid", answers = this.server.answers } = {},
  ) {
    const client = this.client(credentials);
    const { code_verifier, ...challenge } = await pkce();
    const state = randomState();
    const url = client.authCode.authorizeUrl({
      scope,
      state,
      // Keycloak remembers consent.
      prompt: "consent",
      ...challenge,
    });
    const back = await new Browser(answers).authorize(url, REDIRECT_URI);
    const { code = "", error, ...rest } = Object.fromEntries(back.searchParams);
    assertEquals(rest["state"], state);
    this.witness.hide(code);
    return { client, code, error, verifier: this.witness.hide(code_verifier) };
  }

  /** Gets a token by authorization code. */
  async getToken(credentials: Credentials = CONFIDENTIAL) {
    const { client, code, verifier } = await this.authorize(credentials);
    assert(code, "The server returned no code");
    const params = { code_verifier: verifier };
    return this.assertToken(await client.authCode.getToken(code, params));
  }

  /** Gets a token by the implicit grant. */
  async getImplicitToken(answers = this.server.answers): Promise<AccessToken> {
    const client = this.client(IMPLICIT);
    const state = randomState();
    const url = client.implicit.authorizeUrl({
      scope: "openid",
      state,
      prompt: "consent",
    });
    const back = await new Browser(answers).authorize(url, REDIRECT_URI);
    // Django OAuth Toolkit returns errors in the query.
    const response = back.hash || back.search;
    const fields = new URLSearchParams(response.slice(1));
    assertEquals(fields.get("state"), state);
    this.witness.hide(fields.get("access_token") ?? "");
    return this.assertToken(AccessToken.fromKvform(client, response));
  }

  /** Fails unless a token has a value and is not expired. */
  assertToken(token: AccessToken): AccessToken {
    assert(token.token);
    assertEquals(token.expired(), false);
    return this.witness.see(token);
  }

  /** Introspects a token (RFC 7662). */
  async isActive(
    token: string,
    client: Client = this.client(CONFIDENTIAL),
  ): Promise<boolean> {
    const endpoint = this.endpoint("introspection_endpoint");
    const response: OAuth2Response = await client.post(endpoint, { token });
    this.witness.see(response);
    return (response.parsed as { active: boolean }).active;
  }

  /** URL of an endpoint, by its name in the metadata. */
  endpoint(name: string): string {
    const endpoint = this.found.metadata[name];
    if (typeof endpoint === "string") return endpoint;
    throw new Error(`Cannot use the ${name}: the server names none`);
  }

  /** Fails unless the server refuses a call for good, with one of the codes. */
  async assertRefused(
    call: () => Promise<unknown>,
    ...codes: readonly string[]
  ): Promise<void> {
    const error: OAuth2Error = await assertRejects(call, OAuth2Error);
    this.witness.see(error);
    const { code = "", status, retryable } = error;
    assert(codes.includes(code), `Refused with "${code}", not ${codes}`);
    assert(status >= 400 && status < 500, `Refused with status ${status}`);
    assertEquals(retryable, false);
  }
}
