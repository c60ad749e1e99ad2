import { fromBase64Url } from "../core/base64.ts";
import { isPlainObject } from "../core/params.ts";
import { type Fail, failing } from "../core/validation_error.ts";
import { findAlgorithm } from "../core/signature_algorithms.ts";
import { importKey } from "../core/signature_keys.ts";
import type { Jwks, PublicJwk } from "./jwks.ts";
import { invalid } from "../core/type_error.ts";

/** Options of {@linkcode verifyJwt}. */
export interface VerifyJwtOptions {
  /** Name of the JWT in messages, e.g. `ID token`. */
  readonly name: string;
  /** Signature algorithms to accept. */
  readonly algorithms: readonly string[];
  /** Public keys of the server; undefined if it has none. */
  readonly keys: Jwks | undefined;
  /** Secret of the client, for HS algorithms. */
  readonly secret?: string | undefined;
  /**
   * Types of the header to accept, in lower case and without `application/`.
   *
   * @default {any but those of other JWTs, such as at+jwt}
   */
  readonly types?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** JWT with a valid signature. Its claims are not validated. */
export interface VerifiedJwt {
  /** Signature algorithm. */
  readonly alg: string;
  /** Type of the header, in lower case and without `application/`, or "". */
  readonly type: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Issuer of the key, if the JWK set names it. */
  readonly keyIssuer: unknown;
}

/** Longest JWT that is read, in characters: decoding takes time. */
const MAX_JWT = 100_000;
/** Types of other JWTs (RFC 8725 section 3.11), e.g. `at+jwt`. */
const OTHER_TYPE = /\+jwt\s*(;|$)/i;

/**
 * Verifies the signature of a JWT and returns its claims.
 *
 * @throws {ValidationError} If the JWT is malformed or encrypted, or its
 * algorithm, key or signature is refused.
 */
export async function verifyJwt(
  jwt: unknown,
  options: VerifyJwtOptions,
): Promise<VerifiedJwt> {
  const { name, algorithms, keys, secret, types, signal } = options;
  const fail: Fail = failing(`validate the ${name}`);
  const text = typeof jwt === "string" ? jwt : "";
  const parts = text.length > MAX_JWT ? [] : text.split(".");
  const { alg, kid, typ = "", crit } = readJson(parts[0]) ?? {};
  if (parts.length !== 3 || typeof alg !== "string") {
    fail(
      parts.length === 5 ? "encrypted_jwt" : "malformed_jwt",
      "it is not a signed JWT, or too long",
    );
  }
  if (crit !== undefined) {
    fail("malformed_jwt", "its header has crit, which is not supported");
  }
  if (
    typeof typ !== "string" || !["undefined", "string"].includes(typeof kid)
  ) {
    fail("malformed_jwt", "its typ or kid is not text");
  }
  const type = typ.toLowerCase().replace(/^application\//, "");
  if (types) {
    if (!types.includes(type)) {
      fail("invalid_typ", `the typ of its header is not ${types.join(", ")}`);
    }
  } else if (OTHER_TYPE.test(typ)) {
    fail("malformed_jwt", "its header has the typ of another JWT");
  }
  if (!algorithms.includes(alg)) {
    fail(
      "unsupported_alg",
      `its algorithm is not one of "${
        algorithms.join(", ")
      }"; list those to accept in algorithms`,
    );
  }
  const isShared = findAlgorithm(alg)?.kty === "oct";
  if (isShared && !secret) fail("unknown_key", "the client has no secret");
  if (!isShared && !keys) {
    throw invalid(
      `Cannot validate the ${name}: the metadata of the client has no jwks_uri`,
    );
  }
  const query = { alg, kid: kid as string | undefined };
  const find = async () =>
    isShared
      ? { jwk: new TextEncoder().encode(secret), issuer: undefined }
      : await keys!.find(query, signal);
  let { jwk, issuer } = await find();
  let isValid = await isSigned(text, jwk, alg);
  // Without a kid, the server may have replaced its only key.
  const mayBeRotated = !isValid && !isShared && kid === undefined;
  if (mayBeRotated && await keys!.refresh(signal)) {
    ({ jwk, issuer } = await find());
    isValid = await isSigned(text, jwk, alg);
  }
  if (!isValid) fail("invalid_signature", "its signature is invalid");
  return {
    alg,
    type,
    claims: readJson(parts[1]) ??
      fail("malformed_jwt", "its claims are not a JSON object"),
    keyIssuer: issuer,
  };
}

/** Imported public keys, which a JWK set keeps as long as its document. */
const IMPORTED = new WeakMap<object, { alg: string; key: CryptoKey }>();

/** Returns true if a JWT has a valid signature of this key. */
export async function isSigned(
  jwt: string,
  key: PublicJwk | Uint8Array,
  alg: string,
): Promise<boolean> {
  const end = jwt.lastIndexOf(".");
  const signature = fromBase64Url(jwt.slice(end + 1));
  const { parameters } = findAlgorithm(alg) ?? {};
  if (!signature || !parameters) return false;
  try {
    let imported = IMPORTED.get(key);
    if (imported?.alg !== alg) {
      imported = { alg, key: await importKey(key, alg, "verify") };
      IMPORTED.set(key, imported);
    }
    const data = new TextEncoder().encode(jwt.slice(0, end));
    return await crypto.subtle.verify(
      parameters,
      imported.key,
      signature,
      data,
    );
  } catch {
    // An unusable key, such as RSA with 1024 bits, verifies nothing.
    return false;
  }
}

/** Decodes a part of a JWT. Returns undefined unless it is a JSON object. */
export function readJson(
  part: string | undefined,
): Record<string, unknown> | undefined {
  if (part === undefined || part.length > MAX_JWT) return undefined;
  const bytes = fromBase64Url(part);
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
