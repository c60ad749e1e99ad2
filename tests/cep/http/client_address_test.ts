import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ConfigError, parseConfig } from "../../../cep/settings/config.ts";
import type { ConnectionInfo } from "../../../cep/http/exchange.ts";
import { clientAddress } from "../../../cep/http/client_address.ts";
import { exchange, info } from "../_service.ts";

interface Case {
  readonly name: string;
  readonly trusted?: readonly string[];
  readonly peer: string;
  readonly forwarded?: string;
  readonly client: string;
}

const PROXIES = ["10.0.0.0/8", "2001:db8:ffff::/48"];

const CASES: readonly Case[] = [
  {
    name: "returns the peer of the connection",
    peer: "192.0.2.1",
    client: "192.0.2.1",
  },
  {
    name: "ignores X-Forwarded-For by default",
    peer: "192.0.2.1",
    forwarded: "203.0.113.5",
    client: "192.0.2.1",
  },
  {
    name: "ignores X-Forwarded-For of a private address by default",
    peer: "127.0.0.1",
    forwarded: "203.0.113.5",
    client: "127.0.0.1",
  },
  {
    name: "ignores X-Forwarded-For of an untrusted peer",
    trusted: PROXIES,
    peer: "192.0.2.1",
    forwarded: "203.0.113.5",
    client: "192.0.2.1",
  },
  {
    name: "returns the address that a trusted proxy forwards",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "203.0.113.5",
    client: "203.0.113.5",
  },
  {
    name: "returns a trusted proxy without the header",
    trusted: PROXIES,
    peer: "10.0.0.1",
    client: "10.0.0.1",
  },
  {
    name: "returns a trusted proxy with an empty header",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "",
    client: "10.0.0.1",
  },
  {
    name: "ignores an address to the left of an untrusted one",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "198.51.100.7, 203.0.113.5",
    client: "203.0.113.5",
  },
  {
    name: "follows a chain of trusted proxies",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "203.0.113.5,10.0.0.3 ,  10.0.0.2",
    client: "203.0.113.5",
  },
  {
    name: "stops at an untrusted address inside a chain",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "198.51.100.7, 10.0.0.9, 203.0.113.5, 10.0.0.2",
    client: "203.0.113.5",
  },
  {
    name: "returns the first address of a chain of trusted proxies",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "10.0.0.3, 10.0.0.2",
    client: "10.0.0.3",
  },
  {
    name: "stops at an item that is not an address",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "203.0.113.5, unknown",
    client: "10.0.0.1",
  },
  {
    name: "stops at an empty item",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "203.0.113.5, ,10.0.0.2",
    client: "10.0.0.2",
  },
  {
    name: "stops at markup",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "<script>",
    client: "10.0.0.1",
  },
  {
    name: "trusts a proxy by its address",
    trusted: ["10.0.0.1"],
    peer: "10.0.0.1",
    forwarded: "203.0.113.5",
    client: "203.0.113.5",
  },
  {
    name: "does not trust the address after a trusted one",
    trusted: ["10.0.0.1"],
    peer: "10.0.0.2",
    forwarded: "203.0.113.5",
    client: "10.0.0.2",
  },
  {
    name: "does not trust the first address after a network",
    trusted: ["10.0.0.0/30"],
    peer: "10.0.0.4",
    forwarded: "203.0.113.5",
    client: "10.0.0.4",
  },
  {
    name: "trusts the last address of a network",
    trusted: ["10.0.0.0/30"],
    peer: "10.0.0.3",
    forwarded: "203.0.113.5",
    client: "203.0.113.5",
  },
  {
    name: "trusts every IPv4 address",
    trusted: ["0.0.0.0/0"],
    peer: "192.0.2.1",
    forwarded: "2001:db8::5, 203.0.113.5",
    client: "2001:db8::5",
  },
  {
    name: "trusts a proxy by an IPv6 network",
    trusted: PROXIES,
    peer: "2001:db8:ffff::1",
    forwarded: "2001:db8::5",
    client: "2001:db8::5",
  },
  {
    name: "does not trust an IPv6 address outside the network",
    trusted: PROXIES,
    peer: "2001:db8:fffe::1",
    forwarded: "203.0.113.5",
    client: "2001:db8:fffe::1",
  },
  {
    name: "trusts a proxy whose IPv4 address is mapped to IPv6",
    trusted: PROXIES,
    peer: "::ffff:10.0.0.1",
    forwarded: "::FFFF:203.0.113.5",
    client: "203.0.113.5",
  },
  {
    name: "returns an IPv4 address mapped to IPv6 as IPv4",
    peer: "::ffff:192.0.2.1",
    client: "192.0.2.1",
  },
  {
    name: "removes a port",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "203.0.113.7:5123",
    client: "203.0.113.7",
  },
  {
    name: "removes the ports of trusted proxies",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "203.0.113.7:1, 10.0.0.3:65535,[2001:db8:ffff::2]:80",
    client: "203.0.113.7",
  },
  {
    name: "removes brackets and port of IPv6",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "[2001:db8::1]:443",
    client: "2001:db8::1",
  },
  {
    name: "removes brackets of IPv6",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "[2001:db8::1]",
    client: "2001:db8::1",
  },
  {
    name: "keeps the last group of an IPv6 address",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "2001:db8::1:443",
    client: "2001:db8::1:443",
  },
  {
    name: "removes the port of an IPv4 address mapped to IPv6",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "[::ffff:203.0.113.7]:5123",
    client: "203.0.113.7",
  },
  ...[
    "203.0.113.7:",
    "203.0.113.7:x",
    "203.0.113.7:1:2",
    "203.0.113.7:-1",
    ":5123",
    "[203.0.113.7",
    "[2001:db8::1",
    "[2001:db8::1]443",
    "[2001:db8::1]:",
    "[2001:db8::1]:x",
    "[]:443",
    "[[2001:db8::1]]",
    "localhost:80",
    "unix",
  ].map((forwarded) => ({
    name: `stops at ${forwarded}`,
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded,
    client: "10.0.0.1",
  })),
  {
    name: "returns an address with a zone",
    trusted: PROXIES,
    peer: "10.0.0.1",
    forwarded: "fe80::1%eth0",
    client: "fe80::1%eth0",
  },
];

