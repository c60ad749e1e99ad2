import type { ConnectionInfo } from "../http/exchange.ts";
import type {
  Listen,
  ListenOptions,
  RunningServer,
  ServeHandler,
} from "./listen.ts";

/** Connection of `Deno.serve`. */
interface ServeInfo extends ConnectionInfo {
  /** Settles after the response has been sent, or has failed. */
  readonly completed?: Promise<void>;
}

/** Methods of requests whose body is not read. */
const WITHOUT_BODY = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Defers the shutdown of a server until the requests with a body have been
 * answered: `Deno.serve` cuts off the bodies that it is receiving when it shuts
 * down. Until then, the port stays open; other requests are answered with
 * `Connection: close`, and new ones with a body are refused.
 */
export function draining(listen: Listen): Listen {
  return async (options) => {
    const bodies = new Bodies(options.handler);
    return new Draining(await listen(bodies.watch(options)), bodies);
  };
}

class Draining implements RunningServer {
  readonly address: RunningServer["address"];
  readonly finished: Promise<void>;
  readonly #server: RunningServer;
  readonly #bodies: Bodies;

  constructor(server: RunningServer, bodies: Bodies) {
    this.address = server.address;
    this.finished = server.finished;
    this.#server = server;
    this.#bodies = bodies;
  }

  async shutdown(): Promise<void> {
    await this.#bodies.drain();
    await this.#server.shutdown();
  }
}

/** Requests with a body that are in flight. */
class Bodies {
  readonly #handler: ServeHandler;
  readonly #none = Promise.withResolvers<void>();
  #count = 0;
  #stopping = false;

  constructor(handler: ServeHandler) {
    this.#handler = handler;
  }

  /** Has the requests of a server counted. */
  watch(options: ListenOptions): ListenOptions {
    const handler = (request: Request, info: ServeInfo) =>
      this.#handle(request, info);
    return { ...options, handler };
  }

  /** Refuses further bodies; resolves when none is in flight. */
  async drain(): Promise<void> {
    this.#stopping = true;
    if (this.#count > 0) await this.#none.promise;
  }

  #handle(
    request: Request,
    info: ServeInfo,
  ): Response | Promise<Response> {
    const hasBody = !WITHOUT_BODY.has(request.method);
    if (this.#stopping) {
      return hasBody ? refusal() : this.#handleLast(request, info);
    }
    if (hasBody && info.completed !== undefined) {
      this.#count++;
      const end = () => this.#end();
      info.completed.then(end, end);
    }
    return this.#handler(request, info);
  }

  async #handleLast(request: Request, info: ServeInfo): Promise<Response> {
    const response = await this.#handler(request, info);
    response.headers.set("connection", "close");
    return response;
  }

  #end(): void {
    this.#count--;
    if (this.#count === 0 && this.#stopping) this.#none.resolve();
  }
}

function refusal(): Response {
  return new Response(null, {
    status: 503,
    headers: { connection: "close", "retry-after": "1" },
  });
}
