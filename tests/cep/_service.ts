/** Service without a socket, and the parts of an exchange. */
import type { Address } from "../../cep/record/address.ts";
import type { Config } from "../../cep/settings/config.ts";
import type {
  Answer,
  ConnectionInfo,
  Exchange,
  Middleware,
  Route,
} from "../../cep/http/exchange.ts";
import type { Handler } from "../../cep/http/handler.ts";
import { createServiceHandler } from "../../cep/http/service_handler.ts";
import { docs } from "../../cep/http/routes/docs.ts";
import type { RateLimitStore } from "../../cep/http/rate_limiter.ts";
import { Turns } from "../../cep/util/turns.ts";
import type { Store } from "../../cep/store/store.ts";
import { CapturingLogger } from "./_logger.ts";
import { recordsStore } from "./_records.ts";

/** Options of {@linkcode Service.open}. */
export interface ServiceOptions {
  /** Records of the store, which otherwise has no release. */
  readonly records?: readonly Address[];
  /** Store in place of the records. */
  readonly store?: Store;
  readonly config?: Partial<Config>;
  readonly now?: () => number;
  /** Quotas of clients, by default those of the handler. */
  readonly limits?: RateLimitStore;
  /** Delay of the event loop, in seconds. */
  readonly eventLoopLag?: () => number;
  /** Milliseconds to wait for a body; by default so many that none is late. */
  readonly bodyMs?: number;
}

/** Request to a {@linkcode Service}. */
export interface Call extends RequestInit {
  /** Address of the client; by default, the connection is unknown. */
  readonly from?: string;
}

/** Handler with its store and its log. */
export class Service implements AsyncDisposable {
  readonly logger = new CapturingLogger();
  readonly handler: Handler;
  readonly #owned: boolean;

  private constructor(
    readonly store: Store,
    { store: given, config = {}, now, limits, bodyMs, eventLoopLag }:
      ServiceOptions,
  ) {
    this.#owned = given === undefined;
    this.handler = createServiceHandler({
      store,
      config,
      logger: this.logger,
      docs,
      build: { version: "1.2.3", commit: "abc", repo: "http://example.test" },
      ...(now && { now }),
      ...(limits && { limits }),
      ...(eventLoopLag && { eventLoopLag }),
      ...(bodyMs !== undefined && { bodyMs }),
    });
  }

  /** Opens a service. */
  static open(options: ServiceOptions = {}): Promise<Service> {
    const store = options.store ?? recordsStore(options.records);
    return Promise.resolve(new Service(store, options));
  }

  /** Sends a request to a path. */
  async ask(path: string, { from, ...init }: Call = {}): Promise<Response> {
    const request = new Request(`http://localhost${path}`, init);
    return await this.handler(
      request,
      from === undefined ? undefined : info(from),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#owned) await this.store.close();
  }
}

/** Returns a connection from an address. */
export function info(hostname: string): ConnectionInfo {
  return { remoteAddr: { transport: "tcp", hostname } };
}

/** Returns a route with some members replaced. */
export function route(changes: Partial<Route> = {}): Route {
  return {
    id: "getSomething",
    pattern: "/",
    summary: { en: "", pt: "" },
    parameters: [],
    answers: {},
    errors: [],
    handle: () => ({ status: 204 }),
    ...changes,
  };
}

/** Returns an exchange with some members replaced. */
export function exchange(changes: Partial<Exchange> = {}): Exchange {
  const { request = new Request("http://localhost/") } = changes;
  return {
    request,
    method: request.method,
    requestHeaders: request.headers,
    path: "/",
    query: "",
    info: undefined,
    bodyMs: 1000,
    turns: new Turns(() => 0),
    start: 0,
    route: route(),
    variables: {},
    headers: {},
    id: "",
    idGiven: false,
    allowance: undefined,
    charge: undefined,
    ...changes,
  };
}

/** Runs a middleware around a response. */
export async function complete(
  middleware: Middleware,
  it: Exchange,
  answer: Answer,
): Promise<Answer> {
  return await middleware.before?.(it) ??
    await middleware.after?.(it, answer) ?? answer;
}

/** Returns the items of a header that is a list. */
export function items(response: Response, name: string): string[] {
  const value = response.headers.get(name) ?? "";
  return value.split(",").map((item) => item.trim()).filter(Boolean);
}

/** Decompresses gzipped text. */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const plain = new Blob([bytes]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  return await new Response(plain).text();
}

/** Returns a stream of bytes in chunks of a size. */
export function inChunks(bytes: Uint8Array, size: number): ReadableStream {
  let start = 0;
  return new ReadableStream({
    pull(controller) {
      if (start >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(start, start += size));
    },
  });
}
