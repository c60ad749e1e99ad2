/**
 * Contract between the service and the server of a runtime.
 *
 * @module
 */
import type { ConnectionInfo } from "../http/exchange.ts";

/** Function that answers a request that came over a connection. */
export type ServeHandler = (
  request: Request,
  info: ConnectionInfo,
) => Response | Promise<Response>;

/** Options of {@linkcode Listen}. */
export interface ListenOptions {
  /** Function that answers requests. */
  readonly handler: ServeHandler;
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on, 0 for any free one. */
  readonly port: number;
  /** Told of what no answer could be made of. */
  readonly onError: (error: unknown) => void;
}

/** A server that listens. */
export interface RunningServer {
  /** Address that it listens on. */
  readonly address: { readonly host: string; readonly port: number };
  /** Resolves once it answers no more. */
  readonly finished: Promise<void>;
  /** Accepts nothing more; resolves when the running requests are answered. */
  shutdown(): Promise<void>;
}

/** Listens; rejects if it cannot, e.g. because somebody else does. */
export type Listen = (options: ListenOptions) => Promise<RunningServer>;
