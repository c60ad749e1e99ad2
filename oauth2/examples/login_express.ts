/**
 * Login with Express 5, from the first page to the logout. The variables are
 * those of `login_hono.ts`, and `PORT`.
 */
import { Client, discover } from "@carteiro/oauth2";
import { sendToNode, Session } from "@carteiro/oauth2/session";
import { FileStore } from "@carteiro/oauth2/stores/file";
// @ts-types="@types/express"
import express, { type ErrorRequestHandler } from "express";
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

const app = express();
app.use(async (req, res, next) => {
  if (!await sendToNode(await session.handle(req), res)) next();
});
app.get("/", async (req, res) => {
  const current = await session.get(req);
  if (!current) return void sendToNode(await session.login(req), res);
  res.type("text").send(`Hello, ${current.user.name}`);
});
const recover: ErrorRequestHandler = async (error, req, res, next) => {
  if (!await sendToNode(await session.recover(error, req), res)) next(error);
};
app.use(recover);

app.listen(Number(env.PORT), () => console.log("Listening"));
