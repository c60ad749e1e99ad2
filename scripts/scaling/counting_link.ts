import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/** TCP link to a server on this machine that counts what the server sends. */
export class CountingLink implements AsyncDisposable {
  readonly #server = createServer({ allowHalfOpen: true });
  /** Bytes from the server so far. */
  bytes = 0;

  private constructor(target: URL) {
    this.#server.on("connection", (near) => {
      const far = connect({
        host: target.hostname,
        port: Number(target.port),
        allowHalfOpen: true,
      });
      far.on("data", (chunk: Uint8Array) => this.bytes += chunk.length);
      for (const [socket, other] of [[near, far], [far, near]] as const) {
        socket.on("error", () => other.destroy());
        socket.on("close", () => other.destroy());
        socket.pipe(other);
      }
    });
  }

  /** Opens a link to the server at a URL. */
  static async open(target: string): Promise<CountingLink> {
    const link = new CountingLink(new URL(target));
    link.#server.listen(0, "127.0.0.1");
    await once(link.#server, "listening");
    return link;
  }

  /** URL of this end. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes it after its connections, which the programs at its ends close. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, "close");
  }
}
