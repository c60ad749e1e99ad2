/**
 * The bytes of a directory file as lines of text.
 *
 * @module
 */

/**
 * Longest line that is accepted, in characters. The longest of the layout has
 * about 400; a file without line ends must not fill the memory.
 */
export const MAX_LINE_LENGTH = 65_536;

// By standard this label means windows-1252; the two differ in 0x80 to 0x9F
// only, which findForeignEncoding() refuses.
const ENCODING = "iso-8859-1";

/** Ctrl-Z, with which old programs end a text file, or fill its last block. */
const END_OF_FILE = /\cZ+$/;

/**
 * Splits ISO-8859-1 bytes into lines. CRLF and LF end a line alike, the last
 * one may lack its end, and an empty input has no line. A final Ctrl-Z is
 * dropped.
 *
 * @returns The lines without their ends, in arrays of what one chunk completes.
 * @throws {RangeError} If a line is longer than {@linkcode MAX_LINE_LENGTH}.
 *
 * @example
 * ```ts
 * import { readLines } from "@carteiro/cep/dne";
 *
 * const chunks = [new Uint8Array([65, 0xC9, 13, 10, 66])];
 * const lines = await Array.fromAsync(readLines(chunks));
 * console.assert(lines.flat().join() === "AÉ,B");
 * ```
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder(ENCODING);
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk)).split("\n");
    rest = lines.pop()!;
    requireLength(rest);
    yield lines.map(finish);
  }
  rest = rest.replace(END_OF_FILE, "");
  if (rest !== "") yield [finish(rest)];
}

function finish(line: string): string {
  requireLength(line);
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function requireLength({ length }: string): void {
  if (length <= MAX_LINE_LENGTH) return;
  throw new RangeError(
    `Cannot read a line of more than ${MAX_LINE_LENGTH} characters`,
  );
}

/**
 * Tells whether bytes that should be ISO-8859-1 are something else: a byte from
 * 0x80 to 0x9F, which no directory file holds, or well-formed UTF-8 with at
 * least one character beyond ASCII.
 *
 * @returns What was found, for people, or `undefined`.
 */
export async function findForeignEncoding(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<string | undefined> {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let ascii = true;
  let wellFormed = true;
  let control: number | undefined;
  for await (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte < 0x80) continue;
      ascii = false;
      if (byte < 0xA0) control ??= byte;
    }
    if (ascii || !wellFormed) continue;
    wellFormed = decodes(utf8, chunk, true);
  }
  if (ascii) return undefined;
  if (wellFormed && decodes(utf8, new Uint8Array(), false)) {
    return "it is UTF-8";
  }
  return control === undefined
    ? undefined
    : `it holds the byte 0x${control.toString(16).toUpperCase()}`;
}

function decodes(
  decoder: TextDecoder,
  chunk: Uint8Array,
  stream: boolean,
): boolean {
  try {
    decoder.decode(chunk, { stream });
    return true;
  } catch {
    return false;
  }
}
