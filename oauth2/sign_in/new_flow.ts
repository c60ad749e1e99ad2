import type { Client } from "../core/client.ts";
import { toBase64Url } from "../core/base64.ts";
import { checkSeconds } from "../core/seconds.ts";
import { type FlowData, MAX_TEXT } from "./flow.ts";
import { invalid } from "../core/type_error.ts";

/** Function that fills an array with random bytes. */
export type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => unknown;

/** Parts of a client; its id is defined. */
type FlowClient = Pick<Client, "id" | "issuer" | "redirectUri" | "tokenUrl">;

/** Options of a sign-in that its data depends on. */
interface FlowOptions {
  readonly requireAcr?: boolean | undefined;
  readonly pkce?: boolean | undefined;
  readonly random?: FillRandom | undefined;
}

/**
 * Creates the data of a sign-in from the parameters of its authorization
 * request; `expires_at` is in seconds since 1970.
 *
 * @throws {TypeError} If `redirect_uri` is not text, `max_age` is not a number,
 * 0 or more, or a text is too long.
 */
export function newFlow(
  params: Readonly<Record<string, unknown>>,
  client: FlowClient,
  { requireAcr, pkce, random }: FlowOptions,
  expires_at: number,
): FlowData {
  const redirectUri = params.redirect_uri ?? client.redirectUri ?? "";
  if (typeof redirectUri !== "string") {
    throw invalid("Cannot use redirect_uri: it must be text");
  }
  const data: { [name in keyof FlowData]: FlowData[name] | undefined } = {
    v: 1,
    client_id: client.id,
    issuer: client.issuer,
    token_endpoint: client.tokenUrl(),
    state: randomText(random),
    code_verifier: pkce === false ? undefined : randomText(random),
    nonce: hasOpenId(params.scope) ? randomText(random) : undefined,
    redirect_uri: textOf(redirectUri),
    scope: textOf(params.scope),
    max_age: ageOf(params.max_age),
    acr_values: requireAcr === false ? undefined : textOf(params.acr_values),
    expires_at,
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

function ageOf(value: unknown): number | undefined {
  if (value === undefined || value === "") return undefined;
  const age = typeof value === "string" ? Number(value) : value as number;
  checkSeconds("max_age", age);
  return age;
}
