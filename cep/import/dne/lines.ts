import { SeedError } from "../errors.ts";

/**
 * Maximum length of a line, in characters. The layout allows about 400. The
 * limit keeps a file without line ends from filling the memory.
 */
export const MAX_LINE_LENGTH = 65_536;

// The Encoding Standard maps this label to windows-1252. The two differ only in
// the bytes 0x80 to 0x9F, which findForeignEncoding() detects.
const ENCODING = "iso-8859-1";

/** Ctrl-Z, which ends a text file on DOS or fills its last block. */
const END_OF_FILE = /\cZ+$/;

/**
 * Splits ISO-8859-1 bytes into lines. A line ends with CRLF or LF, which is
 * optional after the last line; an empty input has no lines. A final Ctrl-Z is
 * dropped.
 *
 * @returns The lines without their ends, one array per chunk.
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
    yield lines.map(withoutReturn);
  }
  rest = rest.replace(END_OF_FILE, "");
  if (rest !== "") yield [withoutReturn(rest)];
}

function withoutReturn(line: string): string {
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
 * Detects bytes that are not ISO-8859-1: a byte from 0x80 to 0x9F, which does
 * not occur in the DNE, or well-formed UTF-8 with at least one non-ASCII
 * character.
 *
 * @returns A description for messages, or `undefined`.
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
    : `it contains the byte 0x${control.toString(16).toUpperCase()}`;
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

/** Bytes that end the last line: LF, CR, and a final Ctrl-Z. */
const ENDS: ReadonlySet<number> = new Set([0x0A, 0x0D, 0x1A]);

/**
 * End of a file. A last line without a line end is complete in files of
 * Correios, so only one that is faulty, too, was cut off.
 */
export class FileEnd {
  #last = 0x0A;
  #faulty = 0;

  /** Watches the bytes of the file. */
  async *watch(
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#last = chunk.at(-1) ?? this.#last;
      yield chunk;
    }
  }

  /** Notes a line that cannot be used. */
  noteFault(line: number): void {
    this.#faulty = line;
  }

  /**
   * Checks the file after it has been read.
   *
   * @param verb Verb of the message.
   * @param lines Number of its lines.
   * @throws {SeedError} If it was cut off.
   */
  check(verb: "import" | "update from", file: string, lines: number): void {
    if (ENDS.has(this.#last) || this.#faulty < lines || lines === 0) return;
    throw new SeedError(
      `Cannot ${verb} ${file}: it was cut off in line ${lines}, which is ` +
        "incomplete; copy the file again, or end the line",
    );
  }
}
