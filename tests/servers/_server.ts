import type { Fetch } from "../../oauth2/mod.ts";

/** Running authorization server. */
export interface Server {
  /** Issuer, on plain http. */
  readonly issuer: string;
  /** Endpoints that its metadata lacks, by their names in metadata. */
  readonly endpoints?: Readonly<Record<string, string>>;
  /** True if its introspection leaves `token_type` out. */
  readonly isUntyped?: boolean;
  /** Values of form fields, by name, to log in and to allow access. */
  readonly answers: Readonly<Record<string, string>>;
  /** Values of form fields to log in and to deny access. */
  readonly denial: Readonly<Record<string, string>>;
  /** The server on https, if it supports client certificates. */
  readonly tls?: {
    readonly issuer: string;
    /** Presents the certificate of the client `CERTIFIED`. */
    readonly fetch: Fetch;
    /** Presents a trusted certificate that identifies no client. */
    readonly otherFetch: Fetch;
  };
  /** Returns an expired access token, and the userinfo endpoint for it. */
  expired(): Promise<{ readonly userinfo: string; readonly token: string }>;
}

/** Starts a server. */
export type StartServer = (options: {
  /** Resources to dispose of after the last test. */
  readonly stack: AsyncDisposableStack;
  /** Public key of the client with `private_key_jwt`. */
  readonly publicKey: JsonWebKey;
}) => Promise<Server>;
