import type { DiscoveredOptions, DiscoverOptions } from "../server/discover.ts";
import type { McpCredentials, McpOptions } from "./mcp_options.ts";
import { register, type Registration } from "../server/registration.ts";
import { invalid } from "../core/type_error.ts";

/**
 * Returns the options of requests to the authorization server. The headers are
 * not among them: they are secrets of the MCP server, which names the other.
 */
export function requestOptions(
  { fetch, signal, timeout, allowInsecure }: McpOptions,
): DiscoverOptions {
  return { fetch, signal, timeout, allowInsecure };
}

/**
 * Returns the client of the options, or that of a client id metadata document,
 * or registers one.
 */
export async function findCredentials(
  found: DiscoveredOptions,
  options: McpOptions,
): Promise<McpCredentials> {
  const { credentials, clientIdMetadataUrl, clientMetadata = {} } = options;
  const { issuer, metadata } = found;
  if (credentials) return { ...credentials };
  if (
    clientIdMetadataUrl !== undefined &&
    metadata.client_id_metadata_document_supported === true
  ) {
    return { issuer, id: checkDocumentUrl(clientIdMetadataUrl) };
  }
  if (!clientMetadata || metadata.registration_endpoint === undefined) {
    refuse(
      `the client is not registered at "${issuer}", which offers no registration; set credentials`,
    );
  }
  const registration = await register(found, {
    redirect_uris: [options.redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...clientMetadata,
  }, requestOptions(options));
  checkRegistration(registration, options);
  const { clientId: id, clientSecret: secret, authScheme } = registration;
  const isPublic = secret === undefined ||
    registration.metadata.token_endpoint_auth_method === "none";
  return { issuer, id, authScheme, ...!isPublic && { secret } };
}

/**
 * Checks that the client can sign in with what the server registered, which may
 * differ from the request (RFC 7591 section 3.2.1).
 */
function checkRegistration(
  { metadata, clientSecret, authScheme }: Registration,
  { redirectUri, clientMetadata, clientOptions }: McpOptions,
): void {
  const { redirect_uris, token_endpoint_auth_method: method } = metadata;
  const uris = redirect_uris ?? [redirectUri];
  if (!Array.isArray(uris) || !uris.includes(redirectUri)) {
    refuse("the registration has other redirect_uris");
  }
  if ((method ?? "none") === "none") return;
  const asked = clientMetadata && clientMetadata.token_endpoint_auth_method;
  const hasMeans = authScheme === "private_key_jwt"
    ? clientOptions?.assertionKey !== undefined
    : authScheme === "tls_client_auth"
    // A certificate lies in `fetch`, where nobody sees it.
    ? method === asked
    : clientSecret !== undefined;
  if (!hasMeans) refuse(`the client cannot authenticate with "${method}"`);
}

/** Checks the URL of a client id metadata document: https with a path. */
function checkDocumentUrl(text: string): string {
  const url = URL.parse(text);
  const isValid = url?.protocol === "https:" && url.pathname !== "/" &&
    !url.username && !url.password && !text.includes("#") &&
    !/\/\.{1,2}(\/|$)/.test(text);
  if (!isValid) {
    refuse(
      "clientIdMetadataUrl must be https, with a path and without user and fragment",
    );
  }
  return text;
}

/**
 * Refuses an MCP server or the options.
 *
 * @throws {TypeError} Always.
 */
export function refuse(state: string): never {
  throw invalid(`Cannot use the MCP server: ${state}`);
}
