/**
 * Requests whose outcome is unknown.
 *
 * @module
 */
import { ConnectionError, OAuth2Error } from "../error.ts";

/** Codes and messages of connections that were not made. */
const NOT_SENT =
  /ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|connection refused|\(Connect\)|dns error|certificate|CERT_/i;
const MAX_CAUSES = 8;

/**
 * Returns true if the server may have acted, or may still act, on a request
 * that failed: it may have replaced the refresh token.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof OAuth2Error) return [502, 504].includes(error.status);
  if (!(error instanceof ConnectionError)) return false;
  let cause: unknown = error;
  for (let i = 0; i < MAX_CAUSES && cause instanceof Error; i++) {
    const { code, message } = cause as Error & { code?: unknown };
    if (NOT_SENT.test(`${code} ${message}`)) return false;
    cause = cause.cause;
  }
  return true;
}
