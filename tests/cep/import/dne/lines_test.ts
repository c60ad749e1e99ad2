import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import {
  findForeignEncoding,
  MAX_LINE_LENGTH,
  readLines,
} from "../../../../cep/import/dne/lines.ts";
import { latin1 } from "../../_directory.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

async function lines(...chunks: Uint8Array[]): Promise<string[]> {
  return (await Array.fromAsync(readLines(chunks))).flat();
}

/** Cuts bytes into pieces at these offsets. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const borders = [0, ...places.toSorted((a, b) => a - b), bytes.length];
  return borders.slice(1).map((end, i) => bytes.subarray(borders[i], end));
}

const TEXTS: readonly [name: string, text: string, lines: string[]][] = [
  ["no line from no bytes", "", []],
  ["lines that end in CRLF", "a@b\r\nc\r\n", ["a@b", "c"]],
  ["lines that end in LF", "a@b\nc\n", ["a@b", "c"]],
  ["lines of either end in one file", "a\r\nb\nc\r\n", ["a", "b", "c"]],
  ["a last line without its LF", "a\nb", ["a", "b"]],
  ["a last line without its CRLF", "a\r\nb", ["a", "b"]],
  ["a last line cut inside its CRLF", "a\r\nb\r", ["a", "b"]],
  ["a single line without an end", "a@b", ["a@b"]],
  ["empty lines as lines", "\r\n\na\r\n\r\n", ["", "", "a", ""]],
  ["a CR inside a line as data", "a\rb\r\n", ["a\rb"]],
  ["one CR only as part of a line end", "a\r\r\n", ["a\r"]],
  ["spaces around a line", " a \r\n b", [" a ", " b"]],
  ["no line from a final Ctrl-Z", "a\r\nb\r\n\x1A", ["a", "b"]],
  ["no line from a last block of Ctrl-Z", "a\r\n\x1A\x1A\x1A", ["a"]],
  ["a last line without its Ctrl-Z", "a\r\nb\x1A", ["a", "b"]],
  ["a last line without its CR and Ctrl-Z", "a\r\nb\r\x1A", ["a", "b"]],
  ["no line from Ctrl-Z alone", "\x1A", []],
  ["Ctrl-Z elsewhere as data", "\x1Aa\r\nb\x1A\r\n", ["\x1Aa", "b\x1A"]],
  ["accents", "Praça da Sé\r\n4ª Três Irmãos", [
    "Praça da Sé",
    "4ª Três Irmãos",
  ]],
  ["every character from 0xA0", "\xA0¡¿ÀÿÝ÷\n", ["\xA0¡¿ÀÿÝ÷"]],
];

for (const [name, text, expected] of TEXTS) {
  Deno.test(`readLines reads ${name}`, async () => {
    const bytes = latin1(text);
    assertEquals(await lines(bytes), expected);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    assertEquals(await lines(...single), expected, "byte by byte");
  });
}

Deno.test("readLines reads no line if there is no chunk", async () => {
  assertEquals(await lines(), []);
});

Deno.test("readLines ignores empty chunks", async () => {
  const nothing = new Uint8Array();
  const chunks = [nothing, latin1("a\r"), nothing, latin1("\nb"), nothing];
  assertEquals(await lines(...chunks), ["a", "b"]);
});

Deno.test("readLines yields lines as soon as a chunk completes them", async () => {
  const chunks = [latin1("a\nb"), latin1("c\nd")];
  assertEquals(await Array.fromAsync(readLines(chunks)), [["a"], ["bc"], [
    "d",
  ]]);
});

Deno.test("readLines yields the same lines wherever the chunks are cut", async () => {
  // Line ends are common, so that cuts hit them.
  const byte = fc.oneof(
    fc.constantFrom(0x0A, 0x0D, 0x40, 0x41),
    fc.integer({ min: 0, max: 255 }),
  );
  const bytes = fc.array(byte, { maxLength: 200 })
    .map((values) => Uint8Array.from(values));
  const places = fc.array(fc.nat({ max: 200 }), { maxLength: 20 });
  await fc.assert(fc.asyncProperty(bytes, places, async (bytes, places) => {
    const inside = places.map((place) => Math.min(place, bytes.length));
    assertEquals(await lines(...cut(bytes, inside)), await lines(bytes));
  }));
});

Deno.test("readLines restores texts that were joined with line ends", async () => {
  const text = fc.stringMatching(/^[ -~\xA0-\xFF]{0,30}$/);
  const end = fc.constantFrom("\n", "\r\n");
  await fc.assert(
    fc.asyncProperty(fc.array(text), end, async (texts, end) => {
      const file = texts.map((text) => text + end).join("");
      assertEquals(await lines(latin1(file)), texts);
    }),
  );
});

Deno.test("readLines reads a line of the maximum length", async () => {
  const longest = "x".repeat(MAX_LINE_LENGTH);
  assertEquals(await lines(latin1(`${longest}\na`)), [longest, "a"]);
  const halves = cut(latin1(longest), [MAX_LINE_LENGTH / 2]);
  assertEquals(await lines(...halves), [longest]);
});

const TOO_LONG = "x".repeat(MAX_LINE_LENGTH + 1);
const LONG_CHUNKS: readonly [name: string, chunks: Uint8Array[]][] = [
  ["in one chunk", [latin1(TOO_LONG)]],
  ["in shorter chunks", cut(latin1(TOO_LONG), [10, 60_000])],
  ["between lines of one chunk", [latin1(`a\n${TOO_LONG}\nb\n`)]],
  ["that ends in the next chunk", cut(latin1(`${TOO_LONG}\n`), [40_000])],
];

for (const [name, chunks] of LONG_CHUNKS) {
  Deno.test(`readLines refuses a line that is too long ${name}`, async () => {
    await assertRejects(
      () => lines(...chunks),
      RangeError,
      "Cannot read a line of more than 65536 characters",
    );
  });
}

Deno.test("readLines stops reading at a line that is too long", async () => {
  let chunks = 0;
  function* endless(): Generator<Uint8Array> {
    for (;; chunks++) yield latin1("x".repeat(10_000));
  }
  await assertRejects(() => Array.fromAsync(readLines(endless())), RangeError);
  assertEquals(chunks, 6);
});

const ENCODINGS: readonly [
  name: string,
  chunks: Uint8Array[],
  found: string | undefined,
][] = [
  ["no chunks", [], undefined],
  ["no bytes", [new Uint8Array()], undefined],
  ["ASCII", [latin1("Rua A\r\nRua B\r\n")], undefined],
  ["ISO-8859-1", [latin1("Praça da Sé\r\n")], undefined],
  ["ISO-8859-1 up to its last byte", [latin1("Irm\xE3")], undefined],
  ["ISO-8859-1 in two chunks", [latin1("Rua A\r\n"), latin1("Sé")], undefined],
  [
    "ISO-8859-1 whose first chunk could be UTF-8",
    [latin1("Ã©"), latin1("Praça")],
    undefined,
  ],
  ["a no-break space", [latin1("S\xA0Paulo\n")], undefined],
  ["UTF-8", [utf8("Praça da Sé\r\n")], "it is UTF-8"],
  [
    "UTF-8 with a byte order mark and ASCII",
    [utf8("\uFEFFRua A\n")],
    "it is UTF-8",
  ],
  [
    "UTF-8 whose bytes are also ISO-8859-1",
    [utf8("José Três\n")],
    "it is UTF-8",
  ],
  ["UTF-8 of three bytes", [utf8("10 € – 20 €\n")], "it is UTF-8"],
  [
    "UTF-8 split inside a character",
    cut(utf8("Praça da Sé\r\n"), [4]),
    "it is UTF-8",
  ],
  [
    "UTF-8 byte by byte",
    cut(utf8("Três"), [1, 2, 3, 4]),
    "it is UTF-8",
  ],
  [
    "UTF-8 after a long start in ASCII",
    [...Array(20).fill(latin1("Rua A\r\n")), utf8("Praça\r\n")],
    "it is UTF-8",
  ],
  [
    "UTF-8 split after a long start in ASCII",
    [latin1("Rua A\r\n"), ...cut(utf8("Praça\r\n"), [4])],
    "it is UTF-8",
  ],
  ["the byte 0x9D", [latin1("Pra\x9Da\r\n")], "it contains the byte 0x9D"],
  ["the byte 0x80", [latin1("\x80")], "it contains the byte 0x80"],
  ["the byte 0x9F", [latin1("\x9F")], "it contains the byte 0x9F"],
  [
    "the byte 0x9D after a long start in ASCII",
    [latin1("Rua A\r\n"), latin1("Rua B\r\n"), latin1("Pra\x9Da")],
    "it contains the byte 0x9D",
  ],
  [
    "the byte 0x9D after ISO-8859-1",
    [latin1("Sé"), latin1("Pra\x9Da")],
    "it contains the byte 0x9D",
  ],
  [
    "several foreign bytes",
    [latin1("\x93Estrela\x94")],
    "it contains the byte 0x93",
  ],
  [
    "UTF-8 followed by ISO-8859-1",
    [utf8("CAFÉ\n"), latin1("Sé\n")],
    "it contains the byte 0x89",
  ],
];

for (const [name, chunks, found] of ENCODINGS) {
  const result = found === undefined ? "undefined" : `"${found}"`;
  Deno.test(`findForeignEncoding returns ${result} for ${name}`, async () => {
    assertEquals(await findForeignEncoding(chunks), found);
  });
}
