/** Manager of a test, its server and its clock. */
import {
  TokenManager,
  type TokenManagerOptions,
  type TokenStore,
} from "../../../oauth2/manager/mod.ts";
import { AccessToken, type Client } from "../../../oauth2/mod.ts";
import { MemoryStore } from "../../../oauth2/stores/mod.ts";
import { createClient, NOW, type Setting, SITE } from "../_client.ts";

/** Request that was sent. */
export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: RequestInit["body"] | undefined;
}

/** Options of {@linkcode manage}. */
export interface Managed extends Omit<Partial<TokenManagerOptions>, "client"> {
  /** Answers to token requests, in order; a function may wait. */
  readonly answers?: readonly (Response | (() => Promise<Response>))[];
  /** Answers to other requests, in order. @default {status 200} */
  readonly replies?: readonly Response[];
  /** Fields of the token of the login; null for none. */
  readonly token?: Record<string, unknown> | null;
  /** Options of the client. */
  readonly setting?: Setting;
}

/** Manager and what it does. */
export interface Setup {
  readonly api: TokenManager;
  readonly client: Client;
  readonly store: TokenStore;
  /** Clock in seconds. */
  readonly clock: { now: number };
  readonly sent: Sent[];
  readonly reports: unknown[];
  /** Milliseconds of the pauses. */
  readonly waits: number[];
  /** Creates another manager of the same key, as in another process. */
  readonly other: (options?: Partial<TokenManagerOptions>) => TokenManager;
}

/** Fields of a token that expires in an hour. */
export const TOKEN = {
  access_token: "first",
  refresh_token: "refresh-1",
  expires_in: 3600,
};

/** Answer of the token endpoint. */
export function answer(
  fields: Record<string, unknown> = {
    access_token: "second",
    refresh_token: "refresh-2",
    expires_in: 3600,
  },
): Response {
  return Response.json(fields);
}

/** Error of the token endpoint. */
export function refusal(
  error: string,
  status = 400,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ error }, { status, headers });
}

/** Lists the tokens that were revoked. */
export function revoked(sent: readonly Sent[]): (string | null)[] {
  return sent.filter(({ url }) => url === `${SITE}/oauth/revoke`)
    .map(({ body }) => new URLSearchParams(String(body)).get("token"));
}

/** Creates a manager; its store has the token of a login. */
export async function manage(
  {
    answers = [],
    replies = [],
    token = TOKEN,
    setting,
    store = new MemoryStore(),
    ...options
  }: Managed = {},
): Promise<Setup> {
  const clock = { now: NOW };
  const sent: Sent[] = [];
  const reports: unknown[] = [];
  const waits: number[] = [];
  const [tokens, others] = [[...answers], [...replies]];
  const client = createClient({
    clock: () => clock.now * 1000,
    fetch: async (url, { method = "GET", headers, body }) => {
      sent.push({ url, method, headers: new Headers(headers), body });
      if (url !== `${SITE}/oauth/token`) {
        return others.shift() ?? new Response("ok");
      }
      const next = tokens.shift();
      if (!next) throw new Error("Cannot answer another token request");
      return typeof next === "function" ? await next() : next;
    },
    ...setting,
  });
  let id = 0;
  const other = (more: Partial<TokenManagerOptions> = {}) =>
    new TokenManager({
      client,
      store,
      key: "ana",
      random: () => `id-${id++}`,
      report: (error) => reports.push(error),
      wait: (milliseconds) => {
        waits.push(milliseconds);
        clock.now += milliseconds / 1000;
        return Promise.resolve();
      },
      ...options,
      ...more,
    });
  const api = other();
  if (token) {
    await other({ store: unfailing(store) })
      .set(AccessToken.fromHash(client, token));
  }
  return { api, client, store, clock, sent, reports, waits, other };
}

/** Store behind a store that fails, if it is one. */
function unfailing(store: TokenStore): TokenStore {
  return store instanceof FailingStore ? store.values : store;
}

/** Store whose operations fail when a test wants it. */
export class FailingStore implements TokenStore {
  readonly values = new MemoryStore();
  /** Names of operations that fail before or after they are done. */
  readonly failing: { [name: string]: "before" | "after" | undefined } = {};
  /** Names of the operations. */
  readonly calls: string[] = [];

  /** Ends all failures. */
  heal(): void {
    for (const name of ["get", "set", "swap"]) {
      Object.defineProperty(this.failing, name, { value: undefined });
    }
  }

  get(key: string): Promise<string | undefined> {
    return this.#run("get", () => this.values.get(key));
  }

  set(key: string, value: string | undefined): Promise<void> {
    return this.#run("set", () => this.values.set(key, value));
  }

  compareAndSwap(
    ...args: Parameters<MemoryStore["compareAndSwap"]>
  ): Promise<boolean> {
    return this.#run("swap", () => this.values.compareAndSwap(...args));
  }

  async #run<T>(name: string, run: () => Promise<T>): Promise<T> {
    this.calls.push(name);
    const failure = this.failing[name];
    if (failure === "before") throw new Error("disk full");
    const result = await run();
    if (failure === "after") throw new Error("connection lost");
    return result;
  }
}
