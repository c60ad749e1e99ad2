import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { BlockList, isIP } from "node:net";
import { Networks, parseAddress } from "../../../cep/http/networks.ts";

const ADDRESSES: readonly (readonly [
  text: string,
  parts: readonly number[] | undefined,
])[] = [
  ["192.0.2.1", [192, 0, 2, 1]],
  ["0.0.0.0", [0, 0, 0, 0]],
  ["::", [0, 0, 0, 0, 0, 0, 0, 0]],
  ["::1", [0, 0, 0, 0, 0, 0, 0, 1]],
  ["1::", [1, 0, 0, 0, 0, 0, 0, 0]],
  ["2001:DB8::a:ffff", [0x2001, 0xDB8, 0, 0, 0, 0, 0xA, 0xFFFF]],
  ["1:2:3:4:5:6:7:8", [1, 2, 3, 4, 5, 6, 7, 8]],
  ["1::2:3:4:5:6:7", [1, 0, 2, 3, 4, 5, 6, 7]],
  ["::ffff:192.0.2.1", [0, 0, 0, 0, 0, 0xFFFF, 0xC000, 0x201]],
  ["1:2:3:4:5:6:192.0.2.1", [1, 2, 3, 4, 5, 6, 0xC000, 0x201]],
  ["fe80::1%eth0", [0xFE80, 0, 0, 0, 0, 0, 0, 1]],
  ["", undefined],
  ["192.0.2", undefined],
  ["192.0.2.256", undefined],
  ["192.0.2.01", undefined],
  ["1:2", undefined],
  ["[::1]", undefined],
  ["localhost", undefined],
];

for (const [text, parts] of ADDRESSES) {
  Deno.test(`parseAddress reads "${text}" as ${parts}`, () => {
    assertEquals(parseAddress(text), parts);
  });
}

const IPV4 = fc.array(fc.integer({ min: 0, max: 3 }), {
  minLength: 4,
  maxLength: 4,
}).map((octets) => octets.map((octet) => octet * 85).join("."));
const IPV6 = fc.array(fc.integer({ min: 0, max: 3 }), {
  minLength: 8,
  maxLength: 8,
}).map((groups) => groups.map((it) => (it * 21_845).toString(16)).join(":"));
const ANY = fc.oneof(IPV4, IPV6, fc.ipV4(), fc.ipV6());

Deno.test("Networks.includes agrees with BlockList of Node", () => {
  fc.assert(
    fc.property(ANY, ANY, fc.integer({ min: 0, max: 128 }), (net, it, bits) => {
      const family = isIP(net) === 6 ? "ipv6" : "ipv4";
      if (family !== (isIP(it) === 6 ? "ipv6" : "ipv4")) return;
      const length = family === "ipv4" ? bits % 33 : bits;
      const expected = new BlockList();
      expected.addSubnet(net, length, family);
      assertEquals(
        new Networks([`${net}/${length}`]).includes(it),
        expected.check(it, family),
        `${it} in ${net}/${length}`,
      );
    }),
    { seed: 31, numRuns: 500 },
  );
});

Deno.test("Networks.includes finds an address in one of several networks, by its family", () => {
  const networks = new Networks(["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"]);
  const included = ["10.9.8.7", "192.0.2.1", "2001:db8:1::", "::1", "1.2.3.4"]
    .map((address) => networks.includes(address));
  assertEquals(included, [true, true, true, false, false]);
  assertEquals(new Networks(["::/0"]).includes("192.0.2.1"), false);
  assertEquals(new Networks(["0.0.0.0/0"]).includes("::1"), false);
  assertEquals(new Networks([]).includes("192.0.2.1"), false);
});

Deno.test("Networks refuses an item that is not an address", () => {
  assertThrows(
    () => new Networks(["10.0.0.1", "proxy"]),
    TypeError,
    'Cannot read the network "proxy": not an address',
  );
});
