import { toBase64Url } from "../core/base64.ts";
import { checkSeconds } from "../core/seconds.ts";
import { type FlowData, MAX_TEXT } from "./flow.ts";
import { invalid } from "../core/type_error.ts";

/** Function that fills an array with random bytes. */
export type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => unknown;

/** Values of a client and of its sign-in. */
export interface FlowContext {
  /** Client id. */
  readonly id: string;
  readonly issuer: string | undefined;
  /** URL of the token endpoint. */
  readonly tokenEndpoint: string;
  /** Default redirect URI. */
  readonly redirectUri: string | undefined;
  /** False if any `acr` is accepted. */
  readonly requireAcr: boolean | undefined;
  /** False if the server refuses PKCE. */
  readonly pkce: boolean | undefined;
  /** Time of expiry, in seconds since 1970. */
  readonly expiresAt: number;
  readonly random: FillRandom | undefined;
}

/**
 * Creates the data of a sign-in from the parameters of its authorization
 * request.
 *
 * @throws {TypeError} If `redirect_uri` is not text, `max_age` is not a number,
 * 0 or more, or a text is too long.
 */
export function newFlow(
  params: Readonly<Record<string, unknown>>,
  context: FlowContext,
): FlowData {
  const { id, issuer, requireAcr, pkce, random } = context;
  const redirectUri = params.redirect_uri ?? context.redirectUri ?? "";
  if (typeof redirectUri !== "string") {
    throw invalid("Cannot use redirect_uri: it must be text");
  }
  const data: { [name in keyof FlowData]: FlowData[name] | undefined } = {
    v: 1,
    client_id: id,
    issuer,
    token_endpoint: context.tokenEndpoint,
    state: randomText(random),
    code_verifier: pkce === false ? undefined : randomText(random),
    nonce: hasOpenId(params.scope) ? randomText(random) : undefined,
    redirect_uri: textOf(redirectUri),
    scope: textOf(params.scope),
    max_age: ageOf(params.max_age),
    acr_values: requireAcr === false ? undefined : textOf(params.acr_values),
    expires_at: context.expiresAt,
  };
  for (const [name, value] of Object.entries(data)) {
    if (typeof value !== "string" || value.length <= MAX_TEXT) continue;
    throw invalid(
      `Cannot use ${name}: it has more than ${MAX_TEXT} characters`,
    );
  }
  return Object.fromEntries(
    Object.entries(data).filter(([, value]) => value !== undefined),
  ) as unknown as FlowData;
}

/** Returns true if a scope contains `openid`. */
export function hasOpenId(scope: unknown): boolean {
  return String(scope ?? "").split(" ").includes("openid");
}

/** Generates 256 random bits as 43 characters. */
export function randomText(
  random: FillRandom = (bytes) => crypto.getRandomValues(bytes),
): string {
  const bytes = new Uint8Array(32);
  random(bytes);
  return toBase64Url(bytes);
}

/** Returns the text of a parameter, or of a list separated by spaces. */
function textOf(value: unknown): string | undefined {
  const text = [value ?? ""].flat().join(" ");
  return text === "" ? undefined : text;
}

/** Reads a maximum authentication age. */
function ageOf(value: unknown): number | undefined {
  if (value === undefined || value === "") return undefined;
  const age = typeof value === "string" ? Number(value) : value as number;
  checkSeconds("max_age", age);
  return age;
}
