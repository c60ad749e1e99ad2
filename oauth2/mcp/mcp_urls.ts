import type { DiscoveredOptions } from "../server/discover.ts";
import type { McpOptions } from "./mcp_options.ts";
import { refuse } from "./mcp_credentials.ts";

/**
 * Checks an issuer before any request to it. The URL comes from the MCP server:
 * a server on the internet must not lead to plain http on this machine.
 *
 * @throws {TypeError} If the issuer is http and the MCP server is not, or
 * `allowUrl` refuses it.
 */
export async function checkIssuer(
  issuer: string,
  server: string | URL,
  options: McpOptions,
): Promise<void> {
  const isHttp = (url: string | URL) => URL.parse(url)?.protocol === "http:";
  if (isHttp(issuer) && !isHttp(server) && !options.allowInsecure) {
    refuse(`the issuer "${issuer}" must be https, like the server`);
  }
  await checkAllowed("issuer", issuer, options);
}

/**
 * Checks the endpoints of an authorization server before any request to them.
 *
 * @throws {TypeError} If `allowUrl` refuses one.
 */
export async function checkEndpoints(
  { metadata }: DiscoveredOptions,
  options: McpOptions,
): Promise<void> {
  const endpoints = [metadata, Object(metadata.mtls_endpoint_aliases)]
    .flatMap((fields) => Object.entries<unknown>(fields))
    .filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri");
  for (const [name, url] of endpoints) {
    if (typeof url === "string") await checkAllowed(name, url, options);
  }
}

async function checkAllowed(
  name: string,
  text: string,
  { allowUrl }: McpOptions,
): Promise<void> {
  const url = URL.parse(text);
  if (!url) refuse(`${name} must be a URL`);
  if (allowUrl && await allowUrl(url, name) !== true) {
    refuse(`allowUrl refuses the ${name} at "${url.origin}"`);
  }
}
