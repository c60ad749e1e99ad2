import { isIP } from "node:net";
import type { ConnectionInfo, Exchange } from "./exchange.ts";
import { Networks } from "./networks.ts";
import type { RequestHeaders } from "./reply.ts";

/** Name of every peer that is connected over a Unix socket. */
const UNIX = "unix";

/**
 * Creates a function that finds the address of a client: the peer of the
 * connection or, if the peer is a trusted proxy, the last address in
 * `X-Forwarded-For` that is not a trusted proxy.
 *
 * @param trustedProxies Addresses, networks such as `10.0.0.0/8`, or `unix` for
 * connections over a Unix socket.
 * @returns A function that returns the address. It is `undefined` if the server
 * does not pass the connection, or for a Unix socket without the address of a
 * client from a trusted proxy.
 */
export function clientAddress(
  trustedProxies: readonly string[],
): (exchange: Exchange) => string | undefined {
  const networks = new Networks(trustedProxies.filter((it) => it !== UNIX));
  const trustsUnix = trustedProxies.includes(UNIX);
  const isTrusted = (peer: string) =>
    peer === UNIX ? trustsUnix : networks.includes(peer);

  return ({ requestHeaders, info }) => {
    let client = peerOf(info);
    if (
      client !== undefined && trustedProxies.length > 0 && isTrusted(client)
    ) {
      client = skipProxies(client, requestHeaders, isTrusted);
    }
    return client === UNIX ? undefined : client;
  };
}

/** Returns the address of the peer, or `unix`. */
function peerOf(info: ConnectionInfo | undefined): string | undefined {
  const remote = info?.remoteAddr;
  if (remote?.hostname) return withoutMapping(remote.hostname);
  return remote?.transport === UNIX ? UNIX : undefined;
}

/** Returns the last address that is not trusted, or the first if all are. */
function skipProxies(
  proxy: string,
  headers: RequestHeaders,
  isTrusted: (address: string) => boolean,
): string {
  const forwarded = headers.get("x-forwarded-for")?.split(",") ?? [];
  let client = proxy;
  do {
    const previous = withoutPort(forwarded.pop()?.trim() ?? "");
    // Items to the left of an invalid one cannot be trusted.
    if (isIP(previous) === 0) break;
    client = withoutMapping(previous);
  } while (isTrusted(client));
  return client;
}

/** Removes the port from `203.0.113.7:5123` and `[2001:db8::1]:443`. */
function withoutPort(item: string): string {
  if (item.startsWith("[")) {
    return /^\[(.*)\](?::\d+)?$/.exec(item)?.[1] ?? item;
  }
  const colon = item.indexOf(":");
  const isPort = colon > 0 && /^:\d+$/.test(item.slice(colon));
  return isPort && item.includes(".") ? item.slice(0, colon) : item;
}

/**
 * Unmaps `::ffff:192.0.2.1`, the form of IPv4 addresses on dual-stack sockets.
 */
function withoutMapping(address: string): string {
  return address.startsWith("::")
    ? address.replace(/^::ffff:(?=\d+\.)/i, "")
    : address;
}
