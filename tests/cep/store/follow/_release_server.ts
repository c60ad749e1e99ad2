/** Folder of releases on a loopback HTTP server that can misbehave. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { createHash } from "node:crypto";

/** Request to the server. */
export interface Seen {
  readonly name: string;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly query: string;
}

/** Answer in place of the file's. */
export type Misbehave = (
  response: ServerResponse,
  content: Uint8Array<ArrayBuffer>,
  request: IncomingMessage,
) => void | Promise<void>;

/** HTTP server of a folder: ETags, ranges, and faults by the name of a file. */
export class ReleaseServer implements AsyncDisposable {
  /** Requests so far. */
  readonly seen: Seen[] = [];
  /** Answers by the name of a file, in place of the usual ones. */
  readonly faults = new Map<string, Misbehave>();
  /** False to ignore `Range`. */
  ranges = true;
  /** False to send no ETag. */
  etags = true;
  readonly #folder: string;
  readonly #server: Server;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error) => response.destroy(error));
    });
  }

  static async start(folder: string): Promise<ReleaseServer> {
    const server = new ReleaseServer(folder);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  /** Address of the folder. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Names of the files that were asked for, since the last call. */
  takeNames(): string[] {
    return this.seen.splice(0).map(({ name, range }) =>
      range === undefined ? name : `${name} ${range}`
    );
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const url = new URL(request.url!, "http://server.test");
    const name = basename(url.pathname);
    const { headers } = request;
    this.seen.push({
      name,
      range: headers.range,
      ifRange: headers["if-range"] as string | undefined,
      ifNoneMatch: headers["if-none-match"],
      query: url.search,
    });
    const content = this.#read(name);
    const fault = this.faults.get(name);
    if (fault) return await fault(response, content ?? EMPTY, request);
    if (content === undefined) return void response.writeHead(404).end();
    const etag = etagOf(content);
    if (this.etags) response.setHeader("etag", etag);
    if (this.etags && headers["if-none-match"] === etag) {
      return void response.writeHead(304).end();
    }
    const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
    const isSame = [undefined, etag].includes(
      headers["if-range"] as string | undefined,
    );
    if (start === 0 || !this.ranges || !isSame) {
      return void response.writeHead(200, {
        "content-length": content.length,
      }).end(content);
    }
    if (start >= content.length) return void response.writeHead(416).end();
    response.writeHead(206, {
      "content-length": content.length - start,
      "content-range": `bytes ${start}-${content.length - 1}/${content.length}`,
    }).end(content.subarray(start));
  }

  #read(name: string): Uint8Array<ArrayBuffer> | undefined {
    try {
      return new Uint8Array(readFileSync(join(this.#folder, name)));
    } catch {
      return undefined;
    }
  }

  /** Stops at once, with all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

const EMPTY = new Uint8Array();

function etagOf(content: Uint8Array): string {
  return `"${createHash("sha256").update(content).digest("hex")}"`;
}

/** Answers with a status and without a body. */
export function respond(status: number): Misbehave {
  return (response) => void response.writeHead(status).end();
}

/** Answers with a redirect. */
export function redirect(location: string): Misbehave {
  return (response) => void response.writeHead(302, { location }).end();
}
