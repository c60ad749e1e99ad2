/**
 * Sessions of a web application: from login to logout.
 *
 * @module
 */
export { type EndedUser, type LoginOptions, Session } from "./session.ts";
export type {
  CurrentSession,
  Failure,
  SessionManagerOptions,
  SessionOptions,
} from "./options.ts";
export { SessionError, type SessionErrorCode } from "./session_error.ts";
export {
  type HasHeaders,
  type NodeRequest,
  type NodeResponse,
  sendToNode,
  type SessionRequest,
} from "./node.ts";
export type { IdTokenClaims } from "../oidc/claims.ts";
