import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { ConfigError, parseConfig } from "../../../cep/settings/config.ts";
import { openRemoteStore } from "../../../cep/store/remote.ts";
import { parseRemoteUrl } from "../../../cep/store/remote_client.ts";

const ALLOWED: readonly [url: string, parsed: string][] = [
  ["libsql://cep.example.com", "https://cep.example.com/"],
  ["LIBSQL://CEP.example.com:8443/v/cep", "https://cep.example.com:8443/v/cep"],
  ["https://cep.example.com/db/", "https://cep.example.com/db/"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"],
  ["http://127.9.9.9:8080", "http://127.9.9.9:8080/"],
  ["http://localhost:8080", "http://localhost:8080/"],
  ["http://[::1]:8080", "http://[::1]:8080/"],
];

for (const [url, parsed] of ALLOWED) {
  Deno.test(`parseRemoteUrl parses ${url}`, () => {
    assertEquals(parseRemoteUrl(url)?.href, parsed);
  });
}

const REFUSED = [
  "",
  "cep.example.com",
  "/var/lib/cep",
  ":memory:",
  "file:cep.db",
  "http://cep.example.com",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "http://10.0.0.1:8080",
  "http://0.0.0.0:8080",
  "ws://127.0.0.1:8080",
  "wss://cep.example.com",
  "javascript:alert(1)",
  "libsql:",
  "libsql://",
  "https://user:secret@cep.example.com",
  "https://secret@cep.example.com",
  "https://:secret@cep.example.com",
  "https://@cep.example.com",
  "libsql://cep.example.com?authToken=secret",
  "libsql://cep.example.com?tls=0",
  "libsql://cep.example.com?",
  "https://cep.example.com#secret",
  "https:\\\\secret@cep.example.com",
  "https://cep.example.com\nlibsql://other",
  " https://cep.example.com",
];

for (const url of REFUSED) {
  Deno.test(`parseRemoteUrl refuses ${JSON.stringify(url)}`, async () => {
    assertEquals(parseRemoteUrl(url), undefined);
    const error = await assertRejects(
      () => openRemoteStore({ url }),
      TypeError,
      "the URL of the server must be a URL with libsql: or https:",
    );
    assertEquals(error.message.includes("secret"), false);
  });
}

for (const value of REFUSED.filter((it) => it.trim() === it && it !== "")) {
  Deno.test(`parseConfig refuses DB_URL=${JSON.stringify(value)} without showing it`, () => {
    let message = "";
    try {
      parseConfig({ DB_URL: value });
    } catch (error) {
      if (error instanceof ConfigError) ({ message } = error);
    }
    assertEquals(
      message.split("\n")[1],
      "  DB_URL=***: must be a URL with libsql: or https:, or with http: on " +
        "this machine, without a user, a query or a fragment",
    );
  });
}

Deno.test("parseConfig refuses a token with a blank without showing it", () => {
  let message = "";
  try {
    parseConfig({
      DB_URL: "libsql://cep.example.com",
      DB_AUTH_TOKEN: "a secret",
    });
  } catch (error) {
    if (error instanceof ConfigError) ({ message } = error);
  }
  assertEquals(
    message.split("\n")[1],
    "  DB_AUTH_TOKEN=***: must be a token of letters, digits and " +
      "punctuation, without blanks",
  );
});

Deno.test("parseRemoteUrl returns no user, query or fragment, and no other machine by http", () => {
  const parts = fc.constantFrom(
    ..."libsql: https: http: // @ : ? # / \\ a b.c 127.0.0.1 [::1] %40 \t ."
      .split(" "),
  );
  fc.assert(fc.property(
    fc.array(parts, { maxLength: 9 }).map((it) => it.join("")),
    (text) => {
      const url = parseRemoteUrl(text);
      if (url === undefined) return;
      const { username, password, search, hash, protocol, hostname } = url;
      assertEquals([username, password, search, hash], ["", "", "", ""]);
      if (protocol !== "https:") {
        assertEquals(protocol, "http:");
        assertEquals(/^(127\.|\[::1\]$|localhost$)/.test(hostname), true);
      }
    },
  ));
});
