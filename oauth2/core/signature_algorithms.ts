/** Key and hash of a signature algorithm. */
export interface SignatureAlgorithm {
  /** Key type of a JWK; `oct` for a shared secret. */
  readonly kty: "RSA" | "EC" | "OKP" | "oct";
  readonly crv?: string;
  /** Hash for `at_hash`, `c_hash` and `s_hash`. */
  readonly hash: string;
  /** Parameters of Web Crypto for the key and for the signature. */
  readonly parameters: {
    readonly name: string;
    readonly hash?: string;
    readonly namedCurve?: string;
    /** Length of the salt in bytes, for PS (RFC 7518 section 3.5). */
    readonly saltLength?: number;
  };
}

const FAMILIES = {
  RS: ["RSA", "RSASSA-PKCS1-v1_5"],
  PS: ["RSA", "RSA-PSS"],
  ES: ["EC", "ECDSA"],
  HS: ["oct", "HMAC"],
} as const;
const CURVES = { 256: "P-256", 384: "P-384", 512: "P-521" };
const ED25519 = {
  kty: "OKP",
  crv: "Ed25519",
  hash: "SHA-512",
  parameters: { name: "Ed25519" },
} as const;

export function findAlgorithm(alg: string): SignatureAlgorithm | undefined {
  if (alg === "EdDSA" || alg === "Ed25519") return ED25519;
  const [, family, size] = /^([RPEH]S)(256|384|512)$/.exec(alg) ?? [];
  if (family === undefined) return undefined;
  const bits = Number(size) as keyof typeof CURVES;
  const [kty, name] = FAMILIES[family as keyof typeof FAMILIES];
  const hash = `SHA-${bits}`;
  const { [bits]: curve } = CURVES;
  return kty === "EC"
    ? { kty, crv: curve, hash, parameters: { name, hash, namedCurve: curve } }
    : { kty, hash, parameters: { name, hash, saltLength: bits / 8 } };
}
