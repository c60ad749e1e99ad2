/**
 * The login of a public client: authorization code grant with PKCE (RFC 6749
 * section 4.1, RFC 7636) and OpenID Connect.
 *
 * @module
 */
import { Client, discover, OAuth2Error } from "@carteiro/oauth2";
import { fetchUserInfo } from "@carteiro/oauth2/oidc";
import { SignIn, ValidationError } from "@carteiro/oauth2/sign-in";

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
  const { signIn } = await findServer();
  const flow = await signIn.start({ scope: SCOPE });
  sessionStorage.setItem(PENDING_LOGIN, JSON.stringify(flow));
  location.assign(flow.url);
  // Keeps the buttons disabled until the browser leaves the page.
  await new Promise(() => {});
}

/**
 * Completes the login if the server has redirected back to this page.
 *
 * @returns The userinfo of the user and a function that revokes the token, or
 * `undefined` without a redirect.
 * @throws {LoginError} If the user denied access, or the login was not started
 * here.
 */
export async function endLogin() {
  const params = new URLSearchParams(location.search);
  if (!params.has("code") && !params.has("error")) return undefined;
  const flow = takePendingLogin();
  // Removes the code from the history.
  history.replaceState(null, "", location.pathname);
  const { signIn, metadata } = await findServer();
  try {
    const { token, claims } = await signIn.callback(params, flow);
    const user = await fetchUserInfo(token, { sub: claims.sub });
    const revoke = async () => {
      if (metadata.revocation_endpoint) await token.revoke();
    };
    return { user, revoke };
  } catch (error) {
    throw explain(error);
  }
}

/** Returns an error with a message for the user, if there is one. */
function explain(error) {
  if (error instanceof OAuth2Error && error.code === "access_denied") {
    return new LoginError("You did not allow this page to read your profile.");
  }
  if (!(error instanceof ValidationError)) return error;
  return new LoginError(
    error.code === "flow_expired"
      ? "This login took too long. Try again."
      : "This login was not started on this page. Try again.",
    { cause: error },
  );
}

/** Removes and returns the pending login. */
function takePendingLogin() {
  const pending = sessionStorage.getItem(PENDING_LOGIN);
  sessionStorage.removeItem(PENDING_LOGIN);
  return JSON.parse(pending);
}

async function findServer() {
  const found = await discover(ISSUER);
  // A public client: a browser cannot keep a secret.
  const client = new Client(CLIENT_ID, null, {
    ...found,
    redirectUri: location.origin + location.pathname,
  });
  return { signIn: new SignIn(client), metadata: found.metadata };
}
