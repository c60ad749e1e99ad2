/**
 * Floods of HTTP/2 frames (RFC 9113). `Deno.serve` accepts HTTP/2 without TLS;
 * `node:http` refuses its preface.
 */
import { assertEquals } from "@std/assert";
import { Connection } from "../_connection.ts";
import { Process } from "../_process.ts";
import { within } from "../_within.ts";

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** Types of frames (RFC 9113, 6). */
const HEADERS = 1, RST_STREAM = 3, SETTINGS = 4, CONTINUATION = 9;

/** Flags of a frame. */
const END_STREAM = 1, END_HEADERS = 4;

/** Returns a frame, in ISO-8859-1. */
function frame(
  type: number,
  flags: number,
  stream: number,
  payload = "",
): string {
  const { length } = payload;
  const head = [length >> 16, length >> 8, length, type, flags]
    .concat([24, 16, 8, 0].map((bits) => stream >> bits));
  return String.fromCharCode(...head.map((byte) => byte & 255)) + payload;
}

/** Headers of GET /livez in HPACK: two by index, two literals. */
const LIVEZ = "\x82\x86\x04\x06/livez\x01\x01a";

/** A literal header of 104 bytes. */
const LITERAL = `\x00\x01a\x64${"b".repeat(100)}`;

/** Streams that the client opens and resets at once (CVE-2023-44487). */
function resets(): string {
  let text = "";
  for (let id = 1; id < 20_000; id += 2) {
    text += frame(HEADERS, END_STREAM | END_HEADERS, id, LIVEZ) +
      frame(RST_STREAM, 0, id, "\0\0\0\x08");
  }
  return text;
}

/** Floods, each of which the server must end by closing the connection. */
const FLOODS: Readonly<Record<string, string>> = {
  "headers without an end": frame(HEADERS, END_STREAM, 1, LIVEZ) +
    frame(CONTINUATION, 0, 1, LITERAL.repeat(150)).repeat(1000),
  "streams that are reset": resets(),
  "streams without an end": Array.from(
    { length: 20_000 },
    (_, i) => frame(HEADERS, END_HEADERS, 2 * i + 1, LIVEZ),
  ).join(""),
  "a frame of unknown length": `\xff\xff\xff\x01\x05\0\0\0\x01${LIVEZ}`,
};

Deno.test("serve closes the connection of a flood of HTTP/2 frames, and keeps serving", async (t) => {
  await using server = Process.main({
    DB_PATH: ":memory:",
    API_RATE_LIMIT_ENABLE: "false",
  });
  const port = await server.port();
  for (const [name, frames] of Object.entries(FLOODS)) {
    await t.step(name, async () => {
      using connection = await Connection.open(port);
      try {
        await connection.send(PREFACE + frame(SETTINGS, 0, 0) + frames);
      } catch {
        // The server may have closed the connection.
      }
      connection.end();
      await within("the end of the connection", connection.drain());
      using next = await Connection.open(port);
      assertEquals((await next.get("/livez"))?.status, 200);
    });
  }
  assertEquals(server.lines.filter(({ level }) => level === "ERROR"), []);
});
