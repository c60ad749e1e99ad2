import fc from "fast-check";
import { assertEquals } from "@std/assert";
import {
  MAX_FIELDS,
  MAX_ROW_BYTES,
  NO_COORDINATE,
  NO_NUMBER,
  readCoordinate,
  readDigits,
  RowScanner,
} from "../../../../cep/import/cnefe/rows.ts";
import { latin1 } from "../../_directory.ts";

/** Row as a test sees it: its line and fields, or its fault. */
type Seen = readonly [line: number, ...fields: string[]];

function scan(chunks: readonly Uint8Array[]): Seen[] {
  const seen: Seen[] = [];
  const scanner = new RowScanner({
    row(bytes, starts, count, line) {
      const fields = Array.from({ length: count }, (_, i) => {
        const field = bytes.subarray(starts[i], starts[i + 1]! - 1);
        return String.fromCharCode(...field);
      });
      seen.push([line, ...fields]);
    },
    fault: (fault, line) => seen.push([line, `(${fault})`]),
    cut: (line) => seen.push([line, "(cut)"]),
  });
  for (const chunk of chunks) scanner.push(chunk);
  scanner.finish();
  return seen;
}

/** Reads the same in the simplest way. */
function scanSlowly(text: string): Seen[] {
  const lines = text.split("\n");
  const isCut = lines.at(-1) !== "";
  if (!isCut) lines.pop();
  return lines.flatMap((line, i): Seen[] => {
    const row = line.endsWith("\r") ? line.slice(0, -1) : line;
    const fault = row.length > MAX_ROW_BYTES
      ? "overlong row"
      : row.includes("\0")
      ? "NUL byte"
      : undefined;
    if (fault !== undefined) {
      const seen: Seen = [i + 1, `(${fault})`];
      return isCut && i === lines.length - 1
        ? [seen, [i + 1, "(cut)"]]
        : [seen];
    }
    return row === "" ? [] : [[i + 1, ...row.split(";")]];
  });
}

const LONG = "x".repeat(MAX_ROW_BYTES);

for (
  const [text, rows, name] of [
    ["", [], "nothing"],
    ["a;b\nc;d\n", [[1, "a", "b"], [2, "c", "d"]], "LF"],
    ["a;b\r\nc;d\r\n", [[1, "a", "b"], [2, "c", "d"]], "CRLF"],
    ["a\nb", [[1, "a"], [2, "b"]], "a last line without end"],
    ["a\r\nb\r", [[1, "a"], [2, "b"]], "a last line that ends with CR"],
    [";;\n", [[1, "", "", ""]], "empty fields"],
    ["a\n\n\r\nb\n", [[1, "a"], [4, "b"]], "blank lines"],
    ['"a;b"\n', [[1, '"a', 'b"']], "quotes as characters"],
    ["S\xC3O\n", [[1, "S\xC3O"]], "bytes of ISO-8859-1"],
    ["a\0\nb\n", [[1, "(NUL byte)"], [2, "b"]], "a NUL byte"],
    [`${LONG}\nb\n`, [[1, LONG], [2, "b"]], "the longest row"],
    [`${LONG}x\nb\n`, [[1, "(overlong row)"], [2, "b"]], "an overlong row"],
    [
      `a\n${LONG.repeat(20)}\nb\n`,
      [[1, "a"], [2, "(overlong row)"], [3, "b"]],
      "an overlong row that takes several chunks",
    ],
    [
      LONG.repeat(20),
      [[1, "(overlong row)"], [1, "(cut)"]],
      "a file without line ends",
    ],
    [
      `a\n${LONG}x`,
      [[1, "a"], [2, "(overlong row)"], [2, "(cut)"]],
      "a last row that is barely too long",
    ],
    [
      "a\nb\0\0",
      [[1, "a"], [2, "(NUL byte)"], [2, "(cut)"]],
      "a last row that is padded with NUL bytes",
    ],
  ] as const
) {
  Deno.test(`RowScanner reads ${name}`, () => {
    assertEquals(scan([latin1(text)]), rows.map((row) => [...row]) as never);
  });
}

Deno.test("RowScanner counts fields above the maximum", () => {
  const counts: number[] = [];
  const scanner = new RowScanner({
    row: (_bytes, starts, count) => counts.push(count, starts.length),
    fault: () => {},
    cut: () => {},
  });
  scanner.push(latin1(";".repeat(1000) + "\n"));
  assertEquals(counts, [1001, MAX_FIELDS + 1]);
});

Deno.test("RowScanner reads random rows in random chunks", () => {
  const piece = fc.oneof(
    fc.constantFrom(";", "\n", "\r\n", "\r", "\0", '"', "\xC3"),
    fc.string({ maxLength: 12 }).filter((it) => /^[\0-\xFF]*$/.test(it)),
    fc.constantFrom(LONG, LONG.slice(1)),
  );
  const texts = fc.array(piece, { maxLength: 30 }).map((it) => it.join(""));
  const cuts = fc.array(fc.nat(MAX_ROW_BYTES * 3), { maxLength: 8 });
  fc.assert(fc.property(texts, cuts, (text, cuts) => {
    const bytes = latin1(text);
    const ends = [...cuts.filter((it) => it < bytes.length), bytes.length]
      .sort((a, b) => a - b);
    const chunks = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
    assertEquals(scan(chunks), scanSlowly(text));
  }));
});

for (
  const [text, value] of [
    ["0", 0],
    ["007", 7],
    ["999999999", 999_999_999],
    ["1234567890", NO_NUMBER],
    ["", NO_NUMBER],
    ["1 ", NO_NUMBER],
    ["-1", NO_NUMBER],
    ["12a", NO_NUMBER],
    ["1.5", NO_NUMBER],
  ] as const
) {
  Deno.test(`readDigits reads "${text}" as ${value}`, () => {
    assertEquals(readDigits(latin1(`;${text};`), 1, text.length + 1), value);
  });
}

for (
  const [text, value] of [
    ["-22.500000", -22_500_000],
    ["-22.5", -22_500_000],
    ["5.1234567", 5_123_456],
    ["-0.000001", -1],
    ["180", 180_000_000],
    ["-22", -22_000_000],
    ["", NO_COORDINATE],
    ["-", NO_COORDINATE],
    [".5", NO_COORDINATE],
    ["-22,5", NO_COORDINATE],
    ["-22.5x", NO_COORDINATE],
    ["2.8230001E9", NO_COORDINATE],
    ["-60.6700001xyz", NO_COORDINATE],
    ["-60.670000.1", NO_COORDINATE],
    ["181.0", NO_COORDINATE],
    ["1e1", NO_COORDINATE],
    ["NaN", NO_COORDINATE],
    ["--1.0", NO_COORDINATE],
  ] as const
) {
  Deno.test(`readCoordinate reads "${text}" as ${value}`, () => {
    const bytes = latin1(`;${text};`);
    assertEquals(readCoordinate(bytes, 1, text.length + 1), value);
  });
}
