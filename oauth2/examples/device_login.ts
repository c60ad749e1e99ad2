/**
 * Terminal program whose user logs in on another device (RFC 8628).
 *
 * ```sh
 * ISSUER=https://login.example CLIENT_ID=my-cli \
 *   deno run -A oauth2/examples/device_login.ts
 * ```
 */
import { Client, discover } from "@carteiro/oauth2";
import { DeviceLogin, type DeviceOptions } from "@carteiro/oauth2/device";
import process from "node:process";

/** Shows the code to the user, and returns the token after the login. */
export async function login(
  env: Record<string, string | undefined>,
  show: (line: string) => void,
  options: DeviceOptions = {},
) {
  const client = new Client(
    env.CLIENT_ID,
    null,
    await discover(env.ISSUER ?? ""),
  );
  const login = await DeviceLogin.start(client, { scope: "openid" }, options);
  show(`Visit ${login.verificationUri} and enter ${login.userCode}`);
  return await login.getToken();
}

if (import.meta.main) {
  const token = await login(process.env, console.log);
  console.log(`Logged in, with the scope ${token.params.scope}`);
}
