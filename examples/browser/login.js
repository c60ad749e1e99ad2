/**
 * The login of a public client: authorization code grant with PKCE (RFC 6749
 * section 4.1, RFC 7636).
 *
 * @module
 */
import { Client, discover, pkce, randomState } from "@carteiro/oauth2";

/** Settings, which `build.js` inserts. */
const { ISSUER, CLIENT_ID, SCOPE } = import.meta.env;

/** Key of the pending login in the session storage. */
const PENDING_LOGIN = "login";

/** Failed login, with a message for the user. */
export class LoginError extends Error {
  name = "LoginError";
}

/** Redirects the user to the server, which redirects back to this page. */
export async function beginLogin() {
  const { client } = await findServer();
  const { challenge, method, verifier } = await pkce();
  const state = randomState();
  sessionStorage.setItem(PENDING_LOGIN, JSON.stringify({ state, verifier }));
  location.assign(client.authCode.authorizeUrl({
    scope: SCOPE,
    state,
    code_challenge: challenge,
    code_challenge_method: method,
  }));
  // Keeps the buttons disabled until the browser leaves the page.
  await new Promise(() => {});
}

/**
 * Completes the login if the server has redirected back to this page.
 *
 * @returns The userinfo of the user and a function that revokes the token, or
 * `undefined` without a redirect.
 * @throws {LoginError} If the server refused, or the login was not started
 * here.
 */
export async function endLogin() {
  const params = new URLSearchParams(location.search);
  if (!params.has("code") && !params.has("error")) return undefined;
  const { state, verifier } = takePendingLogin();
  const isRepeated = new Set(params.keys()).size < [...params.keys()].length;
  // Removes the code from the history.
  history.replaceState(null, "", location.pathname);
  const { client, metadata } = await findServer();
  const { authorization_response_iss_parameter_supported: hasIss } = metadata;
  // RFC 9207: refuses the response of another server.
  const issuer = params.get("iss") ?? (hasIss ? "" : ISSUER);
  if (
    isRepeated || issuer !== ISSUER || state === undefined ||
    params.get("state") !== state
  ) {
    throw new LoginError("This login was not started on this page. Try again.");
  }
  const error = params.get("error");
  if (error === "access_denied") {
    throw new LoginError("You did not allow this page to read your profile.");
  }
  if (error !== null) {
    const reason = [error, params.get("error_description")].filter(Boolean);
    throw new LoginError(`The login failed: ${reason.join(": ")}`);
  }
  const token = await client.authCode.getToken(params.get("code"), {
    code_verifier: verifier,
  });
  const { parsed: user } = await token.get(metadata.userinfo_endpoint, {
    snaky: false,
  });
  const revoke = async () => {
    if (metadata.revocation_endpoint) await token.revoke();
  };
  return { user, revoke };
}

/** Removes and returns the pending login. */
function takePendingLogin() {
  const pending = sessionStorage.getItem(PENDING_LOGIN);
  sessionStorage.removeItem(PENDING_LOGIN);
  return JSON.parse(pending ?? "{}");
}

async function findServer() {
  const { metadata, ...endpoints } = await discover(ISSUER);
  // A public client: a browser cannot keep a secret.
  const client = new Client(CLIENT_ID, null, {
    ...endpoints,
    redirectUri: location.origin + location.pathname,
  });
  return { client, metadata };
}
