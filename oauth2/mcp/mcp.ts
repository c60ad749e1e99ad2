/**
 * Authorization for clients of the Model Context Protocol (MCP).
 *
 * @module
 */
import type { AuthorizationParams, CallParams } from "../core/call_params.ts";
import { Client } from "../core/client.ts";
import { discover } from "../server/discover.ts";
import { Inspectable } from "../core/inspectable.ts";
import { findCredentials, refuse, requestOptions } from "./mcp_credentials.ts";
import {
  MCP_OPTIONS,
  type McpCredentials,
  type McpOptions,
} from "./mcp_options.ts";
import { findScope, textsOf } from "./mcp_scope.ts";
import { checkEndpoints, checkIssuer } from "./mcp_urls.ts";
import { checkNames } from "../core/names.ts";
import {
  discoverResource,
  type ResourceMetadata,
} from "../verify/protected_resource.ts";
import type { Flow, FlowData, StartedFlow } from "../sign_in/flow.ts";
import type { AuthorizationResponse } from "../sign_in/response_params.ts";
import { SignIn } from "../sign_in/sign_in.ts";
import type { AccessToken } from "../core/token.ts";

export type { McpCredentials, McpOptions } from "./mcp_options.ts";
export type { ResourceMetadata } from "../verify/protected_resource.ts";

/** Content of an {@linkcode McpConnection}. */
interface Connection {
  readonly resource: ResourceMetadata;
  readonly credentials: McpCredentials;
  readonly client: Client;
  readonly signIn: SignIn;
  readonly scope: string | undefined;
}

/**
 * MCP server with its authorization server and a client. Printing it shows no
 * secret.
 */
export class McpConnection extends Inspectable {
  #connection: Connection;

  /** Creates a connection; see {@linkcode connectMcp}. */
  constructor(connection: Connection) {
    super();
    this.#connection = connection;
  }

  /** Metadata of the MCP server. */
  get resource(): ResourceMetadata {
    return this.#connection.resource;
  }

  /** Issuer of the authorization server. */
  get issuer(): string {
    return this.#connection.credentials.issuer;
  }

  /**
   * Client. Its tokens are sent to the origin of the MCP server only.
   */
  get client(): Client {
    return this.#connection.client;
  }

  /** Registered client, for the next connection: store it in a safe place. */
  get credentials(): McpCredentials {
    return this.#connection.credentials;
  }

  /**
   * Starts a sign-in for the MCP server: redirect the user to the `url` of the
   * flow, and keep the flow for {@linkcode McpConnection.callback}. The default
   * `scope` comes from the challenge or the metadata.
   *
   * @throws {TypeError} If a parameter is misspelled or invalid.
   */
  async start(params: AuthorizationParams = {}): Promise<StartedFlow> {
    const { signIn, scope, resource } = this.#connection;
    return await signIn.start({
      ...scope !== undefined && { scope },
      ...params,
      resource: resource.resource,
    });
  }

  /**
   * Completes a sign-in and returns the token. To refresh it, call
   * `token.refresh({ resource })` with the `resource` of the metadata.
   *
   * @throws {ValidationError} If the response or the flow breaks a rule.
   * @throws {OAuth2Error} If the server or the user refuses.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async callback(
    response: AuthorizationResponse,
    flow: Flow | FlowData | null | undefined,
    params: CallParams = {},
  ): Promise<AccessToken> {
    const { signIn, resource } = this.#connection;
    const { token } = await signIn.callback(response, flow, {
      ...params,
      resource: resource.resource,
    });
    return token;
  }

  /** Returns resource, issuer and client id, without the secret. */
  override toJSON(): Record<string, unknown> {
    const { resource, credentials: { issuer, id } } = this.#connection;
    return { resource: resource.resource, issuer, id };
  }
}

