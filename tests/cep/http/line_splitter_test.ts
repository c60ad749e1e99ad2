/** Splitting of bytes into lines. */
import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { LineSplitter } from "../../../cep/http/answer_lines.ts";
import { latin1 } from "../_directory.ts";

const MAX_BYTES = 256;

/** Splits chunks; returns every line. */
function split(...chunks: readonly Uint8Array[]): string[] {
  const splitter = new LineSplitter(MAX_BYTES);
  const lines: string[] = [];
  const take = () => {
    let line: string | undefined;
    while ((line = splitter.next()) !== undefined) lines.push(line);
  };
  for (const chunk of chunks) {
    splitter.push(chunk);
    take();
  }
  splitter.end();
  take();
  return lines;
}

const LONG = "1".repeat(MAX_BYTES + 1);

for (
  const [name, chunks, lines] of [
    ["no bytes", [], []],
    ["an empty chunk", [""], []],
    ["lines", ["a\nb\n"], ["a", "b"]],
    ["a last line without its end", ["a\nb"], ["a", "b"]],
    ["empty lines", ["\n\na\n\n"], ["", "", "a", ""]],
    ["a line over several chunks", ["a", "b", "c\nd"], ["abc", "d"]],
    ["a line end at the start of a chunk", ["a", "\nb"], ["a", "b"]],
    ["a long line", [`${LONG}1111\nb`], [LONG, "b"]],
    ["a long line over several chunks", [LONG, LONG, "1\nb"], [LONG, "b"]],
    ["a long line without its end", [LONG, LONG], [LONG]],
  ] as const
) {
  Deno.test(`LineSplitter splits ${name}`, () => {
    assertEquals(split(...chunks.map(latin1)), lines);
  });
}

Deno.test("LineSplitter returns the same lines for every cut into chunks", () => {
  const byte = fc.constantFrom(0x0A, 0x0D, 0x31, 0xEF);
  fc.assert(fc.property(
    fc.array(
      fc.uint8Array({ maxLength: 8 }).chain((bytes) =>
        fc.array(byte, { maxLength: 8 }).map((more) =>
          Uint8Array.from([...bytes, ...more])
        )
      ),
    ),
    (chunks) => {
      const all = Uint8Array.from(chunks.flatMap((it) => [...it]));
      const lines = Buffer.from(all).toString("latin1").split("\n");
      if (lines.at(-1) === "") lines.pop();
      assertEquals(split(...chunks), lines);
    },
  ));
});
