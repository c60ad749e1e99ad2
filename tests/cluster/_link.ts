import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** TCP link to a port of the loopback interface that a test can cut. */
export class Link implements AsyncDisposable {
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  readonly #target: number;
  #isCut = false;
  /** Bytes that still pass to this end, before it is held. */
  #allowance = Infinity;
  readonly #hold = Promise.withResolvers<void>();

  private constructor(target: number) {
    this.#target = target;
  }

  /** Opens a link to a port. */
  static async open(target: number): Promise<Link> {
    const link = new Link(target);
    link.#server.listen(0, "127.0.0.1");
    await once(link.#server, "listening");
    return link;
  }

  /** Port of this end. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** URL of this end. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  #accept(near: Socket): void {
    if (this.#isCut) {
      near.on("error", () => {}).destroy();
      return;
    }
    const far = connect({ host: "127.0.0.1", port: this.#target });
    for (const [socket, other] of [[near, far], [far, near]] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    near.pipe(far);
    far.on("data", (chunk) => {
      this.#allowance -= chunk.length;
      if (this.#allowance >= 0) near.write(chunk);
      else this.#hold.resolve();
    });
    far.on("end", () => near.end());
  }

  /** Resolves when bytes are held. */
  get held(): Promise<void> {
    return this.#hold.promise;
  }

  /** Lets some more bytes pass to this end, and then no others. */
  hold(bytes: number): void {
    this.#allowance = bytes;
  }

  /** Closes its connections, and every later one at once. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets connections pass again. */
  mend(): void {
    this.#isCut = false;
    this.#allowance = Infinity;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}
