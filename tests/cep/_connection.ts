/** Raw TCP client of a server. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Response from the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Bytes of the head and the body. */
  readonly size: number;
}

const HEAD_END = "\r\n\r\n";

/** Persistent connection. */
export class Connection implements Disposable {
  readonly #socket: Socket;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #received = new Uint8Array();

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#chunks = socket[Symbol.asyncIterator]();
    // The next read or write reports the error.
    socket.on("error", () => {});
  }

  /** Connects to a port of the loopback interface. */
  static async open(port: number): Promise<Connection> {
    const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    await once(socket, "connect");
    return new Connection(socket);
  }

  /** Sends text in ISO-8859-1. */
  send(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(
        text,
        "latin1",
        (error) => error ? reject(error) : resolve(),
      );
    });
  }

  /** Ends the sending half. */
  end(): void {
    this.#socket.end();
  }

  /**
   * Sends a GET request and receives the response.
   *
   * @returns `undefined` if the server closed the connection before the
   * response.
   * @throws If the server closed the connection in the middle of the response.
   */
  async get(path: string): Promise<WireAnswer | undefined> {
    try {
      await this.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    } catch (error) {
      if (!isClosed(error)) throw error;
    }
    return await this.receive();
  }

  /** Receives the next response, which must have a `Content-Length`. */
  async receive(): Promise<WireAnswer | undefined> {
    let end = -1;
    while ((end = this.#text().indexOf(HEAD_END)) < 0) {
      if (await this.#more()) continue;
      if (this.#received.length === 0) return undefined;
      throw new Error(`Answer cut in its head: ${this.#text()}`);
    }
    const [first = "", ...lines] = this.#text().slice(0, end).split("\r\n");
    const headers = new Headers(lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }));
    const start = end + HEAD_END.length;
    const last = start + Number(headers.get("content-length"));
    while (this.#received.length < last) {
      if (await this.#more()) continue;
      throw new Error(`Answer cut after ${this.#received.length} of ${last}`);
    }
    const body = this.#received.slice(start, last);
    this.#received = this.#received.slice(last);
    return { status: Number(first.split(" ")[1]), headers, body, size: last };
  }

  /** Receives until a text has occurred, or until the end. */
  async receiveUntil(text: string): Promise<string> {
    while (!this.#text().includes(text) && await this.#more());
    return this.#text();
  }

  /** Receives everything until the server closes the connection. */
  async drain(): Promise<string> {
    while (await this.#more());
    return this.#text();
  }

  #text(): string {
    return new TextDecoder("latin1").decode(this.#received);
  }

  async #more(): Promise<boolean> {
    const chunk = await this.#next();
    if (chunk === undefined) return false;
    const joined = new Uint8Array(this.#received.length + chunk.length);
    joined.set(this.#received);
    joined.set(chunk, this.#received.length);
    this.#received = joined;
    return true;
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#chunks.next();
      return done ? undefined : value;
    } catch (error) {
      if (isClosed(error)) return undefined;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** True for the error of a connection that the other side has closed. */
function isClosed(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return [
    "ECONNRESET",
    "EPIPE",
    "ERR_STREAM_DESTROYED",
    "ERR_STREAM_PREMATURE_CLOSE",
  ].includes(code);
}

/** True for the error of a connection to a closed port. */
export function isRefused(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === "ECONNREFUSED" ||
    (code === "ECONNRESET" && syscall === "connect");
}
