import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Address } from "../../../../cep/record/address.ts";
import { compression } from "../../../../cep/http/middleware/compression.ts";
import { textBody } from "../../../../cep/http/exchange.ts";
import { address, addresses } from "../../_records.ts";
import { complete, exchange, gunzip, items, Service } from "../../_service.ts";

const RECORDS = addresses(1_900_001, 150);
const LIST = "/debug/list?prefix=0";
const GZIP = { headers: { "accept-encoding": "gzip" } };

/** Record longer than any in the DNE. */
const LONG = address({ cep: "99000000", nome: "ção ".repeat(300) });

const NEGOTIATIONS: readonly (readonly [
  accepted: string | null,
  compressed: boolean,
])[] = [
  [null, false],
  ["", false],
  ["gzip", true],
  ["br, gzip", true],
  ["gzip;q=0.8, identity;q=0.5", true],
  ["*", true],
  ["identity;q=0, gzip", true],
  ["identity", false],
  ["identity, gzip;q=0.5", false],
  ["identity;q=1, *;q=0", false],
  ["gzip;q=0", false],
  ["*;q=0", false],
  ["br", false],
  ["not a coding at all;;;", false],
];

for (const [accepted, compressed] of NEGOTIATIONS) {
  const verb = compressed ? "compresses" : "does not compress";
  Deno.test(`compression ${verb} a list with Accept-Encoding ${JSON.stringify(accepted)}`, async () => {
    await using service = await Service.open({ records: RECORDS });
    const headers = accepted === null ? {} : { "accept-encoding": accepted };
    const response = await service.ask(LIST, { headers });
    assertEquals(response.status, 200);
    assertEquals(
      response.headers.get("content-encoding"),
      compressed ? "gzip" : null,
    );
    assertEquals(items(response, "vary"), ["Accept-Encoding"]);
    const plain = await (await service.ask(LIST)).text();
    const bytes = await response.bytes();
    const text = compressed
      ? await gunzip(bytes)
      : new TextDecoder().decode(bytes);
    assertEquals(text, plain);
    assertEquals(bytes.length < plain.length, compressed);
  });
}

Deno.test("compression accepts any Accept-Encoding", async () => {
  await using service = await Service.open({ records: RECORDS });
  await fc.assert(
    fc.asyncProperty(
      fc.string({
        unit: fc.constantFrom(..."gzip*q=;,.0159 identy\t\"'/\u00ff"),
        maxLength: 40,
      }),
      async (accepted) => {
        const headers = { "accept-encoding": accepted };
        const response = await service.ask(LIST, { headers });
        assertEquals(response.status, 200);
        await response.body?.cancel();
      },
    ),
    { seed: 3, numRuns: 100 },
  );
});

Deno.test("compression at level 9 returns fewer bytes than at level 1", async () => {
  const sizes: number[] = [];
  for (const gzipLevel of [1, 9]) {
    await using service = await Service.open({
      records: varied(150),
      config: { gzipLevel },
    });
    const response = await service.ask(LIST, {
      headers: { "accept-encoding": "gzip" },
    });
    const bytes = await response.bytes();
    assertEquals(
      await gunzip(bytes),
      await (await service.ask(LIST)).text(),
    );
    sizes.push(bytes.length);
  }
  const [fast = 0, small = 0] = sizes;
  assert(small < fast, `${small} is not below ${fast}`);
});

Deno.test("compression does nothing if disabled", async () => {
  await using service = await Service.open({
    records: RECORDS,
    config: { gzip: false },
  });
  const response = await service.ask(LIST, {
    headers: { "accept-encoding": "gzip" },
  });
  assertEquals(response.headers.get("content-encoding"), null);
  assertEquals((await response.json()).total, 150);
});

for (const [length, compressed] of [[1023, false], [1024, true]] as const) {
  const verb = compressed ? "compresses" : "does not compress";
  Deno.test(`compression ${verb} a body of ${length} bytes`, async () => {
    const it = exchange({ request: new Request("http://localhost", GZIP) });
    // Two bytes per character, because the limit is in bytes.
    const text = "é".repeat(500) + "x".repeat(length - 1000);
    const answer = { status: 200, body: textBody(text, "text/plain") };
    const given = await complete(compression(5), it, answer);
    assertEquals(given.body === answer.body, !compressed);
    assertEquals(given.body?.length === length, !compressed);
    assertEquals(it.headers["content-encoding"] === "gzip", compressed);
    assertEquals(it.headers["vary"] === "Accept-Encoding", compressed);
  });
}

Deno.test("compression does not read Accept-Encoding for a small body", async () => {
  const asked: string[] = [];
  const requestHeaders = new Headers();
  requestHeaders.get = (name) => {
    asked.push(name);
    return "gzip";
  };
  const body = textBody("x".repeat(1023), "text/plain");
  const it = exchange({ requestHeaders });
  await complete(compression(5), it, { status: 200, body });
  assertEquals(asked, []);
});

Deno.test("compression never compresses HEAD", async () => {
  await using service = await Service.open({ records: RECORDS });
  const response = await service.ask(LIST, {
    method: "HEAD",
    headers: { "accept-encoding": "gzip" },
  });
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-encoding"), null);
  assertEquals(items(response, "vary"), ["Accept-Encoding"]);
  assertEquals((await response.bytes()).length, 0);
});

for (const method of ["GET", "HEAD"]) {
  Deno.test(`compression repeats ETag and Vary of 200 with 304 for ${method} (RFC 9110, 15.4.5)`, async () => {
    await using service = await Service.open({ records: [LONG] });
    const full = await service.ask("/cep/99000000", GZIP);
    const response = await service.ask("/cep/99000000", {
      method,
      headers: {
        ...GZIP.headers,
        "if-none-match": full.headers.get("etag") ?? "",
      },
    });
    assertEquals(response.status, 304);
    assertEquals(items(response, "vary"), ["Accept-Encoding"]);
    assertEquals(response.headers.get("etag"), full.headers.get("etag"));
    await full.body?.cancel();
  });
}

Deno.test("compression weakens the ETag of a compressed response", async () => {
  await using service = await Service.open({ records: [LONG] });
  const plain = await service.ask("/cep/99000000");
  const small = await service.ask("/cep/99000000", GZIP);
  const head = await service.ask("/cep/99000000", { method: "HEAD", ...GZIP });
  const etag = plain.headers.get("etag") ?? "";
  assertEquals(small.headers.get("content-encoding"), "gzip");
  assertEquals(small.headers.get("etag"), `W/${etag}`);
  assertEquals(head.headers.get("etag"), `W/${etag}`);
  assertEquals(await gunzip(await small.bytes()), await plain.text());
});

/** Records that compress differently at each level. */
function varied(count: number): Address[] {
  return addresses(1_900_001, count).map((record, i) => ({
    ...record,
    logradouro: `Rua ${(i * 7919 % 1009).toString(36)} das Flores ${i % 13}`,
    bairro: `Jardim ${(i * 104_729 % 997).toString(36)}`,
    cidade: `Vila ${i * 31 % 17}`,
  }));
}
