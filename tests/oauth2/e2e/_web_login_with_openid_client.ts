/**
 * Same as `oauth2/examples/web_login.ts`, with openid-client and jose, but
 * without verification of signatures, and with one use of a sign-in only as
 * far as the server enforces it.
 */
import { EncryptJWT, jwtDecrypt } from "jose";
import * as openid from "openid-client";
import process from "node:process";

interface Login {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface User {
  readonly sub: string;
  readonly name?: string;
}

/** Seconds of a session. */
const SESSION = 8 * 3600;

/** Creates the app. */
export async function createApp(env: Record<string, string | undefined>) {
  const { ISSUER = "", CLIENT_ID = "", ORIGIN = "", COOKIE_KEY = "" } = env;
  const config = await openid.discovery(
    new URL(ISSUER),
    CLIENT_ID,
    undefined,
    openid.ClientSecretBasic(env.CLIENT_SECRET ?? ""),
    { execute: [openid.allowInsecureRequests] },
  );
  const key = Uint8Array.from(
    COOKIE_KEY.match(/../g) ?? [],
    (byte) => parseInt(byte, 16),
  );

  async function seal(name: string, value: object, maxAge: number) {
    const text = await new EncryptJWT({ ...value })
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setAudience(name)
      .setExpirationTime(`${maxAge}s`)
      .encrypt(key);
    return cookie(name, text, maxAge);
  }

  async function unseal<T>(request: Request, name: string) {
    const cookies = request.headers.get("cookie") ?? "";
    const [, text] = new RegExp(`(?:^|; )${name}=([^;]*)`).exec(cookies) ?? [];
    if (!text) return undefined;
    try {
      return (await jwtDecrypt<T>(text, key, { audience: name })).payload;
    } catch {
      return undefined;
    }
  }

  async function login(): Promise<Response> {
    const state = openid.randomState();
    const nonce = openid.randomNonce();
    const verifier = openid.randomPKCECodeVerifier();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: `${ORIGIN}/callback`,
      scope: "openid profile",
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const value = await seal("__Host-login", { state, nonce, verifier }, 600);
    return redirect(url.href, value);
  }

  async function callback(request: Request): Promise<Response> {
    const flow = await unseal<Login>(request, "__Host-login");
    if (!flow) return new Response("Sign-in failed", { status: 400 });
    try {
      const tokens = await openid.authorizationCodeGrant(
        config,
        new URL(request.url),
        {
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          pkceCodeVerifier: flow.verifier,
          idTokenExpected: true,
        },
      );
      const { sub, name } = tokens.claims()!;
      const value = await seal("__Host-user", { sub, name }, SESSION);
      return redirect("/", value, cookie("__Host-login"));
    } catch (error) {
      if (
        error instanceof openid.AuthorizationResponseError ||
        error instanceof openid.ResponseBodyError
      ) {
        return new Response(`Sign-in failed: ${error.error}`, { status: 400 });
      }
      if (error instanceof openid.ClientError) {
        return new Response(`Sign-in failed: ${error.code}`, { status: 400 });
      }
      throw error;
    }
  }

  async function home(request: Request): Promise<Response> {
    const user = await unseal<User>(request, "__Host-user");
    return user
      ? new Response(`Hello, ${user.name ?? user.sub}`)
      : redirect("/login");
  }

  function logout(): Response {
    const post_logout_redirect_uri = `${ORIGIN}/`;
    const url = openid.buildEndSessionUrl(config, { post_logout_redirect_uri });
    return redirect(url.href, cookie("__Host-user"));
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
function cookie(name: string, value = "", maxAge = 0): string {
  return `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; Secure; SameSite=Lax`;
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
