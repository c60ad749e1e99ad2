/**
 * Certified authorization server (`oidc-provider`) with the settings of FAPI
 * 2.0: pushed requests, sender-constrained tokens, DPoP and mutual TLS. It has a
 * second port with TLS, for the aliases of its endpoints (RFC 8705 section 5).
 */
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider/lib/provider.js";
import { Agent, fetch as fetchWithUndici } from "undici";
import type { Fetch } from "../../../oauth2/mod.ts";
import { type Certificate, makeCertificate } from "../../_certificate.ts";
import { generateEs256 } from "../_jwt.ts";
import { Adapter, type Records } from "./_adapter.ts";
import { COMMON_SETTINGS } from "./_authorization_server.ts";
import { type Oidc, PERSON, showPages } from "./_pages.ts";

/** Redirect URI of every client. Nothing listens there. */
export const REDIRECT_URI = "http://127.0.0.1/callback";
/** Resource server whose tokens are JWTs. */
export const API = "https://api.example/";
/** Type of authorization details. */
export const DETAIL_TYPE = "payment_initiation";
/** Client that introspects tokens. */
export const RESOURCE_SERVER = { id: "api", secret: "segredo do api ~ 1b8e" };

/** Clients by authentication and binding of their tokens. */
export const CLIENTS = {
  "private_key_jwt, DPoP": { id: "jwt-dpop", authScheme: "private_key_jwt" },
  "private_key_jwt, mutual TLS": {
    id: "jwt-mtls",
    authScheme: "private_key_jwt",
  },
  "mutual TLS, DPoP": { id: "mtls-dpop", authScheme: "tls_client_auth" },
  "mutual TLS, mutual TLS": { id: "mtls-mtls", authScheme: "tls_client_auth" },
} as const;

/** Options of {@linkcode FapiServer.start}. */
export interface FapiOptions {
  /**
   * Requires a nonce in DPoP proofs.
   *
   * @default {false}
   */
  readonly requireNonce?: boolean;
  /**
   * Requires pushed requests, as FAPI 2.0 does.
   *
   * @default {true}
   */
  readonly requirePushed?: boolean;
}

/** Authorization server on two free ports. */
export class FapiServer implements AsyncDisposable {
  private constructor(
    /** `http://127.0.0.1:PORT`. */
    readonly issuer: string,
    /** Private key of the clients. */
    readonly key: CryptoKey,
    /** Certificate of the clients. */
    readonly certificate: Certificate,
    /** Sends requests with the certificate of the clients. */
    readonly fetch: Fetch,
    private readonly agent: Agent,
    private readonly servers: readonly Server[],
    private readonly faults: readonly Error[],
  ) {}

