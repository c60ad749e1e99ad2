/**
 * Same as `oauth2/examples/service.ts`, with openid-client, but without retry
 * and without check of the origin.
 */
import * as openid from "openid-client";
import process from "node:process";

/** Returns the API. */
export async function connect(env: Record<string, string | undefined>) {
  const { ISSUER = "", CLIENT_ID = "", CLIENT_SECRET } = env;
  const config = await openid.discovery(
    new URL(ISSUER),
    CLIENT_ID,
    undefined,
    openid.ClientSecretBasic(CLIENT_SECRET),
    { execute: [openid.allowInsecureRequests] },
  );
  let token: Promise<string> | undefined;
  let renewAt = 0;
  const renew = async () => {
    const answer = await openid.clientCredentialsGrant(config);
    renewAt = Date.now() + (answer.expiresIn() ?? 60) * 1000 - 60_000;
    return answer.access_token;
  };
  return {
    async fetch(url: string) {
      if (Date.now() >= renewAt) {
        renewAt = Infinity;
        token = renew();
        token.catch(() => renewAt = 0);
      }
      return await openid.fetchProtectedResource(
        config,
        (await token)!,
        new URL(url),
        "GET",
      );
    },
  };
}

if (import.meta.main) {
  const api = await connect(process.env);
  const response = await api.fetch(process.env.API + process.argv[2]!);
  console.log(response.status, await response.text());
}
