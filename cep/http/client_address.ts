/**
 * The client at the other end of a connection, or behind its proxies.
 *
 * @module
 */
import { isIP } from "node:net";
import type { ConnectionInfo, Exchange } from "./exchange.ts";
import { Networks } from "./networks.ts";

/** The word for a proxy that is connected by a Unix socket. */
const UNIX = "unix";

/**
 * The address of the client: the peer of the connection or, if that is a
 * trusted proxy, the last address in `X-Forwarded-For` that is not one.
 *
 * @param trustedProxies Addresses, networks such as `10.0.0.0/8`, and `unix`
 * for whatever is connected by a Unix socket.
 * @returns A function that gives the address, `undefined` if the server does
 * not tell of the connection, or if it is a Unix socket without a trusted
 * proxy that names its client.
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

/** The address of the other end, or `unix`. */
function peerOf(info: ConnectionInfo | undefined): string | undefined {
  const remote = info?.remoteAddr;
  if (remote?.hostname) return withoutMapping(remote.hostname);
  return remote?.transport === UNIX ? UNIX : undefined;
}

/** The first that is not trusted, from the right; else the leftmost. */
function skipProxies(
  proxy: string,
  headers: Headers,
  isTrusted: (address: string) => boolean,
): string {
  const forwarded = headers.get("x-forwarded-for")?.split(",") ?? [];
  let client = proxy;
  do {
    const previous = withoutPort(forwarded.pop()?.trim() ?? "");
    // Nothing left of an item that is not an address can be believed.
    if (isIP(previous) === 0) break;
    client = withoutMapping(previous);
  } while (isTrusted(client));
  return client;
}

/**
 * Some proxies write `203.0.113.7:5123` and `[2001:db8::1]:443`. Any other text
 * is left as it is.
 */
function withoutPort(item: string): string {
  if (item.startsWith("[")) {
    return /^\[(.*)\](?::\d+)?$/.exec(item)?.[1] ?? item;
  }
  const colon = item.indexOf(":");
  const isPort = colon > 0 && /^:\d+$/.test(item.slice(colon));
  return isPort && item.includes(".") ? item.slice(0, colon) : item;
}

/** A socket for both families gives IPv4 addresses as `::ffff:192.0.2.1`. */
function withoutMapping(address: string): string {
  return address.startsWith("::")
    ? address.replace(/^::ffff:(?=\d+\.)/i, "")
    : address;
}
