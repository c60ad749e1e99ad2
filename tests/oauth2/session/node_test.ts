/** Requests and responses of Node, with its server. */
import { assertEquals, assertThrows } from "@std/assert";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type NodeRequest, sendToNode } from "../../../oauth2/session/mod.ts";
import { headerOf, toRequest } from "../../../oauth2/session/node.ts";
import { Login } from "./_app.ts";

const ORIGIN = "https://app.example";

/** Starts a server; `ask` sends it a request. */
async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    ask: (path: string, init?: RequestInit) =>
      fetch(`http://127.0.0.1:${port}${path}`, init),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

Deno.test("toRequest converts a request of Node, whose Host it does not believe", async () => {
  let seen: Request | undefined;
  let body = "";
  await using server = await serve(async (incoming, outgoing) => {
    seen = toRequest(incoming, ORIGIN);
    body = await seen.text();
    outgoing.end();
  });
  const headers = { cookie: "a=1; b=2", "content-type": "text/plain" };
  await server.ask("/x?y=1", {
    method: "POST",
    headers,
    body: "Ana",
  }).then((response) => response.text());
  assertEquals(seen?.url, `${ORIGIN}/x?y=1`);
  assertEquals(seen?.method, "POST");
  assertEquals(headerOf(seen!, "cookie"), "a=1; b=2");
  assertEquals(body, "Ana");
});

Deno.test("toRequest leaves the body of a request to the application until it is read", async () => {
  await using server = await serve(async (incoming, outgoing) => {
    toRequest(incoming, ORIGIN);
    let text = "";
    for await (const chunk of incoming) text += chunk;
    outgoing.end(text);
  });
  const response = await server.ask("/", { method: "POST", body: "Ana" });
  assertEquals(await response.text(), "Ana");
});

/** Request of Node without a server. */
function nodeRequest(url: string, body?: unknown): NodeRequest {
  return {
    method: body === undefined ? "GET" : "POST",
    url: "/backchannel-logout",
    originalUrl: url,
    headers: { host: "evil.example", ":path": "/", "x-list": ["1", "2"] },
    body,
    async *[Symbol.asyncIterator]() {},
  };
}

for (
  const [url, expected] of [
    ["//evil.example/x?y=1", `${ORIGIN}//evil.example/x?y=1`],
    ["http://evil.example/x?y=1", `${ORIGIN}/x?y=1`],
    ["*", `${ORIGIN}/*`],
  ] as const
) {
  Deno.test(`toRequest takes ${url} for ${expected}`, () => {
    assertEquals(toRequest(nodeRequest(url), ORIGIN).url, expected);
  });
}

const BODIES = [
  [{ logout_token: "a b" }, "logout_token=a+b"],
  ["logout_token=x", "logout_token=x"],
] as const;

for (const [body, expected] of BODIES) {
  Deno.test(`toRequest takes the body that Express has parsed: ${JSON.stringify(body)}`, async () => {
    const incoming = nodeRequest("/auth/backchannel-logout", body);
    const request = toRequest(incoming, ORIGIN);
    assertEquals(request.url, `${ORIGIN}/auth/backchannel-logout`);
    assertEquals(request.headers.get("x-list"), "1, 2");
    assertEquals(await request.text(), expected);
  });
}

Deno.test("sendToNode sends status, headers, several cookies and the body", async () => {
  await using server = await serve(async (_, outgoing) => {
    const headers = new Headers({ location: "/x" });
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    await sendToNode(new Response("Olá", { status: 303, headers }), outgoing);
  });
  const response = await server.ask("/", { redirect: "manual" });
  assertEquals(response.status, 303);
  assertEquals(response.headers.get("location"), "/x");
  assertEquals(response.headers.getSetCookie(), ["a=1", "b=2"]);
  assertEquals(await response.text(), "Olá");
});

for (const method of ["TRACE", "CONNECT", "TRACK"]) {
  Deno.test(`a session answers ${method}, which a Request cannot have, with 405`, async () => {
    const request: NodeRequest = { ...nodeRequest("/login"), method };
    const { session } = new Login();
    const response = await session.handle(request);
    assertEquals(response?.status, 405);
    assertThrows(
      () => toRequest(request, ORIGIN),
      TypeError,
      `Cannot handle the request: its method is ${method}`,
    );
  });
}