  /** Starts a server. */
  static async start(
    { requireNonce = false, requirePushed = true }: FapiOptions = {},
  ): Promise<FapiServer> {
    const [own, client, certificate, tls] = await Promise.all([
      generateEs256(true),
      generateEs256(true),
      makeCertificate("client"),
      makeCertificate("localhost"),
    ]);
    const servers = [
      createServer(),
      createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: false }),
    ] as const;
    const [port, tlsPort] = await Promise.all(servers.map(listen));
    const issuer = `http://127.0.0.1:${port}`;
    const faults: Error[] = [];
    const oidc: Oidc = new Provider(
      issuer,
      configuration({
        tlsUrl: `https://localhost:${tlsPort}`,
        key: await toJwk(own.privateKey, "server-1"),
        clientKeys: [
          await toJwk(client.publicKey, "client-1"),
          await toCertificateJwk(certificate),
        ],
        requireNonce,
        requirePushed,
      }),
    );
    oidc.on("server_error", (_, error) => faults.push(error));
    oidc.on("error", (error) => faults.push(error));
    const answer = oidc.callback();
    for (const server of servers) {
      server.on("request", (request: IncomingMessage, response) => {
        if (!request.url?.startsWith("/interaction/")) {
          return answer(request, response as ServerResponse);
        }
        showPages(oidc, request, response).catch((error) => {
          faults.push(error);
          response.writeHead(500).end();
        });
      });
    }
    // Without timers, which would outlive the test.
    const agent = new Agent({
      connect: { ca: tls.cert, ...certificate, timeout: 0 },
      pipelining: 0,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const fetch = (url: string, init: RequestInit) =>
      fetchWithUndici(url, { ...init, dispatcher: agent } as object);
    return new FapiServer(
      issuer,
      client.privateKey,
      certificate,
      fetch as unknown as Fetch,
      agent,
      servers,
      faults,
    );
  }

  /** Stops the server. Rejects with the errors inside it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.close();
    await Promise.all(this.servers.map((server) => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      return closed;
    }));
    if (this.faults.length > 0) {
      throw new AggregateError(this.faults, "The authorization server failed");
    }
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function toJwk(key: CryptoKey, kid: string): Promise<object> {
  const jwk = await crypto.subtle.exportKey("jwk", key);
  const { key_ops: _, ext: __, ...rest } = jwk;
  return { ...rest, kid, alg: "ES256", use: "sig" };
}

/** Returns the public key of a certificate with the certificate (`x5c`). */
async function toCertificateJwk({ cert }: Certificate): Promise<object> {
  const { X509Certificate } = await import("node:crypto");
  const parsed = new X509Certificate(cert);
  return {
    ...parsed.publicKey.export({ format: "jwk" }),
    kid: "certificate-1",
    x5c: [parsed.raw.toString("base64")],
  };
}

/** Variables of the configuration. */
interface Setup extends Required<FapiOptions> {
  readonly tlsUrl: string;
  readonly key: object;
  readonly clientKeys: readonly object[];
}

/** Context of a request, as far as it is used. */
interface Context {
  readonly req: { readonly socket: object };
  readonly oidc: {
    readonly provider: { readonly Grant: new (of: object) => Grant };
    readonly session: { readonly accountId: string };
    readonly client: { readonly clientId: string };
    readonly params: { readonly authorization_details?: string };
  };
}

interface Grant {
  addOIDCScope(scope: string): void;
  addResourceScope(resource: string, scope: string): void;
  addRar(detail: object): void;
  save(): Promise<string>;
}

function configuration(setup: Setup): object {
  const { tlsUrl, key, clientKeys, requireNonce, requirePushed } = setup;
  const records: Records = new Map();
  const register = ({ id, authScheme }: { id: string; authScheme: string }) => {
    const isJwt = authScheme === "private_key_jwt";
    return {
      client_id: id,
      token_endpoint_auth_method: isJwt
        ? authScheme
        : "self_signed_tls_client_auth",
      ...isJwt && { token_endpoint_auth_signing_alg: "ES256" },
      jwks: { keys: clientKeys },
      grant_types: [
        "authorization_code",
        "refresh_token",
        "client_credentials",
      ],
      redirect_uris: [REDIRECT_URI],
      application_type: "native", // allows plain http on loopback
      ...id.endsWith("dpop")
        ? { dpop_bound_access_tokens: true }
        : { tls_client_certificate_bound_access_tokens: true },
      request_object_signing_alg: "ES256",
      authorization_signed_response_alg: "ES256",
      authorization_details_types: [DETAIL_TYPE],
    };
  };
  const allow = () => true;
  return {
    adapter: (model: string) => new Adapter(model, records),
    claims: { openid: ["sub"] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    clients: [
      ...Object.values(CLIENTS).map(register),
      {
        client_id: RESOURCE_SERVER.id,
        client_secret: RESOURCE_SERVER.secret,
        token_endpoint_auth_method: "client_secret_basic",
        authorization_signed_response_alg: "ES256",
        grant_types: [],
        response_types: [],
        redirect_uris: [],
      },
    ],
    clientAuthMethods: [
      "client_secret_basic",
      "private_key_jwt",
      "self_signed_tls_client_auth",
    ],
    cookies: { keys: [crypto.randomUUID()] },
    discovery: {
      mtls_endpoint_aliases: {
        token_endpoint: `${tlsUrl}/token`,
        pushed_authorization_request_endpoint: `${tlsUrl}/request`,
        userinfo_endpoint: `${tlsUrl}/me`,
      },
    },
    enabledJWA: {
      authorizationSigningAlgValues: ["ES256"],
      requestObjectSigningAlgValues: ["ES256"],
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      dPoP: {
        enabled: true,
        nonceSecret: randomBytes(32),
        requireNonce: () => requireNonce,
      },
      fapi: { enabled: true, profile: "2.0" },
      introspection: { enabled: true, allowedPolicy: allow },
      jwtResponseModes: { enabled: true },
      mTLS: {
        enabled: true,
        certificateBoundAccessTokens: true,
        selfSignedTlsClientAuth: true,
        getCertificate,
      },
      pushedAuthorizationRequests: {
        enabled: true,
        requirePushedAuthorizationRequests: requirePushed,
      },
      requestObjects: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: "notes",
          audience: resource,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "ES256" } },
        }),
      },
      richAuthorizationRequests: {
        enabled: true,
        types: { [DETAIL_TYPE]: { validate() {} } },
        authorizationDetailsForGrantSource: ({ oidc }: Context) =>
          readDetails(oidc),
        authorizationDetailsForAccessToken: (
          _: unknown,
          __: unknown,
          source?: { readonly rar?: object[] },
        ) => source?.rar,
        authorizationDetailsForIntrospection: (
          _: unknown,
          { rar }: { readonly rar?: object[] },
        ) => rar,
      },
      revocation: { enabled: true, allowedPolicy: allow },
      rpInitiatedLogout: { enabled: false },
    },
    findAccount: (_: unknown, id: string) =>
      id === PERSON.login
        ? { accountId: id, claims: () => ({ sub: id }) }
        : undefined,
    interactions: {
      url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}`,
    },
    issueRefreshToken: allow,
    jwks: { keys: [key] },
    async loadExistingGrant({ oidc }: Context) {
      const grant = new oidc.provider.Grant({
        accountId: oidc.session.accountId,
        clientId: oidc.client.clientId,
      });
      grant.addOIDCScope("openid");
      grant.addResourceScope(API, "notes");
      for (const detail of readDetails(oidc)) grant.addRar(detail);
      await grant.save();
      return grant;
    },
    pkce: { required: allow },
    ...COMMON_SETTINGS,
  };
}

function readDetails({ params }: Context["oidc"]): object[] {
  return JSON.parse(params.authorization_details ?? "[]");
}

/** Returns the certificate of a connection as PEM. */
function getCertificate({ req }: Context): string | undefined {
  const socket = req.socket as {
    getPeerCertificate?: () => { raw?: Uint8Array };
  };
  const { raw } = socket.getPeerCertificate?.() ?? {};
  return raw &&
    `-----BEGIN CERTIFICATE-----\n${
      btoa(String.fromCharCode(...raw))
    }\n-----END CERTIFICATE-----`;
}
