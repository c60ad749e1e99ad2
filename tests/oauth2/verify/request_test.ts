/** Requests of Node, verified as they arrive. */
import { assertEquals } from "@std/assert";
import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import { toVerified } from "../../../oauth2/verify/request.ts";
import type { NodeRequest } from "../../../oauth2/verify/mod.ts";
import { createVerifier, refusal, sign } from "./_resource_server.ts";

const HEADERS = { host: "api.example", authorization: "Bearer a" };

for (
  const [name, changes, url] of [
    ["a path", {}, "http://api.example/notes?page=2"],
    [
      "TLS",
      { socket: { encrypted: true } },
      "https://api.example/notes?page=2",
    ],
    [
      "a port",
      { headers: { host: "[::1]:80" } },
      "http://[::1]:80/notes?page=2",
    ],
    ["HTTP/2", {
      headers: { ":authority": "api.example", ":path": "/notes" },
    }, "http://api.example/notes?page=2"],
    ["a router of Express", {
      url: "/notes",
      originalUrl: "/v1/notes",
    }, "http://api.example/v1/notes"],
    [
      "two slashes",
      { url: "//evil.example/a" },
      "http://api.example//evil.example/a",
    ],
    [
      "a whole URL",
      { url: "http://other.example/a" },
      "http://other.example/a",
    ],
    ["an asterisk", { url: "*" }, "http://api.example/*"],
    ["no URL", { url: undefined }, "http://api.example/"],
    ["no host", { headers: {} }, "http://localhost/notes?page=2"],
    [
      "a host with a path",
      { headers: { host: "api.example/v1" } },
      "http://localhost/notes?page=2",
    ],
    [
      "a host with a user",
      { headers: { host: "a@b.example" } },
      "http://localhost/notes?page=2",
    ],
    [
      "a host that is no host",
      { headers: { host: "[" } },
      "http://localhost/notes?page=2",
    ],
  ] as [string, Partial<NodeRequest>, string][]
) {
  Deno.test(`toVerified builds the URL of a request of Node with ${name}`, () => {
    const request = { method: "GET", url: "/notes?page=2", headers: HEADERS };
    assertEquals(toVerified({ ...request, ...changes }).url, url);
  });
}

Deno.test("toVerified keeps repeated headers, and a Request as it is", () => {
  const { headers, method } = toVerified({
    method: "POST",
    url: "/",
    headers: { "x-a": ["1", "2"], "x-b": undefined, dpop: "p" },
  });
  assertEquals([...headers], [["dpop", "p"], ["x-a", "1, 2"]]);
  assertEquals(method, "POST");
  const request = new Request("https://api.example");
  assertEquals(toVerified(request), request);
});

Deno.test("NodeRequest is the type of the requests of Node", () => {
  const accept = (request: IncomingMessage | Http2ServerRequest) =>
    request satisfies NodeRequest;
  assertEquals(typeof accept, "function");
});

Deno.test("TokenVerifier refuses a proof if the URL of the request is invalid", async () => {
  const { verifier } = createVerifier({ publicUrl: () => "nonsense" });
  const refused = await refusal(
    verifier,
    new Request("https://api.example", {
      headers: { authorization: `DPoP ${await sign()}`, dpop: "a.b.c" },
    }),
  );
  assertEquals(refused.message, "the URL of the request is invalid");
});
