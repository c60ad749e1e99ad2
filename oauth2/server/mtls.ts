/**
 * Mutual TLS (RFC 8705): certificate-bound access tokens and the endpoints for
 * them. The certificate itself is presented by the `fetch` of the client.
 *
 * @module
 */
import { fromBase64 } from "../core/base64.ts";
import type { ClientOptions } from "../core/client_options.ts";
import { sha256 } from "../core/jwk.ts";
import type { ServerMetadata } from "./server_metadata.ts";
import { isSameText } from "../core/same_text.ts";
import { invalid } from "../core/type_error.ts";

/**
 * X.509 certificate: PEM, of which the first certificate counts; the value of
 * the header `Client-Cert` (RFC 9440); DER; or an object with DER in `raw`, as
 * `getPeerCertificate()` of Node returns it.
 */
export type Certificate =
  | string
  | Uint8Array
  | ArrayBuffer
  | { readonly raw: Uint8Array };

const PEM_BEGIN = "-----BEGIN CERTIFICATE-----";
const PEM_END = "-----END CERTIFICATE-----";
const MAX_BYTES = 64 * 1024;
/** Base64 with line breaks and the text around it take less than the double. */
const MAX_CHARS = 2 * MAX_BYTES;

/**
 * Returns the thumbprint of a certificate, `x5t#S256`: the base64url-encoded
 * SHA-256 hash of its DER encoding (RFC 8705 section 3.1).
 *
 * @throws {TypeError} If it is not a certificate.
 */
export async function certificateThumbprint(
  certificate: Certificate,
): Promise<string> {
  const bytes = toDer(certificate);
  // A certificate is one DER sequence, without bytes after it.
  if (
    !bytes || bytes.length > MAX_BYTES || sequenceLength(bytes) !== bytes.length
  ) {
    throw invalid(
      "Cannot read the certificate: it is neither PEM nor DER nor the value of Client-Cert",
    );
  }
  return await sha256(bytes);
}

/**
 * Returns true if the confirmation claim `cnf` of a token, in its JWT or
 * introspection response, names this certificate (RFC 8705 section 3).
 *
 * @throws {TypeError} If it is not a certificate.
 */
export async function isBoundTo(
  cnf: unknown,
  certificate: Certificate,
): Promise<boolean> {
  const thumbprint = await certificateThumbprint(certificate);
  const expected = Object(cnf)["x5t#S256"];
  return typeof expected === "string" && isSameText(expected, thumbprint);
}

/**
 * Replaces the endpoints in the options of `discover` by their aliases for
 * mutual TLS (RFC 8705 section 5). For clients with certificate-bound tokens
 * and another authentication than `tls_client_auth`, which uses the aliases
 * without it.
 *
 * @throws {TypeError} If an alias is not text.
 *
 * @example
 * ```ts
 * import { withMtlsEndpoints } from "@carteiro/oauth2/mtls";
 *
 * const { tokenUrl } = withMtlsEndpoints({
 *   tokenUrl: "https://provider.example/token",
 *   metadata: {
 *     issuer: "https://provider.example",
 *     mtls_endpoint_aliases: {
 *       token_endpoint: "https://mtls.provider.example/token",
 *     },
 *   },
 * });
 * console.assert(tokenUrl === "https://mtls.provider.example/token");
 * ```
 */
export function withMtlsEndpoints<
  Options extends
    & Pick<ClientOptions, "tokenUrl" | "revokeUrl">
    & { readonly metadata?: ServerMetadata | undefined },
>(options: Options): Options {
  const { metadata } = options;
  if (!metadata) return options;
  const aliases: Record<string, string> = {};
  for (
    const [name, url] of Object.entries(metadata.mtls_endpoint_aliases ?? {})
  ) {
    // Browsers would ask the user for a certificate.
    if (name === "authorization_endpoint") continue;
    if (typeof url !== "string") {
      throw invalid(
        `Cannot use the mutual TLS alias of ${name}: it is not text`,
      );
    }
    aliases[name] = url;
  }
  const { token_endpoint, revocation_endpoint } = aliases;
  return {
    ...options,
    ...token_endpoint !== undefined && { tokenUrl: token_endpoint },
    ...revocation_endpoint !== undefined && { revokeUrl: revocation_endpoint },
    metadata: { ...metadata, ...aliases },
  };
}

function toDer(certificate: Certificate): Uint8Array<ArrayBuffer> | undefined {
  if (typeof certificate === "string") {
    const text = readText(certificate);
    return text ? fromBase64(text.replaceAll(/\s/g, "")) : undefined;
  }
  // Untyped callers may pass null.
  const bytes: unknown = Object(certificate).raw ?? certificate;
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  return bytes instanceof Uint8Array ? new Uint8Array(bytes) : undefined;
}

/**
 * Returns the base64 in PEM or in a header. The text may come from the client:
 * it is searched in linear time, without patterns that backtrack.
 */
function readText(text: string): string | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const begin = text.indexOf(PEM_BEGIN);
  if (begin >= 0) {
    const start = begin + PEM_BEGIN.length;
    const end = text.indexOf(PEM_END, start);
    return end < 0 ? undefined : text.slice(start, end);
  }
  const value = text.trim();
  return value.length > 2 && value.startsWith(":") && value.endsWith(":")
    ? value.slice(1, -1)
    : undefined;
}

/**
 * Returns the length of a DER sequence with its header, or undefined. That of a
 * certificate has the long form: it is above 127 bytes.
 */
function sequenceLength(bytes: Uint8Array): number | undefined {
  const [tag, length = 0] = bytes;
  const size = length - 0x80;
  if (tag !== 0x30 || size < 1 || size > 4) return undefined;
  return bytes.slice(2, 2 + size)
    .reduce((sum, byte) => sum * 256 + byte, 0) + 2 + size;
}
