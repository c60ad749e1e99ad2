/** Key of Web Crypto: a `CryptoKey`. */
export interface WebCryptoKey {
  /** `secret`, `private` or `public`. */
  readonly type: string;
  /** Algorithm. */
  readonly algorithm: { readonly name: string };
  /** Operations, e.g. `encrypt`. */
  readonly usages: readonly string[];
  /** True if the key can be exported. */
  readonly extractable: boolean;
}

/** Key pair of Web Crypto: a `CryptoKeyPair`. */
export interface WebCryptoKeyPair {
  /** Key that signs. */
  readonly privateKey: WebCryptoKey;
  /** Key that verifies. */
  readonly publicKey: WebCryptoKey;
}

/** JSON Web Key (RFC 7517, RFC 7518 section 6): a `JsonWebKey`. */
export interface Jwk {
  /** Key type, e.g. `EC`. */
  readonly kty?: string | undefined;
  /** Curve, e.g. `P-256`. */
  readonly crv?: string | undefined;
  /** First coordinate of an EC key; the public part of an OKP key. */
  readonly x?: string | undefined;
  /** Second coordinate of an EC key. */
  readonly y?: string | undefined;
  /** Modulus of an RSA key. */
  readonly n?: string | undefined;
  /** Public exponent of an RSA key. */
  readonly e?: string | undefined;
  /** Private part. */
  readonly d?: string | undefined;
  /** First prime of an RSA key. */
  readonly p?: string | undefined;
  /** Second prime of an RSA key. */
  readonly q?: string | undefined;
  /** First exponent of an RSA key. */
  readonly dp?: string | undefined;
  /** Second exponent of an RSA key. */
  readonly dq?: string | undefined;
  /** Coefficient of an RSA key. */
  readonly qi?: string | undefined;
  /** Algorithm, e.g. `ES256`. */
  readonly alg?: string | undefined;
  /** Use: `sig` or `enc`. */
  readonly use?: string | undefined;
  /** Operations. */
  readonly key_ops?: string[] | undefined;
  /** True if the key can be exported. */
  readonly ext?: boolean | undefined;
}

/** Returns true for a CryptoKey, whose class Node 22 has only as a global. */
export function isCryptoKey(key: unknown): key is CryptoKey {
  const { algorithm, usages } = Object(key);
  return Boolean(algorithm && usages);
}
