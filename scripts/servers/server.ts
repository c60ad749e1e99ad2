import type { Certificate } from "../certificate.ts";
import type { Fetch } from "../../oauth2/mod.ts";

/** Options of {@linkcode Kind.start}. */
export interface StartOptions {
  /** Folder for downloads. */
  readonly cache: string;
  /** Public key of the client that authenticates by `private_key_jwt`. */
  readonly publicKey: JsonWebKey;
  /** Certificates of clients that the server trusts. */
  readonly certificates: readonly Certificate[];
  /** Resources to dispose of at the end. */
  readonly stack: AsyncDisposableStack;
  /** Ends downloads and the wait for the server. */
  readonly signal: AbortSignal;
}

/** A kind of authorization server. */
export interface Kind {
  /** Its name in the table. */
  readonly title: string;
  /** Reasons why it does not offer a case, by the name of the case. */
  readonly lacks: Readonly<Record<string, string>>;
  /**
   * Starts it on a free port.
   *
   * @throws {Missing} If it cannot be run on this machine.
   */
  start(options: StartOptions): Promise<Server>;
}

/** An authorization server that runs. */
export interface Server {
  /** Its version. */
  readonly version: string;
  /** The issuer, on plain http. */
  readonly issuer: string;
  /** Endpoints that its document does not name, by their names in it. */
  readonly endpoints?: Readonly<Record<string, string>>;
  /** Values for the fields of its pages, by name, to log in and allow. */
  readonly answers: Readonly<Record<string, string>>;
  /** Values to log in and deny, where the server asks for consent. */
  readonly denial?: Readonly<Record<string, string>>;
  /** The same server on https, where it has it. */
  readonly tls?: {
    /** The issuer there. */
    readonly issuer: string;
    /** A `fetch` that presents a certificate, until it is disposed of. */
    connect(certificate: Certificate): Fetch & Disposable;
  };
  /** An access token that has expired, and the userinfo endpoint for it. */
  expired(): Promise<{ readonly userinfo: string; readonly token: string }>;
}
