/**
 * Same as `oauth2/examples/device_login.ts`, with openid-client, which cannot
 * replace the wait.
 */
import * as openid from "openid-client";
import process from "node:process";

/** Shows the code to the user, and returns the token after the login. */
export async function login(
  env: Record<string, string | undefined>,
  show: (line: string) => void,
) {
  const config = await openid.discovery(
    new URL(env.ISSUER ?? ""),
    env.CLIENT_ID ?? "",
    undefined,
    openid.None(),
    { execute: [openid.allowInsecureRequests] },
  );
  const login = await openid.initiateDeviceAuthorization(config, {
    scope: "openid",
  });
  show(`Visit ${login.verification_uri} and enter ${login.user_code}`);
  return await openid.pollDeviceAuthorizationGrant(config, login);
}

if (import.meta.main) {
  const token = await login(process.env, console.log);
  console.log(`Logged in, with the scope ${token.scope}`);
}
