/** Application with a session, its OpenID provider and its user's browser. */
import { assert, assertEquals } from "@std/assert";
import type { TokenStore } from "../../../oauth2/manager/mod.ts";
import {
  type IdTokenClaims,
  Session,
  type SessionOptions,
} from "../../../oauth2/session/mod.ts";
import { MemoryStore } from "../../../oauth2/stores/mod.ts";
import {
  type Answers,
  idTokenClaims,
  issueJwt,
  ISSUER,
  METADATA,
  Provider,
  publicJwk,
} from "../_openid_provider.ts";

/** Origin of the application. */
export const ORIGIN = "https://app.example";
/** Key of the cookies. */
export const SECRET = "0f".repeat(32);

/** Store that fails, counts and delays as a test wants. */
export class TestStore implements TokenStore {
  readonly #inner = new MemoryStore();
  /** Keys in the store. */
  readonly keys = new Set<string>();
  /** Runs before an operation; may throw. */
  before: (operation: string, key: string) => unknown = () => {};

  async get(key: string): Promise<string | undefined> {
    await this.before("get", key);
    return await this.#inner.get(key);
  }

  async set(key: string, value: string | undefined): Promise<void> {
    await this.before("set", key);
    await this.#inner.set(key, value);
    this.#note(key, value);
  }

  async compareAndSwap(
    key: string,
    expected: string | undefined,
    value: string | undefined,
  ): Promise<boolean> {
    await this.before("swap", key);
    const swapped = await this.#inner.compareAndSwap(key, expected, value);
    if (swapped) this.#note(key, value);
    return swapped;
  }

  /** Lists keys by their kind, e.g. `token`. */
  kinds(): string[] {
    return [...this.keys].map((key) => key.split(":")[0]!)
      .filter((kind) => kind !== "used").sort();
  }

  #note(key: string, value: string | undefined): void {
    if (value === undefined) this.keys.delete(key);
    else this.keys.add(key);
  }
}

/** Provider whose users sign in, and whose tokens can be revoked. */
export class Login {
  readonly provider: Provider;
  /** User who signs in next. */
  user: Readonly<Record<string, unknown>> = { sub: "ana", sid: "sid-1" };
  /** Access and refresh tokens that were revoked. */
  readonly revoked: string[] = [];
  /** Forms of token requests. */
  readonly forms: URLSearchParams[] = [];
  readonly reports: unknown[] = [];
  readonly store: TestStore;
  readonly session: Session;
  #nonces = new Map<string, string>();
  #count = 0;
  readonly #issued: string[] = [];

  constructor(
    options: Partial<SessionOptions<IdTokenClaims>> = {},
    { answers = {}, metadata = {} }: { answers?: Answers; metadata?: object } =
      {},
  ) {
    this.store = new TestStore();
    this.provider = new Provider(
      {
        "/keys": async () => ({ keys: [await publicJwk("rs256")] }),
        "/token": (request) => this.#issue(request),
        "/revoke": async (request) => {
          const form = new URLSearchParams(await request.text());
          this.revoked.push(form.get("token")!);
          return {};
        },
        "/me": () => ({ sub: this.user.sub, name: "Ana" }),
        ...answers,
      },
      { revokeUrl: `${ISSUER}/revoke` },
      { revocation_endpoint: `${ISSUER}/revoke`, ...metadata },
    );
    this.session = this.open(options);
  }

  /** Creates another process of the application. */
  open(
    options: Partial<SessionOptions<IdTokenClaims>> = {},
    store: TokenStore = this.store,
  ): Session {
    return new Session({
      client: this.provider.client,
      store,
      secret: SECRET,
      origin: ORIGIN,
      report: (error) => this.reports.push(error),
      ...options,
    });
  }

  /** Signs in at the provider, and returns the URL of the callback. */
  approve(url: string, changes: Record<string, string> = {}): string {
    assert(url.startsWith(METADATA.authorization_endpoint), url);
    const params = new URL(url).searchParams;
    const code = `code-${++this.#count}`;
    this.#nonces.set(code, params.get("nonce") ?? "");
    const back = new URL(params.get("redirect_uri")!);
    back.search = String(
      new URLSearchParams({
        code,
        state: params.get("state")!,
        iss: ISSUER,
        ...changes,
      }),
    );
    return back.href;
  }

  /** Lists the refresh tokens that were issued, and neither used nor revoked. */
  alive(): string[] {
    const used = this.forms.map((form) => form.get("refresh_token"));
    const gone = new Set([...used, ...this.revoked]);
    return this.#issued.filter((token) => !gone.has(token));
  }

  /** Claims of an ID token for the client. */
  idToken(claims: object): Promise<string> {
    const { now } = this.provider;
    const times = { iat: now, exp: now + 300 };
    return issueJwt({ ...idTokenClaims(), ...times, ...this.user, ...claims });
  }

  async #issue(request: Request): Promise<object> {
    const form = new URLSearchParams(await request.text());
    this.forms.push(form);
    const nonce = this.#nonces.get(form.get("code") ?? "");
    const number = ++this.#count;
    this.#issued.push(`refresh-${number}`);
    return {
      access_token: `access-${number}`,
      refresh_token: `refresh-${number}`,
      token_type: "Bearer",
      expires_in: 300,
      ...nonce && { id_token: await this.idToken({ nonce }) },
    };
  }
}

/** Browser with cookies, whose pages are those of one application. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** Lines of `Set-Cookie`. */
  readonly lines: string[] = [];

  constructor(
    public session: Session,
    readonly login: Login,
  ) {}

  /** Sends a request to the session, and keeps the cookies of its response. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.session.handle(this.request(path, init));
    if (!response) throw new Error(`There is no response to ${path}`);
    return this.keep(response);
  }

  /** Creates a request with the cookies. */
  request(path: string, init: RequestInit = {}): Request {
    const headers = new Headers(init.headers);
    const pairs = [...this.cookies].map((pair) => pair.join("="));
    if (pairs.length > 0) headers.set("cookie", pairs.join("; "));
    const { body = null, ...others } = init;
    return new Request(new URL(path, ORIGIN), {
      ...others,
      headers,
      ...body !== null && { body },
    });
  }

  /** Keeps the cookies of a response. */
  keep(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      this.lines.push(line);
      const [, name = "", value = "", age] =
        /^([\w-]+)=([^;]*); Max-Age=(\d+); /.exec(line) ?? [];
      if (age === "0") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** Signs the user in, and returns where the user arrives. */
  async signIn(path = "/login"): Promise<string> {
    const started = await this.send(path);
    assertEquals(started.status, 303, await started.clone().text());
    const done = await this.send(this.login.approve(locationOf(started)));
    assertEquals(done.status, 303, await done.clone().text());
    return locationOf(done);
  }

  /** Returns the user of the session. */
  async user(): Promise<string | undefined> {
    return (await this.session.get(this.request("/")))?.user.sub;
  }

  /** Signs the user out by a form of the application. */
  logout(headers: HeadersInit = { origin: ORIGIN }): Promise<Response> {
    return this.send("/logout", { method: "POST", headers });
  }
}

/** Starts a browser, and its application. */
export function visit(
  ...args: ConstructorParameters<typeof Login>
): { login: Login; browser: Browser; session: Session } {
  const login = new Login(...args);
  const { session } = login;
  return { login, session, browser: new Browser(session, login) };
}

/** Returns the target of a redirect. */
export function locationOf({ headers }: Response): string {
  return headers.get("location") ?? "";
}
