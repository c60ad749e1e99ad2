import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import process from "node:process";
import { reasonOf } from "../../util/reason_of.ts";

/** Address to listen on; port 0 is any free one. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Prepares the sharing of ports by threads. On Deno, it may run this program
 * once more, in the same process.
 *
 * @throws {Error} If threads cannot share a port here.
 */
export async function ensurePortSharing(): Promise<void> {
  if (process.versions.deno !== undefined) {
    return (await import("../deno.ts")).ensurePortSharing();
  }
  try {
    const [host, reusePort] = ["127.0.0.1", true];
    const one = await listen({ host, port: 0, reusePort });
    try {
      const { port } = one.address() as AddressInfo;
      await close(await listen({ host, port, reusePort }));
    } finally {
      await close(one);
    }
  } catch (cause) {
    throw new Error(
      "threads share a port only on Linux, on Deno and from Node 22.12 on",
      { cause },
    );
  }
}

/**
 * Claims a port that several threads will share. It must not be in use: another
 * program of the same user that shares it would get requests, too. Two services
 * that start at the same time would both find it free, so that each first takes
 * a socket named after the address, which Linux alone has.
 *
 * @returns The claim, to be closed in the end, if it needs one.
 * @throws {Error} If the port is in use.
 */
export async function claimPort(
  address: Address,
): Promise<Server | undefined> {
  if (address.port === 0) return undefined;
  let name: Server | undefined;
  try {
    const { address: ip } = await tryToListen(address);
    name = await takeName(`${ip}:${address.port}`);
    await tryToListen(address);
    return name;
  } catch (cause) {
    name?.close();
    const { host, port } = address;
    throw new Error(`Cannot listen on ${host}:${port}: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

/** Listens for a moment, and returns the address. */
async function tryToListen(address: Address): Promise<AddressInfo> {
  const server = await listen(address);
  const found = server.address() as AddressInfo;
  await close(server);
  return found;
}

/**
 * Takes the socket of an address, which the kernel frees with the process, if
 * sockets with names are allowed.
 */
async function takeName(name: string): Promise<Server | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    // A name that starts with NUL is not of a file.
    return await listen({ path: `\0carteiro-cep:${name}` });
  } catch (cause) {
    if (!/EADDRINUSE|in use/.test(reasonOf(cause))) return undefined;
    throw new Error("another service uses the port", { cause });
  }
}

async function listen(
  where: Address & { readonly reusePort?: boolean } | { readonly path: string },
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
