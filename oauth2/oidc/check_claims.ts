import { toBase64Url } from "../core/base64.ts";
import { oneLine } from "../core/redactor.ts";
import { isSameText } from "../core/same_text.ts";
import { findAlgorithm } from "../core/signature_algorithms.ts";
import {
  type Fail,
  failing,
  type ValidationCode,
} from "../core/validation_error.ts";
import { checkTimes, isTime } from "./check_times.ts";
import type { IdTokenClaims } from "./claims.ts";

/** Rules of a validator. */
export interface ClaimRules {
  /** Client id. */
  readonly id: string;
  readonly issuer: string;
  readonly issuerTemplate: string | undefined;
  /** Maximum difference between the clocks, in seconds. */
  readonly clockTolerance: number;
}

/** Expected values of one ID token. */
export interface ExpectedClaims {
  /** Issuer of the key, if the JWK set names it. */
  readonly keyIssuer?: unknown;
  readonly nonce?: string | false | undefined;
  /** False if the nonce may be missing. */
  readonly requireNonce?: boolean | undefined;
  readonly max_age?: number | undefined;
  readonly acr_values?: string | readonly string[] | undefined;
  readonly sub?: string | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

const isText = (claim: unknown): claim is string => typeof claim === "string";
/** Types of claims that are optional. */
const TYPES = {
  auth_time: isTime,
  acr: isText,
  amr: (claim: unknown) => Array.isArray(claim) && claim.every(isText),
  sid: isText,
  nonce: isText,
};

/** Characters of a tenant id, which must not change the rest of the issuer. */
const TENANT = /^[\w-]+(\.[\w-]+)*$/;

/**
 * Validates the claims of an ID token. `now` is in seconds since 1970.
 *
 * @throws {ValidationError} If a claim breaks a rule.
 */
export function checkClaims(
  claims: Claims,
  rules: ClaimRules,
  expected: ExpectedClaims,
  now: number,
): IdTokenClaims {
  checkIssuer(claims, rules, expected.keyIssuer);
  checkSubject(claims, expected.sub);
  checkAudience(claims, rules.id);
  const { clockTolerance: tolerance } = rules;
  const required = ["exp", "iat"];
  checkTimes(claims, { name: "ID token", now, tolerance, required });
  checkNonce(claims, expected);
  checkTypes(claims);
  checkAuthentication(claims, expected, now, tolerance);
  return claims as IdTokenClaims;
}

/** Claim with a code, e.g. `iss` with `invalid_iss`. */
type ClaimName<Code> = Code extends `invalid_${infer Name}` ? Name : never;

const fail: Fail = failing("validate the ID token");

/** Throws the error of a claim. */
export function failClaim(
  name: ClaimName<ValidationCode>,
  state: string,
): never {
  fail(`invalid_${name}`, `${name} ${state}`);
}

function checkIssuer(
  { iss, tid }: Claims,
  { issuer, issuerTemplate }: ClaimRules,
  keyIssuer: unknown,
): void {
  const expected = issuerTemplate === undefined
    ? issuer
    : fillIn(issuerTemplate, tid);
  if (expected === undefined || iss !== expected) {
    const named = issuerTemplate ?? issuer;
    failClaim("iss", `is ${show(iss)}, not "${named}"`);
  }
  // Only servers with many tenants name the issuer of a key.
  if (isText(keyIssuer) && fillIn(keyIssuer, tid) !== iss) {
    failClaim("iss", "is not the issuer of its key");
  }
}

/** Replaces `{tenantid}`. Returns undefined if there is no valid tenant. */
function fillIn(template: string, tid: unknown): string | undefined {
  if (!template.includes("{tenantid}")) return template;
  return isText(tid) && TENANT.test(tid)
    ? template.replace("{tenantid}", () => tid)
    : undefined;
}

function checkSubject({ sub }: Claims, expected: string | undefined): void {
  if (!isText(sub) || sub === "") {
    failClaim("sub", "is missing");
  }
  if (expected !== undefined && sub !== expected) {
    failClaim("sub", "does not match");
  }
}

function checkAudience({ aud, azp }: Claims, id: string): void {
  if (!isFor(aud, id)) {
    failClaim("aud", `is ${show(aud)}, not text or texts with "${id}"`);
  }
  if (azp === undefined && Array.isArray(aud) && aud.length > 1) {
    failClaim("azp", "is missing, with several audiences");
  }
  if (azp !== undefined && azp !== id) {
    failClaim("azp", `is ${show(azp)}, not "${id}"`);
  }
}

/** Returns true for a text, or a list of texts, with one of these names. */
export function isFor(
  aud: unknown,
  ...names: readonly (string | undefined)[]
): boolean {
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  return audiences.every(isText) &&
    names.some((name) => audiences.includes(name!));
}

function checkNonce(
  { nonce }: Claims,
  { nonce: expected, requireNonce }: ExpectedClaims,
): void {
  const isOptional = expected === undefined || requireNonce === false;
  if (expected === false || nonce === undefined && isOptional) return;
  if (
    expected === undefined || !isText(nonce) || !isSameText(nonce, expected)
  ) failClaim("nonce", nonce === undefined ? "is missing" : "does not match");
}

/** Checks the other claims that are typed in {@linkcode IdTokenClaims}. */
function checkTypes(claims: Claims): void {
  for (const [name, isType] of Object.entries(TYPES)) {
    const claim = claims[name];
    if (claim === undefined || isType(claim)) continue;
    failClaim(
      name as keyof typeof TYPES,
      `has the wrong type: ${show(claim)}`,
    );
  }
}

function checkAuthentication(
  { auth_time, acr }: Claims,
  { max_age, acr_values }: ExpectedClaims,
  now: number,
  tolerance: number,
): void {
  if (max_age !== undefined) {
    if (typeof auth_time !== "number") {
      failClaim("auth_time", "is missing, with max_age");
    }
    if (auth_time + max_age < now - tolerance || auth_time > now + tolerance) {
      failClaim(
        "auth_time",
        `is ${now - auth_time} s ago; max_age allows ${max_age}`,
      );
    }
  }
  if (acr_values === undefined) return;
  const values = [acr_values].flat().join(" ").split(" ");
  if (!values.includes(acr as string)) {
    failClaim(
      "acr",
      `is ${show(acr)}, not one of ${values.join(", ")}`,
    );
  }
}

/** Shows a claim that is not secret. */
export function show(claim: unknown): string {
  return claim === undefined ? "missing" : oneLine(JSON.stringify(claim));
}

/** Values of which an ID token may contain hashes. */
export interface HashedValues {
  readonly access_token?: string | undefined;
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  /** Requires the hash of each given value. */
  readonly requireHashes?: boolean | undefined;
}

const HASHED = {
  at_hash: "access_token",
  c_hash: "code",
  s_hash: "state",
} as const;

/**
 * Compares the hashes in an ID token with the values, if both are present.
 *
 * @throws {ValidationError} If a hash differs.
 */
export async function checkHashes(
  claims: Readonly<Record<string, unknown>>,
  alg: string,
  values: HashedValues,
): Promise<void> {
  for (const [claim, name] of Object.entries(HASHED)) {
    const { [claim]: hash } = claims;
    const { [name]: value } = values;
    if (value === undefined) continue;
    const fail = (state: string) =>
      failClaim(claim as keyof typeof HASHED, state);
    if (hash === undefined) {
      if (!values.requireHashes) continue;
      fail("is missing");
    }
    if (typeof hash !== "string" || !isSameText(hash, await half(value, alg))) {
      fail(`is not the hash of the ${name}`);
    }
  }
}

/** Returns the left half of a hash, as base64url. */
async function half(value: string, alg: string): Promise<string> {
  const { hash } = findAlgorithm(alg)!;
  const bytes = new TextEncoder().encode(value);
  const digest = new Uint8Array(await crypto.subtle.digest(hash, bytes));
  return toBase64Url(digest.subarray(0, digest.length / 2));
}
