import type { AccessScheme } from "./access_denied.ts";

/** Scheme and token of the `Authorization` header. */
export interface Credentials {
  readonly scheme: AccessScheme;
  /** Undefined if the header has not exactly one token. */
  readonly token: string | undefined;
}

const CREDENTIALS = /^(?:Bearer|DPoP) +([\w.~+/-]+=*)$/i;
const MAX_HEADER = 16_384;

/** Reads the access token. Returns undefined for no or another scheme. */
export function readCredentials(headers: Headers): Credentials | undefined {
  const header = headers.get("authorization") ?? "";
  const [scheme] = /^(Bearer|DPoP)\b/i.exec(header) ?? [];
  if (scheme === undefined) return undefined;
  return {
    scheme: scheme.toLowerCase() === "dpop" ? "DPoP" : "Bearer",
    token: header.length > MAX_HEADER
      ? undefined
      : CREDENTIALS.exec(header)?.[1],
  };
}