/**
 * Finds the authorization server of an MCP server and a client for it:
 * protected resource metadata (RFC 9728), server metadata (RFC 8414, then OpenID
 * Connect Discovery), then `credentials`, a client id metadata document or
 * dynamic registration (RFC 7591). The sign-in uses PKCE, `resource` (RFC 8707)
 * and the issuer (RFC 9207).
 *
 * @throws {TypeError} If a URL is invalid or insecure, the credentials are
 * those of another issuer, the issuer is http and the server is not,
 * `allowUrl` refuses a URL, the server does not support PKCE with S256, or the
 * client cannot be registered.
 * @throws {OAuth2Error} If there is no valid metadata, or the registration is
 * refused.
 * @throws {ConnectionError} If no complete response arrives.
 *
 * @example
 * ```ts
 * import { connectMcp } from "@carteiro/oauth2/mcp";
 *
 * const issuer = "https://provider.example";
 * const documents: Record<string, unknown> = {
 *   "https://mcp.example/.well-known/oauth-protected-resource/mcp": {
 *     resource: "https://mcp.example/mcp",
 *     authorization_servers: [issuer],
 *     scopes_supported: ["notes"],
 *   },
 *   [`${issuer}/.well-known/oauth-authorization-server`]: {
 *     issuer,
 *     authorization_endpoint: `${issuer}/authorize`,
 *     token_endpoint: `${issuer}/token`,
 *     registration_endpoint: `${issuer}/register`,
 *     code_challenge_methods_supported: ["S256"],
 *   },
 *   [`${issuer}/register`]: { client_id: "abc" },
 * };
 * const connection = await connectMcp("https://mcp.example/mcp", {
 *   redirectUri: "http://127.0.0.1:8976/callback",
 *   fetch: (url) => Promise.resolve(Response.json(documents[url])),
 * });
 * const { url } = await connection.start();
 * const { searchParams } = new URL(url);
 * console.assert(searchParams.get("resource") === "https://mcp.example/mcp");
 * console.assert(searchParams.get("scope") === "notes");
 * ```
 */
export async function connectMcp(
  server: string | URL,
  options: McpOptions,
): Promise<McpConnection> {
  checkNames(options, MCP_OPTIONS);
  const { redirectUri, challenge, signInOptions } = options;
  const request = requestOptions(options);
  const resource = await discoverResource(server, {
    ...request,
    headers: options.headers,
    challenge,
    // MCP servers name their origin, or a path above their endpoint. A
    // challenge must name the document of that path.
    allowParent: true,
  });
  const issuer = chooseIssuer(resource, options);
  await checkIssuer(issuer, server, options);
  const found = await discover(issuer, { ...request, oauthFirst: true });
  await checkEndpoints(found, options);
  const { metadata } = found;
  if (!textsOf(metadata.code_challenge_methods_supported)?.includes("S256")) {
    refuse(`the authorization server "${found.issuer}" does not support S256`);
  }
  if (found.authorizeUrl === null) {
    refuse(`the authorization server "${found.issuer}" has no login`);
  }
  const scope = findScope(challenge, resource);
  const credentials = await findCredentials(found, options);
  const { id, secret = null, authScheme = "basic_auth" } = credentials;
  const client = new Client(id, secret, {
    ...found,
    redirectUri,
    ...options.fetch && { fetch: options.fetch },
    ...options.clientOptions,
    authScheme,
    allowedOrigins: [new URL(server).origin],
  });
  return new McpConnection({
    resource,
    credentials,
    client,
    signIn: new SignIn(client, signInOptions),
    scope,
  });
}

/** Chooses an authorization server, that of the credentials if possible. */
function chooseIssuer(
  { authorization_servers: issuers = [] }: ResourceMetadata,
  { credentials, chooseIssuer }: McpOptions,
): string {
  const issuer = chooseIssuer
    ? chooseIssuer(issuers)
    : issuers.find((issuer) => issuer === credentials?.issuer) ?? issuers[0];
  if (issuer === undefined || !issuers.includes(issuer)) {
    refuse("the metadata of the resource names no such authorization server");
  }
  if (credentials && credentials.issuer !== issuer) {
    refuse(
      `the credentials belong to "${credentials.issuer}", not "${issuer}"`,
    );
  }
  return issuer;
}
