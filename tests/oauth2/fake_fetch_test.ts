import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type Exchange, fakeFetch } from "./_fake_fetch.ts";

const URL = "https://api.example.com/x";
const OPTIONS: RequestInit = { redirect: "manual" };
const OK = { status: 200 };

Deno.test("fakeFetch returns the given answer and keeps the request", async () => {
  const fetch = fakeFetch([{
    expect: {
      method: "POST",
      url: URL,
      query: { a: ["1", "2"] },
      headers: { "x-marker": "1", cookie: null },
      body: { form: { foo: "bar baz" } },
    },
    respond: { status: 201, headers: { location: "/y" }, body: "yay" },
  }]);
  const response = await fetch(`${URL}?a=1&a=2#z`, {
    ...OPTIONS,
    method: "POST",
    headers: { "X-Marker": "1" },
    body: new URLSearchParams({ foo: "bar baz" }),
  });
  assertEquals(response.status, 201);
  assertEquals([...response.headers], [["location", "/y"]]);
  assertEquals(response.url, `${URL}?a=1&a=2`);
  assertEquals(await response.text(), "yay");
  assertEquals(fetch.requests.map(({ body }) => body), ["foo=bar+baz"]);
  fetch.assertDone();
});

const unexpected: Record<string, [Exchange[], string, RequestInit]> = {
  "no exchange left": [[], URL, OPTIONS],
  "another method": [
    [{ expect: { method: "POST" }, respond: OK }],
    URL,
    OPTIONS,
  ],
  "another path": [
    [{ expect: { url: URL }, respond: OK }],
    `${URL}/y`,
    OPTIONS,
  ],
  "another query parameter": [
    [{ expect: { url: URL }, respond: OK }],
    `${URL}?a`,
    OPTIONS,
  ],
  "a header that must be absent": [
    [{ expect: { headers: { "x-a": null } }, respond: OK }],
    URL,
    { ...OPTIONS, headers: { "x-a": "b" } },
  ],
  "a body that must be absent": [
    [{ expect: { body: null }, respond: OK }],
    URL,
    { ...OPTIONS, method: "POST", body: "a=b" },
  ],
  "a form under another type": [
    [{ expect: { body: { form: { a: "b" } } }, respond: OK }],
    URL,
    { ...OPTIONS, method: "POST", body: "a=b" },
  ],
  "invalid JSON": [
    [{ expect: { body: { json: {} } }, respond: OK }],
    URL,
    { ...OPTIONS, method: "POST", body: "{" },
  ],
  "redirects followed by fetch": [[{ respond: OK }], URL, {}],
};

for (const [name, [exchanges, url, init]] of Object.entries(unexpected)) {
  Deno.test(`fakeFetch rejects a request with ${name}, and assertDone throws`, async () => {
    const fetch = fakeFetch(exchanges);
    await assertRejects(() => fetch(url, init));
    assertThrows(() => fetch.assertDone());
  });
}

Deno.test("assertDone throws if an expected request was not sent", () => {
  const fetch = fakeFetch([{ expect: { method: "GET" }, respond: OK }]);
  assertThrows(() => fetch.assertDone(), Error, "not sent");
});

Deno.test("fakeFetch returns statuses and bodies that Response refuses", async () => {
  const fetch = fakeFetch([
    { respond: { status: 600 } },
    { respond: { status: 304, body: "token" } },
  ]);
  assertEquals((await fetch(URL, OPTIONS)).status, 600);
  const response = await fetch(URL, OPTIONS);
  assertEquals([response.status, response.ok], [304, false]);
  assertEquals(await response.text(), "token");
});

Deno.test("fakeFetch rejects with a TypeError and its cause without a connection", async () => {
  const fetch = fakeFetch([{ respond: { fail: "connect ECONNREFUSED" } }]);
  const error = await assertRejects(() => fetch(URL, OPTIONS), TypeError);
  assertEquals((error.cause as Error).message, "connect ECONNREFUSED");
  fetch.assertDone();
});

Deno.test("fakeFetch without an answer rejects with the reason of the abort", async () => {
  const controller = new AbortController();
  const fetch = fakeFetch([{ respond: { hang: true } }]);
  const pending = fetch(URL, { ...OPTIONS, signal: controller.signal });
  controller.abort(new Error("enough"));
  await assertRejects(() => pending, Error, "enough");
});
