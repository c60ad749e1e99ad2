import { checkSpelling, knownNames } from "../core/names.ts";
import { addParams } from "../core/params.ts";
import type { ServerMetadata } from "../server/server_metadata.ts";
import { checkSecure, resolveUrl } from "../core/url.ts";
import { invalid } from "../core/type_error.ts";

/** Parameters of a logout request, spelled as on the wire. */
export interface EndSessionParams {
  /** ID token of the session, which the user may have to see in the URL. */
  id_token_hint?: string | undefined;
  /** Registered URL to which the user returns. */
  post_logout_redirect_uri?: string | undefined;
  /** Value that the server returns to `post_logout_redirect_uri`. */
  state?: string | undefined;
  /** User to sign out, e.g. the `sid` of the ID token. */
  logout_hint?: string | undefined;
  /**
   * Client id.
   *
   * @default {id of the client}
   */
  client_id?: string | undefined;
  /** Preferred languages of the pages, separated by spaces. */
  ui_locales?: string | undefined;
  /** Another parameter. */
  readonly [param: string]: unknown;
}

const PARAMS = knownNames([
  "id_token_hint",
  "post_logout_redirect_uri",
  "state",
  "logout_hint",
  "client_id",
  "ui_locales",
]);

/** Parts of a client that a logout uses; a `Client` has them. */
export interface EndSessionClient {
  /** Client id. */
  readonly id: string | undefined;
  /** Issuer of the server. */
  readonly issuer: string | undefined;
  /** Metadata of the server. */
  readonly metadata: ServerMetadata | undefined;
}

/**
 * Builds the URL that ends the session of the user at the server.
 *
 * @throws {TypeError} If the metadata of the client has no
 * `end_session_endpoint`, or it is insecure, or a parameter is misspelled.
 *
 * @example
 * ```ts
 * import { endSessionUrl } from "@carteiro/oauth2/oidc";
 *
 * const issuer = "https://provider.example";
 * const metadata = { issuer, end_session_endpoint: `${issuer}/logout` };
 * const url = endSessionUrl({ id: "abc", issuer, metadata }, {
 *   post_logout_redirect_uri: "https://app.example/",
 * });
 * console.assert(url.startsWith("https://provider.example/logout?client_id=abc"));
 * ```
 */
export function endSessionUrl(
  { id, issuer, metadata }: EndSessionClient,
  params: EndSessionParams = {},
): string {
  for (const name of Object.keys(params)) checkSpelling(name, PARAMS);
  const { end_session_endpoint } = metadata ?? {};
  if (end_session_endpoint === undefined) {
    throw invalid(
      "Cannot build the URL of a logout: the metadata of the client has no end_session_endpoint",
    );
  }
  // As for the endpoints that `discover` checks.
  const url = checkSecure(
    resolveUrl(undefined, end_session_endpoint),
    issuer?.startsWith("http:"),
  );
  return addParams(url, { client_id: id, ...params }).href;
}
