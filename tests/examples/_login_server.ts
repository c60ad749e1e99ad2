/**
 * A certified authorization server for a page of another origin: what
 * `tests/oauth2/e2e` has, with one public client and CORS for that page.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider/lib/provider.js";
import { Adapter, type Records } from "../oauth2/e2e/adapter.ts";
import { type Oidc, PERSON, showPages } from "../oauth2/e2e/pages.ts";

/** How the server knows the page. */
export const CLIENT_ID = "pagina";

/** Where the pages for login and consent are. */
const INTERACTION = "/interaction/";
const HOUR = 3600;

/** The server, on a free port of loopback. */
export class LoginServer implements AsyncDisposable {
  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    private readonly records: Records,
    private readonly faults: readonly Error[],
  ) {}

  /** Starts it for the page at an address. */
  static async start(page: URL): Promise<LoginServer> {
    const server = createServer();
    await new Promise<void>((resolve) =>
      server.listen(0, "127.0.0.1", resolve)
    );
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    const records: Records = new Map();
    const faults: Error[] = [];
    const oidc: Oidc = new Provider(
      issuer,
      configuration(page, records, await newKey()),
    );
    oidc.on("server_error", (_, error) => faults.push(error));
    oidc.on("error", (error) => faults.push(error));
    const answer = oidc.callback();
    server.on("request", (request: IncomingMessage, response) => {
      if (!request.url?.startsWith(INTERACTION)) {
        answer(request, response);
        return;
      }
      showPages(oidc, request, response).catch((error) => {
        faults.push(error);
        response.writeHead(500).end();
      });
    });
    return new LoginServer(issuer, server, records, faults);
  }

  /** How many access tokens are good. */
  get tokens(): number {
    return [...this.records.keys()]
      .filter((key) => key.startsWith("AccessToken ")).length;
  }

  /** Ends the server; what went wrong inside it meanwhile is thrown here. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
    if (this.faults.length > 0) {
      throw new AggregateError(this.faults, "The authorization server failed");
    }
  }
}

async function newKey(): Promise<object> {
  const { privateKey } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign", "verify"],
  );
  const { key_ops: _, ext: __, ...jwk } = await crypto.subtle.exportKey(
    "jwk",
    privateKey,
  );
  return { ...jwk, kid: "server-1", alg: "ES256", use: "sig" };
}

/** Each default that the server would speak of is spelled out. */
function configuration(page: URL, records: Records, key: object): object {
  return {
    adapter: (model: string) => new Adapter(model, records),
    claims: { openid: ["sub"], profile: ["name"], email: ["email"] },
    clientBasedCORS: (_: unknown, origin: string) => origin === page.origin,
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    clients: [{
      client_id: CLIENT_ID,
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code"],
      redirect_uris: [page.href],
      application_type: "native", // plain http, which is for loopback
    }],
    cookies: { keys: [crypto.randomUUID()] },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: () => true },
      rpInitiatedLogout: { enabled: false },
    },
    findAccount: (_: unknown, id: string) =>
      id === PERSON.login
        ? { accountId: id, claims: () => PERSON.claims }
        : undefined,
    interactions: {
      url: (_: unknown, { uid }: { uid: string }) => `${INTERACTION}${uid}`,
    },
    jwks: { keys: [key] },
    pkce: { required: () => true },
    renderError(ctx: { body: unknown }, out: object) {
      ctx.body = JSON.stringify(out);
    },
    ttl: {
      AccessToken: HOUR,
      Grant: HOUR,
      IdToken: HOUR,
      Interaction: HOUR,
      Session: HOUR,
    },
  };
}
