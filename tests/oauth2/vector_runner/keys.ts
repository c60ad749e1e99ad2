/** The test keys of the conformance vectors, which serve one run. */
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

/** Puts the private key in the place of its name. */
export function withTestKey(signing: Json): Json {
  const { key } = signing;
  return isObject(key) && "test_key" in key
    ? { ...signing, key: PRIVATE_KEYS[String(key.test_key)] }
    : signing;
}

/** Fails if a text is not the JWT that is expected. */
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
