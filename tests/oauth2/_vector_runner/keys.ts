/** Test keys, generated for one run. */
import { assertEquals } from "@std/assert";
import { compactVerify, type CryptoKey, generateKeyPair } from "jose";
import { checkFields } from "./outcome.ts";
import { isObject, type Json } from "./vector.ts";

const rsa = await generateKeyPair("RS256");
const ec = await generateKeyPair("ES256");
const PRIVATE_KEYS: Record<string, CryptoKey> = {
  rsa: rsa.privateKey,
  ec: ec.privateKey,
};
const VERIFYING_KEYS: Record<string, CryptoKey | Uint8Array> = {
  arowana: new TextEncoder().encode("arowana"),
  rsa: rsa.publicKey,
  ec: ec.publicKey,
};

/** Converts `{"test_key": name}`. */
export function toTestKey(value: unknown): unknown {
  return isObject(value) && "test_key" in value
    ? PRIVATE_KEYS[String(value.test_key)]
    : value;
}

/** Rejects if a text is not the expected JWT. */
export async function verifyJwt(
  text: string,
  expected: unknown,
): Promise<void> {
  const { alg, key, header = {}, includes = {}, claims } = expected as {
    alg: string;
    key: string;
    header?: Json;
    includes?: Json;
    claims?: Json;
  };
  const { protectedHeader, payload } = await compactVerify(
    text,
    VERIFYING_KEYS[key]!,
    { algorithms: [alg] },
  );
  checkFields(protectedHeader as Json, { alg, ...header });
  const got = JSON.parse(new TextDecoder().decode(payload));
  checkFields(got, includes);
  if (claims) assertEquals(got, claims);
}
