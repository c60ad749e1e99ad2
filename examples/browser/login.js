/**
 * The login of a public client: the authorization code grant with PKCE
 * (RFC 6749 section 4.1, RFC 7636).
 */
import { Client, discover, pkce, randomState } from "@carteiro/oauth2";

/** `build.js` puts in their values. */
const { ISSUER, CLIENT_ID, SCOPE } = import.meta.env;

/** Where the browser keeps what belongs to a login that is under way. */
const UNDER_WAY = "login";

/** A login that did not come to its end, told to the person. */
export class LoginError extends Error {
  name = "LoginError";
}

/** Sends the person to the server, which will send them back to this page. */
export async function beginLogin() {
  const { client } = await findServer();
  const { challenge, method, verifier } = await pkce();
  const state = randomState();
  sessionStorage.setItem(UNDER_WAY, JSON.stringify({ state, verifier }));
  location.assign(client.authCode.authorizeUrl({
    scope: SCOPE,
    state,
    code_challenge: challenge,
    code_challenge_method: method,
  }));
  // The page is about to be left: nobody shall begin once more meanwhile.
  await new Promise(() => {});
}

/**
 * Ends the login if the server has just sent the person back.
 *
 * @returns What the server tells about the person, and how to give the token
 * back, which nothing but the memory of this page holds; `undefined` if the
 * server has sent nobody.
 * @throws {LoginError} If the server refused, or the login is not ours.
 */
export async function endLogin() {
  const answer = new URLSearchParams(location.search);
  if (!answer.has("code") && !answer.has("error")) return undefined;
  const { state, verifier } = takeUnderWay();
  const isRepeated = new Set(answer.keys()).size < [...answer.keys()].length;
  // The code is good for one use, and nothing for the history or a bookmark.
  history.replaceState(null, "", location.pathname);
  const { client, metadata } = await findServer();
  const { authorization_response_iss_parameter_supported: tellsIssuer } =
    metadata;
  // RFC 9207: the answer of another server is not for this login.
  const issuer = answer.get("iss") ?? (tellsIssuer ? "" : ISSUER);
  if (
    isRepeated || issuer !== ISSUER || state === undefined ||
    answer.get("state") !== state
  ) {
    throw new LoginError("This is not a login that was begun here. Try again.");
  }
  const error = answer.get("error");
  if (error === "access_denied") {
    throw new LoginError("You did not allow this page to know who you are.");
  }
  if (error !== null) {
    const said = [error, answer.get("error_description")].filter(Boolean);
    throw new LoginError(`The login ended with ${said.join(": ")}`);
  }
  const token = await client.authCode.getToken(answer.get("code"), {
    code_verifier: verifier,
  });
  const { parsed: person } = await token.get(metadata.userinfo_endpoint, {
    snaky: false,
  });
  const giveBack = async () => {
    if (metadata.revocation_endpoint) await token.revoke();
  };
  return { person, giveBack };
}

/** What was kept of the login under way; it is good for one answer. */
function takeUnderWay() {
  const kept = sessionStorage.getItem(UNDER_WAY);
  sessionStorage.removeItem(UNDER_WAY);
  return JSON.parse(kept ?? "{}");
}

async function findServer() {
  const { metadata, ...endpoints } = await discover(ISSUER);
  // No secret: whatever a browser loads is known to all.
  const client = new Client(CLIENT_ID, null, {
    ...endpoints,
    redirectUri: location.origin + location.pathname,
  });
  return { client, metadata };
}
