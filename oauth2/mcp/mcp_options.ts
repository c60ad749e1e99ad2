import type { AuthScheme } from "../core/client_auth.ts";
import type { ClientMetadata } from "../core/client_metadata.ts";
import type { ClientOptions } from "../core/client_options.ts";
import { knownNames } from "../core/names.ts";
import type { DiscoverOptions } from "../server/discover.ts";
import type { SignInOptions } from "../sign_in/sign_in_options.ts";
import type { ResourceOptions } from "../verify/protected_resource.ts";

/** Client that is registered at one authorization server. */
export interface McpCredentials {
  /** Issuer of the authorization server. They are never sent to another. */
  readonly issuer: string;
  /** Client id. */
  readonly id: string;
  /** Client secret, unless the client is public. */
  readonly secret?: string | undefined;
  /**
   * Client authentication method.
   *
   * @default {"basic_auth"}
   */
  readonly authScheme?: AuthScheme | undefined;
}

/** Options of `connectMcp`. */
export interface McpOptions extends Omit<DiscoverOptions, "oauthFirst"> {
  /**
   * Headers of the requests for the metadata of the MCP server, to its origin
   * only. The authorization server never gets them.
   */
  headers?: DiscoverOptions["headers"];
  /** Redirect URI of the client. */
  redirectUri: string;
  /**
   * Response of the MCP server with the status 401, its headers or its
   * `WWW-Authenticate` header.
   *
   * @default {none: the metadata is at its well-known URL}
   */
  challenge?: ResourceOptions["challenge"];
  /** Client that is registered already, e.g. earlier `credentials`. */
  credentials?: McpCredentials | undefined;
  /**
   * URL of the client id metadata document of the client, which is its id at a
   * server that supports these documents.
   */
  clientIdMetadataUrl?: string | undefined;
  /**
   * Metadata for dynamic registration, at other servers; its defaults are those
   * of a public client. False for none.
   *
   * @default {{}}
   */
  clientMetadata?: ClientMetadata | false | undefined;
  /**
   * Chooses an authorization server of the resource.
   *
   * @default {the first}
   */
  chooseIssuer?:
    | ((issuers: readonly string[]) => string | undefined)
    | undefined;
  /**
   * Decides which URLs of the authorization server may be used: its issuer and
   * each endpoint, with the name of its field. They are chosen by the MCP
   * server; see the README about requests to internal addresses.
   *
   * @default {any secure URL}
   */
  allowUrl?:
    | ((url: URL, name: string) => boolean | Promise<boolean>)
    | undefined;
  /** Other options of the client. */
  clientOptions?: ClientOptions | undefined;
  /** Options of the sign-in. */
  signInOptions?: SignInOptions | undefined;
}

/** Names of {@linkcode McpOptions}, to refuse misspelled ones. */
export const MCP_OPTIONS = knownNames(
  ("redirectUri challenge credentials clientIdMetadataUrl clientMetadata " +
    "chooseIssuer allowUrl clientOptions signInOptions fetch headers signal timeout " +
    "allowInsecure").split(" "),
);
