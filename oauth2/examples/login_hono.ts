/**
 * Login with Hono, from the first page to the logout.
 *
 * ```sh
 * export ISSUER=https://login.example CLIENT_ID=my-app CLIENT_SECRET=… \
 *   ORIGIN=http://localhost:8000 COOKIE_KEY=$(openssl rand -hex 32) \
 *   SESSIONS=/var/lib/my-app/sessions
 * deno serve -A oauth2/examples/login_hono.ts
 * ```
 *
 * Register `ORIGIN/callback` as redirect URI, `ORIGIN/` as post-logout redirect
 * URI and `ORIGIN/backchannel-logout` as back-channel logout URI.
 */
import { Client, discover } from "@carteiro/oauth2";
import { Session } from "@carteiro/oauth2/session";
import { FileStore } from "@carteiro/oauth2/stores/file";
import { Hono } from "hono";
import { env } from "node:process";

const found = await discover(env.ISSUER!);
const session = new Session({
  client: new Client(env.CLIENT_ID, env.CLIENT_SECRET, found),
  store: new FileStore(env.SESSIONS!, { ttl: 86_400 }),
  secret: env.COOKIE_KEY!,
  origin: env.ORIGIN!,
  scope: "openid profile offline_access",
  profile: "userinfo",
});

const app = new Hono();
app.use(async ({ req }, next) => await session.handle(req.raw) ?? await next());
app.get("/", async ({ req, text }) => {
  const current = await session.get(req.raw);
  if (!current) return await session.login(req.raw);
  return text(`Hello, ${current.user.name}`);
});
app.onError(async (error, { req, text }) =>
  await session.recover(error, req.raw) ?? text("Internal error", 500)
);

export default app;
