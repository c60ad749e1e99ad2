import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type Exchange, fakeFetch } from "./fake_fetch.ts";

const URL = "https://api.example.com/x";
const OPTIONS: RequestInit = { redirect: "manual" };
const OK = { status: 200 };

Deno.test("fakeFetch answers as told and keeps the request", async () => {
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
  "one too many": [[], URL, OPTIONS],
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
  "a query more": [
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
  "JSON that is none": [
    [{ expect: { body: { json: {} } }, respond: OK }],
    URL,
    { ...OPTIONS, method: "POST", body: "{" },
  ],
  "redirects left to fetch": [[{ respond: OK }], URL, {}],
};

for (const [name, [exchanges, url, init]] of Object.entries(unexpected)) {
  Deno.test(`fakeFetch refuses a request with ${name}, and assertDone tells`, async () => {
    const fetch = fakeFetch(exchanges);
    await assertRejects(() => fetch(url, init));
    assertThrows(() => fetch.assertDone());
  });
}

Deno.test("fakeFetch fails on a request that never came", () => {
  const fetch = fakeFetch([{ expect: { method: "GET" }, respond: OK }]);
  assertThrows(() => fetch.assertDone(), Error, "never requested");
});

Deno.test("fakeFetch answers with what Response does not know", async () => {
  const fetch = fakeFetch([
    { respond: { status: 600 } },
    { respond: { status: 304, body: "token" } },
  ]);
  assertEquals((await fetch(URL, OPTIONS)).status, 600);
  const response = await fetch(URL, OPTIONS);
  assertEquals([response.status, response.ok], [304, false]);
  assertEquals(await response.text(), "token");
});

Deno.test("fakeFetch fails as a network does", async () => {
  const fetch = fakeFetch([{ respond: { fail: "connect ECONNREFUSED" } }]);
  const error = await assertRejects(() => fetch(URL, OPTIONS), TypeError);
  assertEquals((error.cause as Error).message, "connect ECONNREFUSED");
  fetch.assertDone();
});

Deno.test("fakeFetch hangs until it is aborted, with the reason", async () => {
  const controller = new AbortController();
  const fetch = fakeFetch([{ respond: { hang: true } }]);
  const pending = fetch(URL, { ...OPTIONS, signal: controller.signal });
  controller.abort(new Error("enough"));
  await assertRejects(() => pending, Error, "enough");
});
