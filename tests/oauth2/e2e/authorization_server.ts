/**
 * A certified authorization server (`oidc-provider`) in this process: on a
 * loopback port, in memory, with pages of its own for login and consent.
 *
 * `lib/provider.js` is the server without the notice about the runtime that
 * `lib/index.js` prints when it is imported. Each of the other notices tells of
 * a default; whatever is used here is configured, hence nothing is printed.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider/lib/provider.js";
import { Adapter, type Records } from "./adapter.ts";
import { type Oidc, PERSON, showPages } from "./pages.ts";

/** Where clients wait for a code unless told otherwise; nobody listens there. */
export const REDIRECT_URI = "http://127.0.0.1/callback";

/** What a test has to know of a registered client. */
export interface Registered {
  readonly id: string;
  readonly secret: string;
}

/** No secret; PKCE proves who asks for the token. */
export const PUBLIC = { id: "publico" } as const;

/**
 * `client_secret_basic`, with everything that Basic gets wrong unless it is
 * form-encoded first (RFC 6749 2.3.1). Nothing beyond ASCII: identifiers and
 * secrets are `VSCHAR` (appendix A.1 and A.2), and this server insists on it.
 */
export const BASIC: Registered = {
  id: "basico: 100% + 1",
  secret: "segredo: 100% +1/2 = ? & mais ~ 5c0d",
};

/** `client_secret_post`. */
export const BODY: Registered = {
  id: "corpo: 50% + 1",
  secret: "segredo: 50% +1/2 = ? & menos ~ 9a7b",
};

/** What the example of the library takes when nothing else is said. */
export const EXAMPLE: Registered = {
  id: "demo-client",
  secret: "demo-secret",
};

/** `private_key_jwt` with ES256. */
export const JWT = { id: "assinante", kid: "assinante-1" } as const;

/** Options of {@linkcode AuthorizationServer.start}. */
export interface ServerOptions {
  /**
   * Path of the issuer; it may be empty.
   *
   * @default "default"
   */
  readonly realm?: string;
  /**
   * Offer introspection.
   *
   * @default true
   */
  readonly introspection?: boolean;
  /**
   * Where every client waits for a code. It may be a page in a browser: what
   * comes from its origin is answered (CORS).
   *
   * @default REDIRECT_URI
   */
  readonly redirectUri?: string;
  /**
   * How many requests are answered with 503 before the first real one.
   *
   * @default 0
   */
  readonly unready?: number;
}

/** The server, on a free port. */
export class AuthorizationServer implements AsyncDisposable {
  private constructor(
    /** `http://127.0.0.1:PORT`, and the path of the realm. */
    readonly issuer: string,
    /** The private key of the client {@linkcode JWT}. */
    readonly key: CryptoKey,
    private readonly server: Server,
    private readonly records: Records,
    private readonly faults: readonly Error[],
  ) {}

  static async start(
    {
      realm = "default",
      introspection = true,
      redirectUri = REDIRECT_URI,
      unready = 0,
    }: ServerOptions = {},
  ): Promise<AuthorizationServer> {
    const server = createServer();
    await new Promise<void>((resolve) =>
      server.listen(0, "127.0.0.1", resolve)
    );
    const { port } = server.address() as AddressInfo;
    const mount = realm === "" ? "" : `/${realm}`;
    const issuer = `http://127.0.0.1:${port}${mount}`;
    const records: Records = new Map();
    const faults: Error[] = [];

    const [own, client] = await Promise.all([newKeys(), newKeys()]);
    const oidc: Oidc = new Provider(
      issuer,
      configuration({
        mount,
        introspection,
        redirectUri,
        records,
        key: await toJwk(own.privateKey, "server-1"),
        clientKey: await toJwk(client.publicKey, JWT.kid),
      }),
    );
    oidc.on("server_error", (_, error) => faults.push(error));
    oidc.on("error", (error) => faults.push(error));
    const answer = oidc.callback();
    server.on("request", (request: IncomingMessage, response) => {
      const url = request.url ?? "";
      if (unready-- > 0) {
        response.writeHead(503).end();
      } else if (!url.startsWith(`${mount}/`)) {
        response.writeHead(404).end();
      } else if (url.startsWith(`${mount}/interaction/`)) {
        showPages(oidc, request, response).catch((error) => {
          faults.push(error);
          response.writeHead(500).end();
        });
      } else {
        // The way Express mounts a handler, which is what the provider expects.
        Object.assign(request, {
          originalUrl: url,
          url: url.slice(mount.length),
        });
        answer(request, response);
      }
    });
    return new AuthorizationServer(
      issuer,
      client.privateKey,
      server,
      records,
      faults,
    );
  }

