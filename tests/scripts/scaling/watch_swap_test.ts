import { assert, assertEquals, assertRejects } from "@std/assert";
import { CountingLink } from "../../../scripts/scaling/counting_link.ts";
import { watchSwap } from "../../../scripts/scaling/watch_swap.ts";

/** Server whose responses have the tag and the status of its fields. */
class Tagged implements AsyncDisposable {
  tag = "a";
  status = 200;
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => {
      const { tag: etag, status } = this;
      return new Response("x".repeat(1000), { status, headers: { etag } });
    },
  );

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.shutdown();
  }
}

Deno.test("watchSwap ends with the first response from another release", async () => {
  await using server = new Tagged();
  const { time, stall } = await watchSwap(server.url, () => {
    server.tag = "b";
    return Promise.resolve();
  });
  assert(time >= 0 && stall > 0);
});

Deno.test("watchSwap rejects with the error of the publication", async () => {
  await using server = new Tagged();
  const publish = () => Promise.reject(new Error("no import"));
  await assertRejects(() => watchSwap(server.url, publish), Error, "no import");
});

Deno.test("watchSwap rejects if the server fails", async () => {
  await using server = new Tagged();
  const publish = () => {
    server.status = 503;
    return Promise.resolve();
  };
  await assertRejects(() => watchSwap(server.url, publish), Error, "503");
});

Deno.test("CountingLink passes responses on, and counts their bytes", async () => {
  await using server = new Tagged();
  await using link = await CountingLink.open(server.url);
  const response = await fetch(link.url, { headers: { connection: "close" } });
  assertEquals((await response.text()).length, 1000);
  assert(link.bytes > 1000 && link.bytes < 2000);
});
