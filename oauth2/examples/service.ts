/**
 * Service that calls an API with a token of its own (client credentials). The
 * token is requested with the first call, and renewed ahead of its expiry or
 * when the API rejects it.
 *
 * ```sh
 * export ISSUER=https://login.example CLIENT_ID=my-service CLIENT_SECRET=… \
 *   API=https://api.example
 * deno run -A oauth2/examples/service.ts /orders
 * ```
 */
import { Client, discover } from "@carteiro/oauth2";
import { TokenManager } from "@carteiro/oauth2/manager";
import process from "node:process";

/** Returns the API; its settings are the variables above. */
export async function connect(env: Record<string, string | undefined>) {
  const { ISSUER = "", CLIENT_ID, CLIENT_SECRET, API = "" } = env;
  const client = new Client(CLIENT_ID, CLIENT_SECRET, await discover(ISSUER));
  return new TokenManager({
    client,
    allowedOrigins: [API],
    grant: () => client.clientCredentials.getToken(),
  });
}

if (import.meta.main) {
  const api = await connect(process.env);
  const response = await api.fetch(process.env.API + process.argv[2]!);
  console.log(response.status, await response.text());
}
