import { invalid } from "../core/type_error.ts";

/** Error code of a refusal; undefined for a request without a token. */
export type AccessErrorCode =
  | "invalid_request"
  | "invalid_token"
  | "insufficient_scope"
  | "insufficient_user_authentication"
  | "invalid_dpop_proof"
  | "use_dpop_nonce";

/** Authentication scheme of an access token. */
export type AccessScheme = "Bearer" | "DPoP";

/** Parts of a refusal. */
export interface Refusal {
  /** Error code; undefined for a request without a token. */
  readonly code?: AccessErrorCode | undefined;
  /** Description for developers, without quotation marks. */
  readonly description: string;
  /** Parameters of the challenge, e.g. `scope`. */
  readonly params?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Statuses; those of other codes are 401. */
const STATUSES: { readonly [code: string]: number } = {
  invalid_request: 400,
  insufficient_scope: 403,
};

/** Challenges that a resource server sends. */
export interface ChallengeSettings {
  /** Schemes that the resource server accepts. */
  readonly schemes: readonly AccessScheme[];
  /** Schemes that clients can use, with what the metadata of the server says. */
  readonly advertised: readonly AccessScheme[];
  /** Signature algorithms of DPoP proofs. */
  readonly algorithms: readonly string[];
  readonly realm?: string | undefined;
  /** URL of the protected resource metadata (RFC 9728). */
  readonly resourceMetadata?: string | undefined;
}

/**
 * Refusal of a request. Send {@linkcode AccessDenied.toResponse}, or status and
 * headers in a response of your own.
 */
export class AccessDenied extends Error {
  /** Always `AccessDenied`. */
  override readonly name = "AccessDenied";
  /** Always `validation`. */
  readonly kind = "validation";
  /** Error code; undefined if the request had no token. */
  readonly code: AccessErrorCode | undefined;
  /** HTTP status: 400, 401 or 403. */
  readonly status: number;
  #headers: Headers;

  /** Creates the error of a refusal. */
  constructor(
    { code, description }: Refusal,
    headers: Headers,
    options?: ErrorOptions,
  ) {
    super(`Cannot grant access: ${description}`, options);
    this.code = code;
    this.status = STATUSES[code ?? ""] ?? 401;
    this.#headers = headers;
  }

  /** Headers of the response: `WWW-Authenticate` and `DPoP-Nonce`. */
  get headers(): Headers {
    return new Headers(this.#headers);
  }

  /** Returns a response without a body. */
  toResponse(): Response {
    return new Response(null, { status: this.status, headers: this.headers });
  }
}

/**
 * Returns the challenges of a refusal, one for each scheme that is advertised or
 * was used. The error is in the challenge of the scheme that was used.
 */
export function challengesOf(
  { code, description, params }: Refusal,
  used: AccessScheme | undefined,
  settings: ChallengeSettings,
): string[] {
  const { schemes, advertised, algorithms, realm, resourceMetadata } = settings;
  const shown = schemes.filter((scheme) =>
    advertised.includes(scheme) || scheme === used
  );
  const place = used && shown.includes(used) ? used : shown[0];
  return shown.map((scheme) => {
    const hasError = code !== undefined && scheme === place;
    return formatChallenge(scheme, {
      realm,
      ...hasError && { error: code, error_description: description },
      // The parameters tell what is needed, with each scheme.
      ...params,
      algs: scheme === "DPoP" ? algorithms.join(" ") : undefined,
      resource_metadata: resourceMetadata,
    });
  });
}

function formatChallenge(
  scheme: string,
  params: Readonly<Record<string, string | undefined>>,
): string {
  const pairs = Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${value!.replace(/["\\]/g, "\\$&")}"`);
  return pairs.length === 0 ? scheme : `${scheme} ${pairs.join(", ")}`;
}

/**
 * Checks a text that becomes a parameter of a challenge.
 *
 * @throws {TypeError} If it has characters that a header cannot have.
 */
export function checkChallengeText(name: string, text: string | undefined) {
  if (text === undefined || /^[\x20-\x7e]*$/.test(text)) return text;
  throw invalid(`Cannot use ${name}: it must be printable ASCII`);
}
