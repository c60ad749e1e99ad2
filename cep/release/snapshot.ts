import { Buffer } from "node:buffer";
import { CENSUS_FIELDS } from "../record/fields.ts";
import { free } from "../util/free.ts";
import type { SnapshotData, Texts } from "./read_snapshot.ts";
import {
  FRAGMENT_FIELDS,
  type Piece,
  PIECES,
  TEXT_FIELDS,
  WORDS,
} from "./snapshot_layout.ts";
import { renderNumbers } from "./snapshot_numbers.ts";

/**
 * Numbers at the start of a record: those of its fragments, and text lengths.
 */
const NUMBERS = FRAGMENT_FIELDS.length + TEXT_FIELDS.length;

/** Piece of the JSON text, and the constant text before it. */
interface Slot extends Pick<Piece, "kind"> {
  readonly before: string;
}

const SLOTS: readonly Slot[] = PIECES.map(({ kind, fields }, i) => ({
  before: `${i === 0 ? "{" : '",'}"${fields[0]}":"`,
  kind,
}));

const FRAGMENT_SLOTS = SLOTS.filter(({ kind }) => kind === "fragment");

/** Texts that are decoded when they are first read. */
class TextList {
  readonly #bytes: Buffer;
  readonly #starts: Uint32Array;
  readonly #before: string;
  readonly #decoded: (string | undefined)[];

  /** @param before Text that is prepended to each. */
  constructor({ bytes, starts }: Texts, before = "") {
    this.#bytes = toBuffer(bytes);
    this.#starts = starts;
    this.#before = before;
    this.#decoded = new Array(starts.length - 1);
  }

  at(i: number): string {
    return this.#decoded[i] ??= this.#decode(i);
  }

  #decode(i: number): string {
    const [start, next] = [this.#starts[i]!, this.#starts[i + 1]!];
    const text = this.#bytes.toString("latin1", start, next - 1);
    // V8 would keep a concatenation as references to both strings, which are
    // slower to read.
    return Buffer.from(this.#before + text, "latin1").toString("latin1");
  }
}

function toBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** All records in memory. */
export class Snapshot {
  readonly #data: SnapshotData;
  /** Records, one after the other. */
  readonly #records: Buffer;
  readonly #fragments: readonly TextList[];
  readonly #words: TextList;
  /** True if the records have the fields of the CNEFE. */
  readonly #counted: boolean;
  /** Numbers of the current record, in one array for all calls. */
  readonly #numbers = new Uint32Array(NUMBERS);
  /** Bit of each field of the CNEFE that has a number in the current record. */
  #present = 0;
  /** Numbers of these fields. */
  readonly #fieldNumbers = new Uint32Array(CENSUS_FIELDS.length);

  /** @param data Data of `readSnapshot`, also of another thread. */
  constructor(data: SnapshotData) {
    this.#data = data;
    this.#records = toBuffer(data.records);
    this.#fragments = data.fragments.map((texts, i) =>
      new TextList(texts, FRAGMENT_SLOTS[i]!.before)
    );
    this.#words = new TextList(data.words);
    this.#counted = data.counted;
  }

  /** Frees its memory. No record can be found afterwards. */
  free(): void {
    const { records, starts } = this.#data;
    // All other arrays lie in one block.
    free(records, starts);
  }

  /** Finds the record of eight digits as JSON text. */
  find(cep: string): string | undefined {
    const place = this.#locate(Number(cep));
    if (place === undefined) return undefined;
    return this.#render(cep, place);
  }

  /**
   * Finds the location of the record of a CEP by interpolation search, whose
   * guesses are usually close enough to read only a few cache lines.
   */
  #locate(cep: number): number | undefined {
    const { starts, places, suffixes } = this.#data;
    const prefix = Math.floor(cep / 1000);
    const suffix = cep % 1000;
    let low = starts[prefix]!;
    let high = starts[prefix + 1]!;
    let least = 0; // Lower bound of the suffixes from low to high,
    let limit = 1000; // and upper bound, exclusive.
    while (low < high) {
      const share = (suffix - least) / (limit - least);
      const guess = low + Math.floor(share * (high - low));
      const found = suffixes[guess]!;
      if (found === suffix) return places[guess];
      if (found < suffix) {
        low = guess + 1;
        least = found + 1;
      } else {
        high = guess;
        limit = found;
      }
    }
    return undefined;
  }

  #render(cep: string, place: number): string {
    const numbers = this.#numbers;
    const start = this.#readNumbers(place);
    let length = 0;
    for (let i = FRAGMENT_FIELDS.length; i < NUMBERS; i++) {
      length += numbers[i]!;
    }
    // One call for all texts, because a call costs more than slicing.
    const texts = this.#records.toString("latin1", start, start + length);
    let fragment = 0;
    let text = 0;
    let used = 0;
    let json = "";
    for (const { before, kind } of SLOTS) {
      if (kind === "code") {
        json += before + cep;
      } else if (kind === "fragment") {
        json += this.#fragments[fragment]!.at(numbers[fragment]!);
        fragment++;
      } else {
        const end = used + numbers[FRAGMENT_FIELDS.length + text]!;
        json += before + this.#expand(texts.slice(used, end));
        used = end;
        text++;
      }
    }
    return this.#counted && this.#present > 0
      ? `${json}"${renderNumbers(this.#present, this.#fieldNumbers)}}`
      : `${json}"}`;
  }

  /**
   * Replaces the byte at the start of a text with the word that it stands for.
   */
  #expand(text: string): string {
    const byte = text.charCodeAt(0); // NaN if the text is empty
    return byte < WORDS ? this.#words.at(byte) + text.slice(1) : text;
  }

  /** Reads the numbers of a record. Returns the offset of its texts. */
  #readNumbers(offset: number): number {
    for (let i = 0; i < NUMBERS; i++) {
      offset = this.#readNumber(offset, this.#numbers, i);
    }
    if (!this.#counted) return offset;
    const present = this.#present = this.#records[offset++]!;
    for (let i = 0; present >> i > 0; i++) {
      if (present & 1 << i) {
        offset = this.#readNumber(offset, this.#fieldNumbers, i);
      }
    }
    return offset;
  }

  /** Reads a number. Returns the offset after it. */
  #readNumber(offset: number, numbers: Uint32Array, i: number): number {
    const bytes = this.#records;
    let byte = bytes[offset++]!;
    let number = byte & 0x7F;
    for (let shift = 7; byte > 0x7F; shift += 7) {
      byte = bytes[offset++]!;
      number |= (byte & 0x7F) << shift;
    }
    numbers[i] = number;
    return offset;
  }
}
