/** A fetch that knows the requests it will get and its answers to them. */
import { assertEquals, AssertionError } from "@std/assert";

/** Decoded pairs of a query or form; a list is a name that is repeated. */
export type Fields<Value = string> = { [name: string]: Value | string[] };

/** What a request must be; what is left out is not compared. */
export interface Expected {
  readonly method?: string;
  /** Origin and path. Where it is given, the query is compared too. */
  readonly url?: string;
  /**
   * The complete query.
   *
   * @default {} if `url` is given
   */
  readonly query?: Fields<ExpectedValue>;
  /**
   * Only these are compared; `null` means absent. A `content-type` without
   * parameters is compared without parameters.
   */
  readonly headers?: { readonly [name: string]: string | null };
  /** The complete body; `null` is none. */
  readonly body?:
    | { readonly form: Fields<ExpectedValue> }
    | { readonly json: unknown }
    | { readonly text: string }
    | null;
}

/** A value as it is sent, or a signed JWT, which `verifyJwt` looks at. */
export type ExpectedValue = string | { readonly jwt: unknown };

/** How a request ends. */
export type Answer =
  | Response
  | {
    /** Any number: 600, and a 304 with a body, are possible. */
    readonly status: number;
    readonly headers?: { readonly [name: string]: string };
    readonly body?: string | Uint8Array<ArrayBuffer>;
  }
  /** There is no connection; the text is the cause. */
  | { readonly fail: string }
  /** There is no answer, until the request is aborted. */
  | { readonly hang: true };

/** A request that must come, and what it is answered. */
export interface Exchange {
  readonly expect?: Expected;
  readonly respond: Answer;
}

/** A request that came. */
export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

/** What {@link fakeFetch} makes. */
export interface FakeFetch {
  (input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** All requests that came, in their order. */
  readonly requests: readonly SeenRequest[];
  /** Why the first request that was not as expected was not. */
  readonly fault: unknown;
  /** Fails if a request was not as expected, or if one never came. */
  assertDone(): void;
}

/** What {@link fakeFetch} may be told besides the exchanges. */
export interface FakeFetchOptions {
  /** Fails if the text is not the JWT that is expected. */
  readonly verifyJwt?: (text: string, expected: unknown) => Promise<void>;
}

/**
 * Makes a fetch out of exchanges, which must come in their order.
 *
 * A client may take a fault that is thrown here for a lost connection: only
 * `assertDone` tells for sure.
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
        throw new AssertionError("fetch would follow redirects by itself");
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
        assertEquals(left.map(({ expect }) => expect), [], "never requested");
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

  /** What was verified is then expected as it came. */
  async function verified(wanted: Fields<ExpectedValue>, got: Fields) {
    const entries = Object.entries(wanted).map(async ([name, value]) => {
      if (typeof value === "string" || Array.isArray(value)) {
        return [name, value];
      }
      if (verifyJwt === undefined) throw new TypeError("no verifyJwt is given");
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
    // As undici and Deno tell it: the cause has the reason.
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
  // `Response` takes no such status, and no body with these.
  const possible = status >= 200 && status <= 599 &&
    !(body.length > 0 && [204, 205, 304].includes(status));
  const response = new Response(body.length === 0 ? null : body, {
    status: possible ? status : 200,
    headers,
  });
  // `Response` adds a type to a body of text by itself.
  if (!new Headers(headers).has("content-type")) {
    response.headers.delete("content-type");
  }
  return Object.defineProperties(response, {
    url: { value: request.url.replace(/#.*/, "") },
    status: { value: status },
    ok: { value: status >= 200 && status <= 299 },
  });
}
