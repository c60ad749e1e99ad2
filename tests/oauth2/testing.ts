/** What tests of a whole client share: the client, what it is asked, and the answers. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Client,
  type ClientOptions,
  type JwtKey,
  OAuth2Error,
} from "../../oauth2/mod.ts";
import {
  type Answer,
  type Exchange,
  type Expected,
  type FakeFetch,
  fakeFetch,
  type Fields,
} from "./fake_fetch.ts";

export const SITE = "https://api.example.com";
export const TOKEN_URL = `${SITE}/oauth/token`;
/** Seconds: Tue, 14 Nov 2023 22:13:20 GMT. */
export const NOW = 1_700_000_000;
export const FORM = { "content-type": "application/x-www-form-urlencoded" };
export const JWT_KEY = {
  algorithm: "HS256",
  key: "a secret of sufficient length for HS256",
};
/** A key for private_key_jwt, made for one run. */
export async function signingKey(): Promise<JwtKey> {
  const { privateKey: key } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    false,
    ["sign", "verify"],
  );
  return { algorithm: "ES256", key };
}

/** The claims of a JWT, not verified. */
export function claimsOf(jwt: string): Record<string, unknown> {
  const [, claims = ""] = jwt.split(".");
  return JSON.parse(atob(claims.replace(/-/g, "+").replace(/_/g, "/")));
}

export const CLAIMS = { iss: "otter" };
export const CALLBACK = "https://app.example/callback";

export interface World {
  readonly client: Client;
  readonly fetch: FakeFetch;
  readonly log: readonly string[];
}

/** What differs from client `abc` with secret `hush-hush`. */
export interface Setting extends ClientOptions {
  readonly id?: string | null;
  readonly secret?: string | null;
}

/** A test with a client of its own, whose requests must come as told. */
export function clientTest(
  name: string,
  exchanges: Exchange[],
  act: (world: World) => unknown,
  { id = "abc", secret = "hush-hush", ...options }: Setting = {},
): void {
  Deno.test(name, async () => {
    const fetch = fakeFetch(exchanges);
    const log: string[] = [];
    const write = (line: unknown) => void log.push(String(line));
    const client = new Client(id, secret, {
      site: SITE,
      fetch,
      clock: () => NOW * 1000,
      logger: { debug: write, warn: write },
      debug: false,
      ...options,
    });
    try {
      await act({ client, fetch, log });
    } catch (error) {
      throw fetch.fault ?? error;
    }
    fetch.assertDone();
  });
}

export function json(value: unknown, status = 200): Answer {
  const headers = { "content-type": "application/json" };
  return { status, headers, body: JSON.stringify(value) };
}

export function form(body: string): Answer {
  return { status: 200, headers: FORM, body };
}

/** The exchange of a token request. */
export function asked(respond: Answer, expect: Expected = {}): Exchange {
  return { expect: { method: "POST", url: TOKEN_URL, ...expect }, respond };
}

export function sentForm(
  fields: Fields,
  respond = json({ access_token: "m" }),
) {
  return asked(respond, { body: { form: fields } });
}

/** The exchange of a request to the resource `/from`. */
export function visited(respond: Answer, expect: Expected = {}): Exchange {
  return {
    expect: { method: "GET", url: `${SITE}/from`, ...expect },
    respond,
  };
}

export function redirect(location: string, status = 302): Answer {
  return { status, headers: { location } };
}

export async function oauth2Error(
  promise: Promise<unknown>,
): Promise<OAuth2Error> {
  return await assertRejects(() => promise, OAuth2Error) as OAuth2Error;
}

export function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}

/** Whatever is written in a test and must not show. */
const SECRETS = ["hush-hush", "monkey123", "rhesus456", "private789"];

export function assertHidden(text: string): void {
  assertEquals(SECRETS.filter((secret) => text.includes(secret)), [], text);
  assert(!text.includes(btoa("abc:hush-hush")), text);
}
