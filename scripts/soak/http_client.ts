/**
 * Client on one persistent connection, which reads answers byte by byte: a
 * missing, repeated or foreign byte is an error.
 */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import type { Reply } from "./answer_judge.ts";

/** Request on the wire. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Answer from the wire. */
export interface WireReply extends Reply {
  readonly headers: ReadonlyMap<string, string>;
}

/** Address of the service. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Options of {@linkcode HttpClient.open}. */
export interface ClientOptions {
  /** Milliseconds to wait for a part of an answer. */
  readonly timeoutMs?: number;
  /** Called before each part of an answer is read, to read slowly. */
  readonly beforeRead?: () => Promise<void>;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LINE_END = Buffer.from("\r\n");

/** Persistent connection. */
export class HttpClient implements Disposable {
  readonly #socket: Socket;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #beforeRead: (() => Promise<void>) | undefined;
  #received: Buffer = Buffer.alloc(0);
  /** False after the last answer of the connection. */
  isOpen = true;

  private constructor(
    socket: Socket,
    { timeoutMs = 60_000, beforeRead }: ClientOptions,
  ) {
    this.#socket = socket;
    this.#beforeRead = beforeRead;
    this.#chunks = socket[Symbol.asyncIterator]();
    socket.on("error", () => {}); // The next read reports it.
    socket.setTimeout(timeoutMs, () => {
      socket.destroy(new Error(`no byte in ${timeoutMs} ms`));
    });
  }

  /** Connects to a service. */
  static async open(
    { host, port }: Target,
    options: ClientOptions = {},
  ): Promise<HttpClient> {
    const socket = connect({ host, port });
    socket.setNoDelay(true);
    await once(socket, "connect");
    return new HttpClient(socket, options);
  }

  /** Sends bytes as they are. */
  write(bytes: string): void {
    this.#socket.write(bytes);
  }

  /** Sends a request. */
  send({ method, path, headers, body }: WireRequest): void {
    const lines = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`);
    const length = body === undefined
      ? ""
      : `content-length: ${Buffer.byteLength(body)}\r\n`;
    this.write(
      `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join("")}` +
        `${length}\r\n${body ?? ""}`,
    );
  }

  /** Sends a request and receives the answer. */
  async ask(request: WireRequest): Promise<WireReply> {
    this.send(request);
    return await this.receive(request.method);
  }

  /** Receives the answer to a request. */
  async receive(method = "GET"): Promise<WireReply> {
    const head = (await this.#until(HEAD_END)).toString("latin1");
    const [first = "", ...lines] = head.split("\r\n");
    const match = /^HTTP\/1\.1 (\d{3})/.exec(first);
    if (match === null) throw new Error(`"${first}" is not a status line`);
    const status = Number(match[1]);
    const headers = new Map(lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }));
    if (headers.get("connection")?.toLowerCase() === "close") {
      this.isOpen = false;
    }
    const isEmpty = method === "HEAD" || status === 204 || status === 304;
    const bytes = isEmpty ? Buffer.alloc(0) : await this.#body(headers);
    const isGzip = bytes.length > 0 &&
      headers.get("content-encoding") === "gzip";
    const body = (isGzip ? gunzipSync(bytes) : bytes).toString("utf8");
    return { status, headers, body };
  }

  async #body(headers: ReadonlyMap<string, string>): Promise<Buffer> {
    const length = headers.get("content-length");
    if (length !== undefined) return await this.#take(Number(length));
    if (headers.get("transfer-encoding") !== "chunked") {
      throw new Error("the answer has neither a length nor chunks");
    }
    const chunks: Buffer[] = [];
    while (true) {
      const size = Number.parseInt(
        (await this.#until(LINE_END)).toString(),
        16,
      );
      if (Number.isNaN(size)) throw new Error("a chunk has no size");
      const chunk = await this.#take(size);
      await this.#until(LINE_END);
      if (size === 0) return Buffer.concat(chunks);
      chunks.push(chunk);
    }
  }

  /** Takes the bytes before an end, and drops the end. */
  async #until(end: Buffer): Promise<Buffer> {
    let at: number;
    while ((at = this.#received.indexOf(end)) < 0) await this.#read();
    const bytes = this.#received.subarray(0, at);
    this.#received = this.#received.subarray(at + end.length);
    return bytes;
  }

  async #take(length: number): Promise<Buffer> {
    while (this.#received.length < length) await this.#read();
    const bytes = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return bytes;
  }

  async #read(): Promise<void> {
    await this.#beforeRead?.();
    const { done, value } = await this.#chunks.next();
    if (done) throw new Error("the service closed the connection");
    this.#received = this.#received.length === 0
      ? value
      : Buffer.concat([this.#received, value]);
  }

  /** Closes the connection at once. */
  [Symbol.dispose](): void {
    this.isOpen = false;
    this.#socket.destroy();
  }
}
