import type { ConnectionInfo } from "../http/exchange.ts";
import type { Incoming, Reply } from "../http/reply.ts";

/** Function that handles a request, given its connection. */
export interface ServeHandler {
  /** Responds to a request. */
  (request: Request, info: ConnectionInfo): Response | Promise<Response>;
  /** Responds to a request of a server that has lighter ones than `Request`. */
  readonly reply?: (
    request: Incoming,
    info: ConnectionInfo,
  ) => Reply | Promise<Reply>;
}

/** Options of {@linkcode Listen}. */
export interface ListenOptions {
  /** Function that handles requests. */
  readonly handler: ServeHandler;
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on, 0 for any free port. */
  readonly port: number;
  /**
   * True if other threads listen on the same port.
   *
   * @default {false}
   */
  readonly sharesPort?: boolean;
  /**
   * Seconds within which the headers of a request must arrive, 0 for the
   * default of the runtime.
   *
   * @default {0}
   */
  readonly headerSeconds?: number;
  /** Called with errors of the handler and of sending its response. */
  readonly onError: (error: unknown) => void;
}

/** Listening server. */
export interface RunningServer {
  /** Address that it listens on. */
  readonly address: { readonly host: string; readonly port: number };
  /** Resolves after the server has stopped. */
  readonly finished: Promise<void>;
  /** Stops accepting connections; resolves after the requests in flight. */
  shutdown(): Promise<void>;
}

/** Starts a server; rejects if it cannot listen, e.g. on a port in use. */
export type Listen = (options: ListenOptions) => Promise<RunningServer>;
