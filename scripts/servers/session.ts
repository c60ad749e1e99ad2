/** Calls that the cases share: clients of one server, logins, refusals. */
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
import { Browser } from "../../tests/oauth2/e2e/browser.ts";
import { Witness } from "../../tests/oauth2/e2e/witness.ts";
import type { Certificate } from "../certificate.ts";
import {
  CERTIFIED,
  CONFIDENTIAL,
  type Credentials,
  IMPLICIT,
  PERSON,
  REDIRECT_URI,
} from "./registered.ts";
import type { Server } from "./server.ts";

/** Keys for client authentication. */
export interface Keys {
  /** Private key of the client with `private_key_jwt`. */
  readonly privateKey: CryptoKey;
  /** Certificate of the client with `tls_client_auth`. */
  readonly certificate: Certificate;
  /** A certificate that the server trusts and that names no client. */
  readonly otherCertificate: Certificate;
}

/** Options of an authorization request. */
export interface AuthorizeOptions {
  /** @default "openid" */
  readonly scope?: string;
  /**
   * Values for the fields of the pages, by name.
   *
   * @default those with which the person logs in and allows
   */
  readonly answers?: Readonly<Record<string, string>>;
}

/** The end of an authorization request. */
export interface Authorized {
  /** The redirect back to the client. */
  readonly back: URL;
  /** The authorization code; empty if it was refused. */
  readonly code: string;
  /** The code verifier. */
  readonly verifier: string;
}

/** One case on one server. */
export class Session {
  /** Finds secrets in whatever is logged and given back. */
  readonly witness = new Witness();
  /** URLs of all requests of the clients. */
  readonly requests: string[] = [];

  private constructor(
    /** The server. */
    readonly server: Server,
    /** Its metadata, as options of a client. */
    readonly found: DiscoveredOptions,
    /** Keys of clients. */
    readonly keys: Keys,
  ) {
    this.witness.hide(PERSON.password);
  }

  /** Opens a session, by discovery of the server. */
  static async open(server: Server, keys: Keys): Promise<Session> {
    const found = await discover(server.issuer);
    return new Session(server, complete(found, server), keys);
  }

  /** A client of the server. */
  client({ id, secret }: Credentials, options: ClientOptions = {}): Client {
    if (secret !== undefined) this.witness.hide(secret);
    const { fetch = this.witness.fetch } = options;
    return this.witness.see(
      new Client(id, secret, {
        ...this.found,
        redirectUri: REDIRECT_URI,
        authScheme: "basic_auth",
        logger: this.witness.logger,
        debug: true,
        ...options,
        fetch: (url, init) => {
          this.requests.push(url);
          return fetch(url, init);
        },
      }),
    );
  }

  /** Calls with a client that presents a certificate, over https. */
  async withCertified<T>(
    certificate: Certificate,
    use: (client: Client) => Promise<T>,
  ): Promise<T> {
    const { tls } = this.server;
    if (!tls) throw new Error("Cannot use https: the server has none");
    using connect = tls.connect(certificate);
    const found = await discover(tls.issuer, { fetch: connect });
    return await use(this.client(CERTIFIED, {
      ...found,
      authScheme: "tls_client_auth",
      fetch: this.witness.over(connect),
    }));
  }

  /** Sends the person through the pages of the server, with PKCE. */
  async authorize(
    client: Client,
    { scope = "openid", answers = this.server.answers }: AuthorizeOptions = {},
  ): Promise<Authorized> {
    const { challenge, method, verifier } = await pkce();
    const state = randomState();
    const url = client.authCode.authorizeUrl({
      scope,
      state,
      // Keycloak remembers what has been allowed.
      prompt: "consent",
      code_challenge: challenge,
      code_challenge_method: method,
    });
    const back = await new Browser(answers).authorize(url, REDIRECT_URI);
    assertEquals(back.searchParams.get("state"), state);
    const code = back.searchParams.get("code") ?? "";
    return {
      back,
      code: this.witness.hide(code),
      verifier: this.witness.hide(verifier),
    };
  }

  /** A token by authorization code. */
  async getToken(client: Client): Promise<AccessToken> {
    const { code, verifier } = await this.authorize(client);
    assert(code, "The server gave no code");
    const token = await client.authCode.getToken(code, {
      code_verifier: verifier,
    });
    return this.witness.see(token);
  }

  /** A token by the implicit grant. */
  async getImplicitToken(
    { scope = "openid", answers = this.server.answers }: AuthorizeOptions = {},
  ): Promise<AccessToken> {
    const client = this.client(IMPLICIT);
    const state = randomState();
    const url = client.implicit.authorizeUrl({
      scope,
      state,
      prompt: "consent",
    });
    const back = await new Browser(answers).authorize(url, REDIRECT_URI);
    // Django OAuth Toolkit puts an error into the query.
    const answer = back.hash || back.search;
    const fields = new URLSearchParams(answer.slice(1));
    assertEquals(fields.get("state"), state);
    this.witness.hide(fields.get("access_token") ?? "");
    return this.witness.see(AccessToken.fromKvform(client, answer));
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
    assert(
      codes.includes(error.code ?? ""),
      `It is refused with ${error.status} ${error.code}, not with ${codes}`,
    );
    assert(error.status >= 400 && error.status < 500, `${error.status}`);
    assertEquals(error.retryable, false);
  }
}

/** Adds the endpoints that the document of a server leaves out. */
function complete(
  found: DiscoveredOptions,
  { endpoints }: Server,
): DiscoveredOptions {
  if (endpoints === undefined) return found;
  const metadata = { ...found.metadata, ...endpoints };
  const { revocation_endpoint } = metadata;
  return {
    ...found,
    ...(revocation_endpoint && { revokeUrl: revocation_endpoint }),
    metadata,
  };
}
