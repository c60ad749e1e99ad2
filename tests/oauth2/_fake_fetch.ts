/** A `fetch` for tests, with expected requests and their answers. */
import { assertEquals, AssertionError } from "@std/assert";

/** Decoded pairs of a query or form; a list is a repeated name. */
export type Fields<Value = string> = { [name: string]: Value | string[] };

/** Expected request. Missing members are not compared. */
export interface Expected {
  readonly method?: string;
  /** Origin and path. With it, the query is compared too. */
  readonly url?: string;
  /**
   * The complete query.
   *
   * @default {{} if `url` is given}
   */
  readonly query?: Fields<ExpectedValue>;
  /**
   * Headers; others are not compared. `null` means absent. A `content-type`
   * without parameters is compared without parameters.
   */
  readonly headers?: { readonly [name: string]: string | null };
  /** The complete body; `null` means absent. */
  readonly body?:
    | { readonly form: Fields<ExpectedValue> }
    | { readonly json: unknown }
    | { readonly text: string }
    | null;
}

/** Value that is sent, or a signed JWT, which `verifyJwt` checks. */
export type ExpectedValue = string | { readonly jwt: unknown };

/** Answer to a request. */
export type Answer =
  | Response
  | {
    /** Any number: 600 is possible, and a body with 304. */
    readonly status: number;
    readonly headers?: { readonly [name: string]: string };
    readonly body?: string | Uint8Array<ArrayBuffer>;
  }
  /** No connection, with the message of its cause. */
  | { readonly fail: string }
  /** No answer until the request is aborted. */
  | { readonly hang: true };

/** Expected request and its answer. */
export interface Exchange {
  readonly expect?: Expected;
  readonly respond: Answer;
}

/** Request that was sent. */
export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

/** Result of {@linkcode fakeFetch}. */
export interface FakeFetch {
  (input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** All requests, in order. */
  readonly requests: readonly SeenRequest[];
  /** Error of the first unexpected request. */
  readonly fault: unknown;
  /** Throws if a request was unexpected, or an expected one was not sent. */
  assertDone(): void;
}

/** Options of {@linkcode fakeFetch}. */
export interface FakeFetchOptions {
  /** Rejects if the text is not the expected JWT. */
  readonly verifyJwt?: (text: string, expected: unknown) => Promise<void>;
}

/**
 * Creates a `fetch` that expects these requests in this order.
 *
 * It rejects an unexpected request, which a client may report as a failed
 * connection: call `assertDone` at the end.
 */
export function fakeFetch(
  exchanges: Iterable<Exchange>,
  { verifyJwt }: FakeFetchOptions = {},
): FakeFetch {
  const left = [...exchanges];
  const requests: SeenRequest[] = [];
  let fault: unknown;

  async function fetch(
    input: RequestInfo | URL,
    init?: RequestInit,
  ): Promise<Response> {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const exchange = left.shift();
    const seen = await see(request);
    requests.push(seen);
    try {
      if (request.redirect === "follow") {
        throw new AssertionError("fetch must not follow redirects");
      }
      if (exchange === undefined) {
        throw new AssertionError(
          `unexpected request: ${seen.method} ${seen.url}`,
        );
      }
      await compare(seen, exchange.expect ?? {}, verifyJwt);
    } catch (error) {
      fault ??= error;
      throw error;
    }
    return await answer(exchange.respond, request);
  }

  return Object.defineProperties(fetch, {
    requests: { value: requests },
    fault: { get: () => fault },
    assertDone: {
      value: () => {
        if (fault !== undefined) throw fault;
        assertEquals(left.map(({ expect }) => expect), [], "not sent");
      },
    },
  }) as unknown as FakeFetch;
}

async function see(request: Request): Promise<SeenRequest> {
  const { method, url, headers } = request;
  return { method, url: new URL(url), headers, body: await request.text() };
}

async function compare(
  seen: SeenRequest,
  expected: Expected,
  verifyJwt: FakeFetchOptions["verifyJwt"],
): Promise<void> {
  const { method, url, headers, body } = expected;
  const query = expected.query ?? (url === undefined ? undefined : {});

  /** Replaces each expected JWT by the JWT that was sent, once verified. */
  async function verified(wanted: Fields<ExpectedValue>, got: Fields) {
    const entries = Object.entries(wanted).map(async ([name, value]) => {
      if (typeof value === "string" || Array.isArray(value)) {
        return [name, value];
      }
      if (verifyJwt === undefined) {
        throw new TypeError("Cannot verify the JWT: there is no verifyJwt");
      }
      const text = got[name];
      if (typeof text !== "string") return [name, value];
      await verifyJwt(text, value.jwt);
      return [name, text];
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  const got: Record<string, unknown> = {};
  const want: Record<string, unknown> = {};
  if (method !== undefined) [got.method, want.method] = [seen.method, method];
  if (url !== undefined) {
    [got.url, want.url] = [seen.url.origin + seen.url.pathname, url];
  }
  if (query !== undefined) {
    const fields = toFields(seen.url.searchParams);
    [got.query, want.query] = [fields, await verified(query, fields)];
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    const header = seen.headers.get(name);
    got[`header ${name}`] = name === "content-type" && !value?.includes(";")
      ? mediaType(header)
      : header;
    want[`header ${name}`] = value;
  }
  if (body === null) {
    [got.body, want.body] = [seen.body, ""];
  } else if (body !== undefined && "text" in body) {
    [got.body, want.body] = [seen.body, body.text];
  } else if (body !== undefined && "json" in body) {
    [got.body, want.body] = [parseJson(seen.body), body.json];
  } else if (body !== undefined) {
    const fields = toFields(new URLSearchParams(seen.body));
    [got.body, want.body] = [fields, await verified(body.form, fields)];
    if (seen.body !== "" && headers?.["content-type"] === undefined) {
      got["header content-type"] = mediaType(seen.headers.get("content-type"));
      want["header content-type"] = "application/x-www-form-urlencoded";
    }
  }
  assertEquals(got, want);
}

function toFields(pairs: URLSearchParams): Fields {
  const names = [...new Set(pairs.keys())];
  return Object.fromEntries(names.map((name) => {
    const values = pairs.getAll(name);
    return [name, values.length === 1 ? values[0]! : values];
  }));
}

function mediaType(contentType: string | null): string | null {
  return contentType && contentType.replace(/;.*/, "").trim();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return `not JSON: ${text}`;
  }
}

async function answer(answer: Answer, request: Request): Promise<Response> {
  if (answer instanceof Response) return answer;
  if ("fail" in answer) {
    // Like undici and Deno, with the reason in the cause.
    throw new TypeError("fetch failed", { cause: new Error(answer.fail) });
  }
  if ("hang" in answer) {
    return await new Promise((_, reject) => {
      const { signal } = request;
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason), {
        once: true,
      });
    });
  }
  const { status, headers = {}, body = "" } = answer;
  // `Response` refuses other statuses, and a body with these.
  const possible = status >= 200 && status <= 599 &&
    !(body.length > 0 && [204, 205, 304].includes(status));
  const response = new Response(body.length === 0 ? null : body, {
    status: possible ? status : 200,
    headers,
  });
  // `Response` adds a content type to text.
  if (!new Headers(headers).has("content-type")) {
    response.headers.delete("content-type");
  }
  return Object.defineProperties(response, {
    url: { value: request.url.replace(/#.*/, "") },
    status: { value: status },
    ok: { value: status >= 200 && status <= 299 },
  });
}
