import { assertEquals } from "@std/assert";
import { isLoopback } from "../../../cep/util/loopback.ts";

for (
  const [host, expected] of [
    ["localhost", true],
    ["LOCALHOST", true],
    ["127.0.0.1", true],
    ["127.255.255.254", true],
    ["127.1", true], // A URL completes it.
    ["[::1]", true],
    ["[0:0:0:0:0:0:0:1]", true],
    ["a.localhost", false],
    ["localhost.", false],
    ["localhost.example", false],
    ["127.0.0.1.example", false],
    ["128.0.0.1", false],
    ["0.0.0.0", false],
    ["[::]", false],
    ["[::ffff:127.0.0.1]", false],
  ] as const
) {
  Deno.test(`isLoopback returns ${expected} for ${host}`, () => {
    assertEquals(isLoopback(new URL(`http://${host}/`).hostname), expected);
  });
}
