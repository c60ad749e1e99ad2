/**
 * Certified authorization server (`oidc-provider`) in this process: on a loopback
 * port, in memory, with its own pages for login and consent.
 *
 * `lib/provider.js` is the server without the notice about the runtime that
 * `lib/index.js` prints when it is imported. The server prints other notices for
 * defaults, so everything is configured here.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider/lib/provider.js";
import { generateEs256 } from "../_jwt.ts";
import { Adapter, type Records } from "./_adapter.ts";
import { type Oidc, PERSON, showPages } from "./_pages.ts";

/** Default redirect URI. Nothing listens there. */
export const REDIRECT_URI = "http://127.0.0.1/callback";

/** URI after a logout. Nothing listens there. */
export const LOGOUT_URI = "http://127.0.0.1/bye";

/** Registered client. */
export interface Registered {
  readonly id: string;
  readonly secret: string;
}

/** Public client, which uses PKCE. */
export const PUBLIC = { id: "publico" } as const;

/**
 * Client with `client_secret_basic`, and with characters that must be
 * form-encoded (RFC 6749 section 2.3.1). All are ASCII: the server requires
 * `VSCHAR` (appendix A.1 and A.2).
 */
export const BASIC: Registered = {
  id: "basico: 100% + 1",
  secret: "segredo: 100% +1/2 = ? & mais ~ 5c0d",
};

/** Client with `client_secret_post`. */
export const BODY: Registered = {
  id: "corpo: 50% + 1",
  secret: "segredo: 50% +1/2 = ? & menos ~ 9a7b",
};

/** Default client of the example. */
export const EXAMPLE: Registered = {
  id: "demo-client",
  secret: "demo-secret",
};

/** Client with signed userinfo responses. */
export const SIGNED: Registered = {
  id: "assinado",
  secret: "segredo do assinado ~ 77e1",
};

/** Client with `private_key_jwt` and ES256. */
export const JWT = { id: "assinante", kid: "assinante-1" } as const;

/** Options of {@linkcode AuthorizationServer.start}. */
export interface ServerOptions {
  /**
   * Path of the issuer; may be empty.
   *
   * @default {"default"}
   */
  readonly realm?: string;
  /**
   * Enables introspection.
   *
   * @default {true}
   */
  readonly introspection?: boolean;
  /**
   * Redirect URI of every client. Its origin may send requests (CORS).
   *
   * @default {REDIRECT_URI}
   */
  readonly redirectUri?: string;
  /** Seconds between the requests of a device login, by default not said. */
  readonly deviceInterval?: number;
  /**
   * Number of requests to answer with 503 before the server is ready.
   *
   * @default {0}
   */
  readonly unready?: number;
  /** Changes the configuration. */
  readonly configure?: (configuration: Configuration) => object;
}

/** Configuration of `oidc-provider`, as far as tests change it. */
export interface Configuration {
  readonly clients: readonly object[];
  readonly features: object;
  readonly [setting: string]: unknown;
}

/** Authorization server on a free port. */
export class AuthorizationServer implements AsyncDisposable {
  private constructor(
    /** `http://127.0.0.1:PORT`, and the path of the realm. */
    readonly issuer: string,
    /** Private key of the client {@linkcode JWT}. */
    readonly key: CryptoKey,
    private readonly server: Server,
    private readonly records: Records,
    private readonly faults: readonly Error[],
    private readonly replaceKey: (kid: string) => Promise<void>,
  ) {}

  /** Starts a server. */
  static async start(
    {
      realm = "default",
      introspection = true,
      redirectUri = REDIRECT_URI,
      deviceInterval,
      unready = 0,
      configure = (configuration) => configuration,
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

    const client = await generateEs256(true);
    const clientKey = await toJwk(client.publicKey, JWT.kid);
    const cookieKey = crypto.randomUUID();
    const start = async (kid: string) => {
      const own = await generateEs256(true);
      const oidc: Oidc = new Provider(
        issuer,
        configure(configuration({
          mount,
          introspection,
          redirectUri,
          records,
          key: await toJwk(own.privateKey, kid),
          clientKey,
          cookieKey,
        })),
      );
      if (deviceInterval !== undefined) {
        oidc.use(async (ctx, next) => {
          await next();
          if (!ctx.path.endsWith("/device/auth")) return;
          ctx.body = { ...ctx.body as object, interval: deviceInterval };
        });
      }
      oidc.on("server_error", (_, error) => faults.push(error));
      oidc.on("error", (error) => faults.push(error));
      return { oidc, answer: oidc.callback() };
    };
    let { oidc, answer } = await start("server-1");
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
        // Mounted as by Express, which the provider expects.
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
      async (kid) => {
        ({ oidc, answer } = await start(kid));
      },
    );
  }

  /** Replaces the key of the server. Sessions and tokens stay valid. */
  async rotateKey(kid: string): Promise<void> {
    await this.replaceKey(kid);
  }

  /** Number of valid access tokens of users. */
  get tokens(): number {
    return [...this.records.keys()]
      .filter((key) => key.startsWith("AccessToken ")).length;
  }

  /** Expires an access token. */
  expire(token: string): void {
    const record = this.records.get(`AccessToken ${token}`);
    if (!record) throw new Error("Cannot expire the token: it is unknown");
    record.exp = 1;
  }

  /** Stops the server. Rejects with the errors inside it. */
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

async function toJwk(key: CryptoKey, kid: string): Promise<object> {
  const jwk = await crypto.subtle.exportKey("jwk", key);
  const { key_ops: _, ext: __, ...rest } = jwk;
  return { ...rest, kid, alg: "ES256", use: "sig" };
}

const HOUR = 3600;

/** Settings of every provider in the tests. */
export const COMMON_SETTINGS = {
  /**
   * Sends a logout token, also to loopback, which the `dispatcher` refuses, and
   * reads the response, which the provider does not.
   */
  async fetch(
    url: string,
    { dispatcher: _, ...init }: RequestInit & { dispatcher?: unknown },
  ): Promise<Response> {
    const response = await fetch(url, init);
    const text = await response.text();
    return new Response(text === "" ? null : text, response);
  },
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

/** Variables of the configuration. */
interface Setup {
  /** Path of the issuer. */
  readonly mount: string;
  readonly introspection: boolean;
  readonly redirectUri: string;
  readonly records: Records;
  /** Private key of the server. */
  readonly key: object;
  /** Public key of the client {@linkcode JWT}. */
  readonly clientKey: object;
  /** Key of the cookies. */
  readonly cookieKey: string;
}

function configuration(
  { mount, introspection, redirectUri, records, key, clientKey, cookieKey }:
    Setup,
): Configuration {
  const allow = () => true;
  const confidential = {
    grant_types: ["authorization_code", "refresh_token", "client_credentials"],
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [LOGOUT_URI],
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
        application_type: "native", // allows plain http on loopback
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
        client_id: SIGNED.id,
        client_secret: SIGNED.secret,
        token_endpoint_auth_method: "client_secret_basic",
        userinfo_signed_response_alg: "ES256",
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
    cookies: { keys: [cookieKey] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: introspection, allowedPolicy: allow },
      revocation: { enabled: true, allowedPolicy: allow },
      jwtUserinfo: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource(ctx: { body: unknown }, form: string) {
          const button = '<button name="logout" value="yes">Sair</button>';
          ctx.body = form.replace("</form>", `${button}</form>`);
        },
      },
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
    ...COMMON_SETTINGS,
  };
}