  /** How many access tokens are good that persons allowed. */
  get tokens(): number {
    return [...this.records.keys()]
      .filter((key) => key.startsWith("AccessToken ")).length;
  }

  /** Lets an access token grow old at once. */
  expire(token: string): void {
    const record = this.records.get(`AccessToken ${token}`);
    if (!record) throw new Error("Cannot expire the token: it is not known");
    record.exp = 1;
  }

  /** Ends the server; what went wrong inside it meanwhile is thrown here. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
    if (this.faults.length > 0) {
      throw new AggregateError(this.faults, "The authorization server failed");
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function newKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign", "verify"],
  );
}

async function toJwk(key: CryptoKey, kid: string): Promise<object> {
  const jwk = await crypto.subtle.exportKey("jwk", key);
  const { key_ops: _, ext: __, ...rest } = jwk;
  return { ...rest, kid, alg: "ES256", use: "sig" };
}

const HOUR = 3600;

/** What the server is configured with. */
interface Setup {
  /** Path of the issuer. */
  readonly mount: string;
  readonly introspection: boolean;
  readonly redirectUri: string;
  readonly records: Records;
  /** The private key of the server. */
  readonly key: object;
  /** The public key of the client {@linkcode JWT}. */
  readonly clientKey: object;
}

function configuration(
  { mount, introspection, redirectUri, records, key, clientKey }: Setup,
): object {
  const allow = () => true;
  const confidential = {
    grant_types: ["authorization_code", "refresh_token", "client_credentials"],
    redirect_uris: [redirectUri],
  };
  const machine = {
    grant_types: ["client_credentials"],
    response_types: [],
    redirect_uris: [],
  };
  return {
    adapter: (model: string) => new Adapter(model, records),
    claims: { openid: ["sub"], profile: ["name"], email: ["email"] },
    clientBasedCORS: (_: unknown, origin: string) =>
      origin === new URL(redirectUri).origin,
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    clients: [
      {
        client_id: PUBLIC.id,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        redirect_uris: [redirectUri],
        application_type: "native", // plain http, which is for loopback
      },
      {
        client_id: BASIC.id,
        client_secret: BASIC.secret,
        token_endpoint_auth_method: "client_secret_basic",
        ...confidential,
      },
      {
        client_id: BODY.id,
        client_secret: BODY.secret,
        token_endpoint_auth_method: "client_secret_post",
        ...confidential,
      },
      {
        client_id: EXAMPLE.id,
        client_secret: EXAMPLE.secret,
        token_endpoint_auth_method: "client_secret_basic",
        ...machine,
      },
      {
        client_id: JWT.id,
        jwks: { keys: [clientKey] },
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_signing_alg: "ES256",
        ...machine,
      },
    ],
    cookies: { keys: [crypto.randomUUID()] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: introspection, allowedPolicy: allow },
      revocation: { enabled: true, allowedPolicy: allow },
      rpInitiatedLogout: { enabled: false },
    },
    findAccount: (_: unknown, id: string) =>
      id === PERSON.login
        ? { accountId: id, claims: () => PERSON.claims }
        : undefined,
    interactions: {
      url: (_: unknown, { uid }: { uid: string }) =>
        `${mount}/interaction/${uid}`,
    },
    jwks: { keys: [key] },
    pkce: { required: () => true },
    renderError(ctx: { body: unknown }, out: object) {
      ctx.body = JSON.stringify(out);
    },
    rotateRefreshToken: true,
    ttl: {
      AccessToken: HOUR,
      ClientCredentials: HOUR,
      Grant: HOUR,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: HOUR,
      Session: HOUR,
    },
  };
}
