import type { Client } from "../core/client.ts";
import { invalid } from "../core/type_error.ts";
import { readOrigins } from "../core/url.ts";
import { TokenManagerError } from "./manager_error.ts";

/** Server, client and APIs of a token. */
export interface Binding {
  /** URL of the token endpoint. */
  readonly token_endpoint: string;
  /** Client id, or "". */
  readonly client_id: string;
  /** Origins to which the token may be sent. */
  readonly origins: readonly string[];
}

/** Returns the binding of the tokens of a client. */
export function bindingOf(
  client: Client,
  origins: readonly string[],
): Binding {
  return {
    token_endpoint: client.tokenUrl(),
    client_id: client.id ?? "",
    origins,
  };
}

/**
 * Checks that two bindings have the same server and client.
 *
 * @throws {TokenManagerError} If they have not.
 */
export function checkBinding(found: Binding, own: Binding): void {
  if (
    found.token_endpoint === own.token_endpoint &&
    found.client_id === own.client_id
  ) return;
  // The query of an endpoint may have a key.
  const describe = ({ client_id, token_endpoint }: Binding) =>
    `the client "${client_id}" at "${token_endpoint.split("?")[0]}"`;
  throw new TokenManagerError(
    `Cannot use the token: it belongs to ${describe(found)}, not to ${
      describe(own)
    }`,
    { code: "foreign_token", kind: "policy" },
  );
}

/**
 * Returns the origins to which tokens may be sent: those given, otherwise that
 * of the site.
 *
 * @throws {TypeError} If no origin is known, or one is invalid.
 */
export function originsOf(
  origins: readonly string[] | undefined,
  site: string | undefined,
): string[] {
  const given = origins ?? (site === undefined ? [] : [site]);
  if (given.length === 0) {
    throw invalid(
      "Cannot use the client: it has no site, and allowedOrigins is empty",
    );
  }
  return readOrigins(given);
}
