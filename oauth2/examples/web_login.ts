/**
 * Web app in which users sign in. Sign-in and session are in sealed cookies, so
 * that the server keeps no state.
 *
 * ```sh
 * export ISSUER=https://login.example CLIENT_ID=my-app CLIENT_SECRET=… \
 *   ORIGIN=http://localhost:8000 COOKIE_KEY=$(openssl rand -hex 32)
 * deno serve -A oauth2/examples/web_login.ts
 * ```
 *
 * Register the redirect URI `ORIGIN/callback` and the post-logout redirect URI
 * `ORIGIN/` at the server. The default export also runs on Bun, and on
 * platforms with the variables in `process.env`.
 */
import { Client, discover, OAuth2Error } from "@carteiro/oauth2";
import { endSessionUrl } from "@carteiro/oauth2/oidc";
import {
  type IdTokenClaims,
  type OpenIdFlowData,
  seal,
  SignIn,
  unseal,
  ValidationError,
} from "@carteiro/oauth2/sign-in";
import process from "node:process";

type User = Pick<IdTokenClaims, "sub" | "name">;

/** Cookies, which the prefix keeps subdomains from setting. */
const LOGIN = { name: "__Host-login", maxAge: 600 };
const USER = { name: "__Host-user", maxAge: 8 * 3600 };

/** Creates the app; its settings are the variables above. */
export async function createApp(env: Record<string, string | undefined>) {
  const { ISSUER = "", ORIGIN = "", COOKIE_KEY = "" } = env;
  const client = new Client(env.CLIENT_ID, env.CLIENT_SECRET, {
    ...await discover(ISSUER),
    redirectUri: `${ORIGIN}/callback`,
  });
  const signIn = new SignIn(client);

  async function login(): Promise<Response> {
    const flow = await signIn.start({ scope: "openid profile" });
    const value = await seal(flow, COOKIE_KEY, LOGIN);
    return redirect(flow.url, cookie(LOGIN, value));
  }

  async function callback(request: Request): Promise<Response> {
    const flow = await unseal<OpenIdFlowData>(request, COOKIE_KEY, LOGIN);
    try {
      const { claims } = await signIn.callback(request, flow);
      const user = { sub: claims!.sub, name: claims!.name };
      const value = await seal(user, COOKIE_KEY, USER);
      return redirect("/", cookie(USER, value), cookie(LOGIN));
    } catch (error) {
      if (error instanceof OAuth2Error || error instanceof ValidationError) {
        return new Response(`Sign-in failed: ${error.code}`, { status: 400 });
      }
      throw error;
    }
  }

  async function home(request: Request): Promise<Response> {
    const user = await unseal<User>(request, COOKIE_KEY, USER);
    return user
      ? new Response(`Hello, ${user.name ?? user.sub}`)
      : redirect("/login");
  }

  function logout(): Response {
    const post_logout_redirect_uri = `${ORIGIN}/`;
    const url = endSessionUrl(client, { post_logout_redirect_uri });
    return redirect(url, cookie(USER));
  }

  return async (request: Request): Promise<Response> => {
    switch (`${request.method} ${new URL(request.url).pathname}`) {
      case "GET /":
        return await home(request);
      case "GET /login":
        return await login();
      case "GET /callback":
        return await callback(request);
      case "POST /logout":
        return logout();
      default:
        return new Response(null, { status: 404 });
    }
  };
}

/** Returns a `Set-Cookie` header; without a value, it deletes the cookie. */
function cookie({ name, maxAge }: typeof LOGIN, value = ""): string {
  const age = value === "" ? 0 : maxAge;
  return `${name}=${value}; Max-Age=${age}; Path=/; HttpOnly; Secure; SameSite=Lax`;
}

function redirect(location: string, ...cookies: string[]): Response {
  const headers = new Headers({ location, "cache-control": "no-store" });
  for (const line of cookies) headers.append("set-cookie", line);
  return new Response(null, { status: 303, headers });
}

let app: Awaited<ReturnType<typeof createApp>> | undefined;

/** Handler for `deno serve` and Bun. */
export default {
  async fetch(request: Request): Promise<Response> {
    app ??= await createApp(process.env);
    return await app(request);
  },
};
