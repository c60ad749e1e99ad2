import { Client, discover } from "@carteiro/oauth2";
import { Session } from "@carteiro/oauth2/session";
import { FileStore } from "@carteiro/oauth2/stores/file";
import { env } from "node:process";

let session;

/** Returns the session, made at first use: `next build` loads this file, too. */
export async function getSession() {
  const found = session ? undefined : await discover(env.ISSUER);
  return session ??= new Session({
    client: new Client(env.CLIENT_ID, env.CLIENT_SECRET, found),
    store: new FileStore(env.SESSIONS, { ttl: 86_400 }),
    secret: env.COOKIE_KEY,
    origin: env.ORIGIN,
    path: "/auth",
    scope: "openid profile offline_access",
    profile: "userinfo",
  });
}
