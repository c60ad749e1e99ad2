/**
 * Claim of a port for all workers of a supervisor.
 *
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import process from "node:process";
import { reasonOf } from "../reason_of.ts";

/** Port that no other supervisor uses on this address. */
export class PortClaim implements AsyncDisposable {
  readonly #server: Server | undefined;

  private constructor(readonly port: number, server: Server | undefined) {
    this.#server = server;
  }

  /**
   * Claims a port, 0 for any free one. It must not be in use: workers of Deno
   * would share it with any other program of the same user that shares it. Two
   * supervisors that start at the same time would both find it free, so that
   * each first takes a socket named after the address. Linux alone has such
   * sockets, and there alone workers share a port by themselves.
   *
   * @throws {Error} If the port is in use.
   */
  static async take(host: string, port: number): Promise<PortClaim> {
    let named: Server | undefined;
    try {
      const free = await findPort(host, 0);
      const claimed = { ...free, port: port || free.port };
      named = await claim(claimed);
      await findPort(host, claimed.port);
      return new PortClaim(claimed.port, named);
    } catch (cause) {
      if (named) await close(named);
      throw new Error(`Cannot listen on ${host}:${port}: ${reasonOf(cause)}`, {
        cause,
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server) await close(this.#server);
  }
}

/** Listens on a port for a moment, and returns its address. */
async function findPort(host: string, port: number): Promise<AddressInfo> {
  const server = await listen({ host, port });
  const found = server.address() as AddressInfo;
  await close(server);
  return found;
}

/** Takes the socket of an address, which the kernel frees with the process. */
async function claim(
  { address, port }: AddressInfo,
): Promise<Server | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    // A name that starts with NUL is not of a file.
    return await listen({ path: `\0carteiro-cep:${address}:${port}` });
  } catch (cause) {
    throw new Error("another supervisor uses the port", { cause });
  }
}

async function listen(
  where: { readonly host: string; readonly port: number } | {
    readonly path: string;
  },
): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.listen({ ...where, exclusive: true });
  await once(server, "listening"); // rejects on an "error" event
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}
