/**
 * Who is calling.
 *
 * @module
 */
import { BlockList, isIP } from "node:net";
import type { Exchange } from "./exchange.ts";

/**
 * The address of the client: the other end of the connection or, as long as
 * that is a trusted proxy, whoever it says it speaks for in `X-Forwarded-For`,
 * from the right.
 *
 * @param trustedProxies Addresses or networks such as `10.0.0.0/8`.
 * @returns A function that tells the address, `undefined` if the server did not
 * tell of the connection.
 */
export function clientAddress(
  trustedProxies: readonly string[],
): (exchange: Exchange) => string | undefined {
  const trusted = new BlockList();
  for (const item of trustedProxies) {
    const [address = "", bits] = item.split("/");
    const most = isIP(address) === 6 ? 128 : 32;
    trusted.addSubnet(address, Number(bits ?? most), family(address));
  }
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, family(address));

  return ({ request, info }) => {
    const peer = info?.remoteAddr.hostname;
    if (peer === undefined) return undefined;
    let client = withoutMapping(peer);
    if (trustedProxies.length === 0) return client;
    const forwarded = request.headers.get("x-forwarded-for")?.split(",") ?? [];
    while (isTrusted(client)) {
      const previous = forwarded.pop()?.trim();
      // Beyond what is not an address nothing can be believed.
      if (previous === undefined || isIP(previous) === 0) break;
      client = withoutMapping(previous);
    }
    return client;
  };
}

/** A socket for both families gives IPv4 addresses as `::ffff:192.0.2.1`. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

function family(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
