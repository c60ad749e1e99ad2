import { assert, assertEquals, assertThrows } from "@std/assert";
import { checkSecure, isSecure, resolveUrl } from "../../../oauth2/core/url.ts";
import { printWithoutStack } from "../_print.ts";

for (
  const [site, target, address] of [
    ["https://x.example", "a", "https://x.example/a"],
    ["https://x.example/blog/", "a", "https://x.example/blog/a"],
    ["https://x.example/blog", "/a", "https://x.example/a"],
    ["https://x.example/blog", "../a", "https://x.example/a"],
    ["https://x.example/blog", "./a", "https://x.example/blog/a"],
    ["https://x.example/blog", "?a=1", "https://x.example/blog/?a=1"],
    ["https://x.example/blog?k=v", "a", "https://x.example/blog/a"],
    ["https://x.example/blog/#f/?k", "a", "https://x.example/blog/a"],
    ["https://x.example/", "", "https://x.example/"],
    ["https://x.example", "a:b", "a:b"],
    ["https://x.example", "./a:b", "https://x.example/a:b"],
    ["https://x.example", "HTTPS://Y.example/a", "https://y.example/a"],
    [undefined, "https://y.example/a", "https://y.example/a"],
    ["https://x.example", "/a//b", "https://x.example/a//b"],
    ["https://x.example", "//host/path", undefined],
    ["https://x.example", "//x.example/path", "https://x.example/path"],
    ["https://x.example", "///host/path", undefined],
    ["https://x.example", "\\/host/path", undefined],
    ["https://x.example", "ht\ntps://host/path", undefined],
    ["https://x.example", " https://host/path", undefined],
    ["https://x.example", "https://", undefined],
    [undefined, "/a", undefined],
    ["", "a", undefined],
    ["x.example", "a", undefined],
    ["https://x.example", "https://ana@host/path", undefined],
    ["https://x.example", "https://ana:hush@host/path", undefined],
    ["https://x.example", "https://:hush@host/path", undefined],
    ["https://ana:hush@x.example", "a", undefined],
    ["https://:hush@x.example", "a", undefined],
  ] as const
) {
  const from = site === undefined ? "no site" : `"${site}"`;
  if (address !== undefined) {
    Deno.test(`resolveUrl resolves ${JSON.stringify(target)} against ${from}`, () => {
      assertEquals(
        resolveUrl(site, target).href,
        address,
      );
    });
  } else {
    Deno.test(`resolveUrl refuses ${JSON.stringify(target)} against ${from}`, () => {
      const error = assertThrows(() => resolveUrl(site, target), TypeError);
      assert(!/hush|host/.test(printWithoutStack(error)));
    });
  }
}

Deno.test("resolveUrl accepts URL objects and does not change them", () => {
  const site = new URL("https://x.example/blog?k=v");
  const target = new URL("https://y.example/a");
  assertEquals(resolveUrl(site, "a").href, "https://x.example/blog/a");
  const url = resolveUrl(site, target);
  url.search = "?a=1";
  assertEquals(target.href, "https://y.example/a");
  assertEquals(site.href, "https://x.example/blog?k=v");
  const named = new URL("https://ana:hush@x.example/");
  assertThrows(() => resolveUrl(site, named), TypeError);
  assertThrows(() => resolveUrl(named, "a"), TypeError);
});

for (
  const [address, secure] of [
    ["https://x.example", true],
    ["http://x.example", false],
    ["http://LOCALHOST:8080", true],
    ["http://a.b.localhost", true],
    ["http://localhost.x.example", false],
    ["http://notlocalhost", false],
    ["http://127.0.0.1", true],
    ["http://0x7f.1", true],
    ["http://2130706433", true],
    ["http://128.0.0.1", false],
    ["http://[::1]", true],
    ["http://[0:0:0:0:0:0:0:1]:8080", true],
    ["http://[::ffff:127.0.0.1]", false],
    ["ws://localhost", false],
    ["blob:https://x.example/1", false],
    ["file:///etc/passwd", false],
  ] as const
) {
  Deno.test(`isSecure returns ${secure} for ${address}`, () => {
    assertEquals(isSecure(new URL(address), undefined), secure);
  });
}

Deno.test("isSecure with allowInsecure allows http and no other scheme", () => {
  assertEquals(isSecure(new URL("http://x.example"), true), true);
  assertEquals(isSecure(new URL("ftp://x.example"), true), false);
});

Deno.test("checkSecure returns a secure URL", () => {
  const url = new URL("https://x.example/a");
  assert(checkSecure(url, undefined) === url);
});

Deno.test("checkSecure throws with the origin and without the query", () => {
  const url = new URL("http://x.example/a?token=hush");
  const error = assertThrows(() => checkSecure(url, false), TypeError) as Error;
  assert(error.message.includes('"http://x.example"'), error.message);
  assert(!error.message.includes("hush"));
});
