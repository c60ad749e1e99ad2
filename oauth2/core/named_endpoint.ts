import { OAuth2Error, type OAuth2Response } from "./response.ts";
import type { ServerMetadata } from "../server/server_metadata.ts";
import { invalid } from "./type_error.ts";

/** Option of a call to such an endpoint. */
export interface EndpointChoice {
  /**
   * URL of the endpoint.
   *
   * @default {that of the client's metadata}
   */
  endpoint?: string | URL | undefined;
}

/**
 * Returns the URL of an endpoint, from the option or the metadata.
 *
 * @throws {TypeError} If neither names the endpoint.
 */
export function findEndpoint(
  field: string,
  metadata: ServerMetadata | undefined,
  { endpoint }: EndpointChoice,
): string | URL {
  const url = endpoint ?? metadata?.[field];
  if (typeof url === "string" || url instanceof URL) return url;
  throw invalid(
    `Cannot use the ${field}: the metadata of the client has none`,
  );
}

/**
 * Refuses a response that breaks a rule.
 *
 * @throws {OAuth2Error} Always; `state` contains no part of the body.
 */
export function refuseResponse(
  name: string,
  response: OAuth2Response,
  state: string,
): never {
  throw new OAuth2Error(response, {
    message: `Cannot use the ${name}: ${state}`,
    // Descriptions of a malformed response may repeat a secret.
    redact: () => "",
  });
}
