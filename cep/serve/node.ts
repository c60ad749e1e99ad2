import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, Server as TcpServer, type Socket } from "node:net";
import type { ListenOptions, RunningServer } from "./listen.ts";
import { createNodeListener } from "./node_listener.ts";

/** Maximum size of request headers, as in `Deno.serve`. */
const MAX_HEADER_BYTES = 65_536;

/**
 * Milliseconds until an idle connection is closed: more than the usual minute
 * of proxies, which could otherwise send a request at that moment.
 */
const KEEP_ALIVE_MS = 75_000;

/** Default of Node for the seconds until headers must have arrived. */
const HEADER_SECONDS = 60;

/** Listens with `node:http`. */
export async function listen(
  { handler, host, port, sharesPort = false, headerSeconds, onError }:
    ListenOptions,
): Promise<RunningServer> {
  const headersMs = (headerSeconds || HEADER_SECONDS) * 1000;
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(headersMs / 4, 5000),
      // A stream may take any time. The handler has a timeout for each part.
      requestTimeout: 0,
    },
    createNodeListener(handler, onError),
  );
  const connections = new Connections(server);
  const finished = new Promise<void>((resolve) =>
    server.once("close", resolve)
  );
  server.listen({ host, port, reusePort: sharesPort });
  await once(server, "listening"); // rejects on an "error" event
  server.on("error", onError);
  const { address, port: chosen } = server.address() as AddressInfo;
  return {
    address: { host: address, port: chosen },
    finished,
    async shutdown() {
      connections.close();
      await finished;
    },
  };
}

/**
 * Connections of a server, closed when they are idle. `Server.close()` would
 * cut off responses that a slow client is still receiving.
 */
class Connections {
  readonly #server: Server;
  /** Number of requests in flight. */
  readonly #running = new Map<Socket, number>();
  #closing = false;

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket) => {
      this.#running.set(socket, 0);
      socket.once("close", () => this.#running.delete(socket));
    });
    server.on("request", ({ socket }, answer) => {
      this.#count(socket, +1);
      answer.once("close", () => this.#count(socket, -1));
    });
  }

  #count(socket: Socket, change: number): void {
    const before = this.#running.get(socket);
    if (before === undefined) return; // already closed
    const running = before + change;
    this.#running.set(socket, running);
    if (this.#closing && running === 0) socket.destroySoon();
  }

  /** Stops accepting connections, and closes each one as soon as it is idle. */
  close(): void {
    this.#closing = true;
    TcpServer.prototype.close.call(this.#server);
    for (const [socket, running] of this.#running) {
      if (running === 0) socket.destroySoon();
    }
  }
}
