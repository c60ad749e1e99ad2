import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  besideManifest,
  parseManifestAddress,
  withoutQueries,
} from "../../../../cep/store/follow/release_url.ts";

const ADDRESSES: readonly (readonly [text: string, url: string])[] = [
  ["https://a.example/r/manifest.json", "https://a.example/r/manifest.json"],
  ["https://a.example/r/other.json", "https://a.example/r/other.json"],
  ["https://a.example/r", "https://a.example/r/manifest.json"],
  ["https://a.example/r/", "https://a.example/r/manifest.json"],
  ["https://a.example", "https://a.example/manifest.json"],
  ["https://a.example/?s=1#x", "https://a.example/manifest.json?s=1"],
  [
    "HTTPS://A.example/r?s=a/b.json",
    "https://a.example/r/manifest.json?s=a/b.json",
  ],
  ["http://localhost:9000/r", "http://localhost:9000/r/manifest.json"],
  ["http://127.0.0.1/r", "http://127.0.0.1/r/manifest.json"],
  ["http://[::1]:80/", "http://[::1]/manifest.json"],
  ["file:///srv/r", "file:///srv/r/manifest.json"],
  ["file:///srv/r/manifest.json", "file:///srv/r/manifest.json"],
  ["/srv/a%20b", pathToFileURL(resolve("/srv/a%20b/manifest.json")).href],
  ["/srv/a?b#c", pathToFileURL(resolve("/srv/a?b#c/manifest.json")).href],
  ["./releases", pathToFileURL(resolve("releases/manifest.json")).href],
  ["releases/", pathToFileURL(resolve("releases/manifest.json")).href],
];

for (const [text, url] of ADDRESSES) {
  Deno.test(`parseManifestAddress reads ${text}`, () => {
    assertEquals(parseManifestAddress(text)?.url.href, url);
  });
}

const REFUSED = [
  "http://a.example/r",
  "http://10.0.0.1/r",
  "http://127.0.0.1.example/r",
  "http://localhost.example/r",
  "http://a.localhost/r",
  "http://0.0.0.0/",
  "https://user@a.example/",
  "https://user:password@a.example/",
  "https://:password@a.example/",
  "https://",
  "ftp://a.example/",
  "s3://bucket/r",
  "data:application/json,{}",
  "javascript:alert(1)",
  "file://host/srv",
  "file:///srv/a%2Fb",
  "file:///srv/a%00b",
  "/srv/\0",
];

for (const text of REFUSED) {
  Deno.test(`parseManifestAddress refuses ${JSON.stringify(text)}`, () => {
    assertEquals(parseManifestAddress(text), undefined);
  });
}

Deno.test("parseManifestAddress shows no query string", () => {
  const { shown } = parseManifestAddress("https://a.example/r?sig=SECRET")!;
  assertEquals(shown, "https://a.example/r/manifest.json");
});

Deno.test("besideManifest keeps the query string", () => {
  const manifest = new URL("https://a.example/r/manifest.json?sig=1");
  assertEquals(
    besideManifest(manifest, "release-00000000.db").href,
    "https://a.example/r/release-00000000.db?sig=1",
  );
});

Deno.test("withoutQueries removes the query string of every URL", () => {
  assertEquals(
    withoutQueries(
      'error for url (https://a.example/b?c=SECRET): "http://d/?e" failed?',
    ),
    'error for url (https://a.example/b "http://d/ failed?',
  );
});

Deno.test("withoutQueries leaves no query string of any URL in a text", () => {
  fc.assert(fc.property(
    fc.stringMatching(/^https?:\/\/[a-z]+(:\d{1,4})?\/[\w/.~!$&'()*,;:@+-]*$/),
    fc.stringMatching(/^[\w ]*$/),
    (text, words) => {
      const url = new URL(text);
      url.searchParams.set("sig", "SECRET");
      assert(!withoutQueries(`${words} ${url} ${words}`).includes("SECRET"));
    },
  ));
});