for (const { name, trusted = [], peer, forwarded, client } of CASES) {
  Deno.test(`clientAddress ${name}`, () => {
    assertEquals(clientOf(trusted, peer, forwarded), client);
  });
}

Deno.test("clientAddress reads a repeated header", () => {
  const headers = new Headers();
  headers.append("x-forwarded-for", "203.0.113.5");
  headers.append("x-forwarded-for", "10.0.0.2");
  const request = new Request("http://localhost", { headers });
  const it = exchange({ request, info: info("10.0.0.1") });
  assertEquals(clientAddress(PROXIES)(it), "203.0.113.5");
});

const UNIX = { remoteAddr: { transport: "unix", path: "/run/cep.sock" } };

const UNADDRESSED: readonly (readonly [name: string, info: unknown])[] = [
  ["undefined", undefined],
  ["null", null],
  ["an object", {}],
  ["bindings", { env: {}, remoteAddr: undefined }],
  ["an empty address", { remoteAddr: {} }],
  ["an empty host", { remoteAddr: { transport: "tcp", hostname: "" } }],
  ["a Unix socket", UNIX],
];

for (const [name, given] of UNADDRESSED) {
  Deno.test(`clientAddress returns undefined if the connection is ${name}`, () => {
    const headers = { "x-forwarded-for": "203.0.113.5" };
    const request = new Request("http://localhost", { headers });
    const it = exchange({ request, info: given as ConnectionInfo });
    assertEquals(clientAddress(PROXIES)(it), undefined);
  });
}

const BEHIND_UNIX: readonly (readonly [
  forwarded: string | undefined,
  client: string | undefined,
])[] = [
  ["203.0.113.5", "203.0.113.5"],
  ["203.0.113.6:5123", "203.0.113.6"],
  ["198.51.100.7, 203.0.113.5", "203.0.113.5"],
  ["203.0.113.5, 10.0.0.2", "203.0.113.5"],
  ["10.0.0.2", "10.0.0.2"],
  ["unknown", undefined],
  ["203.0.113.5, unknown", undefined],
  ["unix", undefined],
  ["", undefined],
  [undefined, undefined],
];

for (const [forwarded, client] of BEHIND_UNIX) {
  Deno.test(`clientAddress returns ${client} for "${forwarded}" behind a trusted Unix socket`, () => {
    const headers = new Headers();
    if (forwarded !== undefined) headers.set("x-forwarded-for", forwarded);
    const request = new Request("http://localhost", { headers });
    const it = exchange({ request, info: UNIX });
    assertEquals(clientAddress(["unix", ...PROXIES])(it), client);
  });
}

Deno.test("clientAddress ignores any text to the left of an untrusted address", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."0123456789abf.:,% unkow") }),
      (spoofed) => {
        const header = `${spoofed}, 203.0.113.5, 10.0.0.2`;
        assertEquals(clientOf(PROXIES, "10.0.0.1", header), "203.0.113.5");
      },
    ),
    { seed: 11, numRuns: 300 },
  );
});

const OCTETS = fc.integer({ min: 0, max: 255 });
const ADDRESSES = fc.oneof(
  fc.tuple(OCTETS, OCTETS, OCTETS, OCTETS).map((it) => it.join(".")),
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom("fe80::1%eth0", "::", "::ffff:10.0.0.1", "01.2.3.4", ""),
);

Deno.test("clientAddress accepts every proxy that parseConfig accepts", () => {
  fc.assert(
    fc.property(
      ADDRESSES,
      fc.option(fc.integer({ min: -1, max: 130 }), { nil: undefined }),
      (address, bits) => {
        const text = bits === undefined ? address : `${address}/${bits}`;
        for (const proxies of accepted(text)) clientAddress(proxies);
      },
    ),
    { seed: 12, numRuns: 500 },
  );
});

function clientOf(
  trusted: readonly string[],
  peer: string,
  forwarded?: string,
): string | undefined {
  const headers = new Headers();
  if (forwarded !== undefined) headers.set("x-forwarded-for", forwarded);
  const request = new Request("http://localhost", { headers });
  return clientAddress(trusted)(exchange({ request, info: info(peer) }));
}

/** Returns the proxies that parseConfig reads, none if it refuses the text. */
function accepted(text: string): (readonly string[])[] {
  try {
    return [parseConfig({ API_TRUSTED_PROXIES: text }).trustedProxies];
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}
