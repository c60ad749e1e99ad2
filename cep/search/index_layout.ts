import { freePart } from "../util/free.ts";
import {
  type Allocate,
  allocateTogether,
  plainMemory,
} from "../util/memory.ts";
import { crc32 } from "node:zlib";

/**
 * Layout of the search index of a release.
 *
 * Records are numbered by place, those of the largest municipality first, so
 * that each municipality, district and neighbourhood is one interval of them;
 * within a place, by CEP. Names are distinct sequences of words. Words are in
 * alphabetical order, so that those of a prefix are an interval, too.
 *
 * Words that sound alike share a spelling key, by which records and places are
 * listed. Keys are in alphabetical order, too.
 */
/** Version of the layout; other versions are not read. */
export const INDEX_VERSION = 4;

/** Maximum size of a part. */
export const INDEX_PART_BYTES = 1 << 20;

/** Arrays of the index. Each `…Starts` has one more item, for the end. */
export interface IndexArrays {
  /** Letters of all words, in ASCII. */
  readonly letters: Uint8Array;
  /** First letter of each word. */
  readonly letterStarts: Uint32Array;
  /** Letters of all spelling keys, in ASCII. */
  readonly keyLetters: Uint8Array;
  /** First letter of each key. */
  readonly keyLetterStarts: Uint32Array;
  /** Key of each word. */
  readonly wordKeys: Uint32Array;
  /** Words of each key, in ascending order. */
  readonly wordsOfKeys: Uint32Array;
  /** First item of each key in `wordsOfKeys`. */
  readonly wordsOfKeyStarts: Uint32Array;
  /**
   * Records with each key in any of their names, in ascending order. A street
   * type before a name lists no record.
   */
  readonly recordsOfKeys: Uint32Array;
  /** First item of each key in `recordsOfKeys`. */
  readonly recordsOfKeyStarts: Uint32Array;
  /** Words of all names. */
  readonly nameWords: Uint32Array;
  /** First item of each name in `nameWords`. */
  readonly nameWordStarts: Uint32Array;
  /** Number of words of each name that are its type, and precede it. */
  readonly typeLengths: Uint8Array;
  /** CEP of each record. */
  readonly ceps: Uint32Array<ArrayBuffer>;
  /** All records, in order of CEP. */
  readonly recordsByCep: Uint32Array;
  /** First name of each record. */
  readonly names: Uint32Array;
  /** Records with more names, in order, one item per name. */
  readonly otherRecords: Uint32Array;
  /** Their names. */
  readonly otherNames: Uint32Array;
  /**
   * Kinds of their names: {@linkcode ALTERNATIVE}, {@linkcode LOCATION} or
   * {@linkcode COMPLEMENT}.
   */
  readonly otherKinds: Uint8Array;
  /** Level of each place: states first, then each before those within it. */
  readonly placeLevels: Uint8Array;
  /** Place around each place. */
  readonly placeParents: Uint32Array;
  /** First record of each place, in ascending order; 0 for a state. */
  readonly placeStarts: Uint32Array;
  /** End of the records of each place; 0 for a state. */
  readonly placeEnds: Uint32Array;
  /** First name of each place. */
  readonly placeNameStarts: Uint32Array;
  /**
   * Words of the names of places. The first name of a place is its official one;
   * `A (B)` is followed by the names `A` and `B`.
   */
  readonly placeWords: Uint32Array;
  /** First item of each name of a place in `placeWords`. */
  readonly placeWordStarts: Uint32Array;
  /** Place of each name of a place. */
  readonly placesOfPlaceNames: Uint32Array;
  /**
   * Names of places by the key of their rarest word, in ascending order: each
   * name is listed once. The rarest key is in the fewest names of places; of
   * those, it is the longest, then the last one in the name.
   */
  readonly placeNamesOfKeys: Uint32Array;
  /** First item of each key in `placeNamesOfKeys`. */
  readonly placeNamesOfKeyStarts: Uint32Array;
  /** Records that are limited to building numbers, one item per stretch. */
  readonly stretchRecords: Uint32Array;
  /** First number of each stretch. */
  readonly stretchFrom: Uint32Array;
  /** Last number of each stretch. */
  readonly stretchTo: Uint32Array;
  /** Side and unit of each stretch, as in {@linkcode STRETCH_KINDS}. */
  readonly stretchKinds: Uint8Array;
  /**
   * Building numbers that a census saw, of records without a stretch: four items
   * per record, or none at all.
   */
  readonly seenNumbers: Uint16Array;
  /**
   * Rarity of each record, 0 for one of the DNE; empty if no record is only in
   * the census.
   */
  readonly rarities: Uint8Array;
}

/** Name of an array. */
export type ArrayName = keyof IndexArrays;

/** Bytes per item of each array, in the order of the parts. */
export const ITEM_BYTES: Readonly<Record<ArrayName, 1 | 2 | 4>> = {
  letters: 1,
  letterStarts: 4,
  wordsOfKeys: 4,
  wordsOfKeyStarts: 4,
  placeLevels: 1,
  placeParents: 4,
  placeStarts: 4,
  placeEnds: 4,
  placeNameStarts: 4,
  placesOfPlaceNames: 4,
  placeNamesOfKeys: 4,
  placeNamesOfKeyStarts: 4,
  placeWords: 4,
  placeWordStarts: 4,
  keyLetters: 1,
  keyLetterStarts: 4,
  recordsOfKeys: 4,
  recordsOfKeyStarts: 4,
  wordKeys: 4,
  nameWords: 4,
  nameWordStarts: 4,
  typeLengths: 1,
  ceps: 4,
  recordsByCep: 4,
  names: 4,
  otherRecords: 4,
  otherNames: 4,
  otherKinds: 1,
  stretchRecords: 4,
  stretchFrom: 4,
  stretchTo: 4,
  stretchKinds: 1,
  seenNumbers: 2,
  rarities: 1,
};

/** Header of an index, stored beside its parts. */
export interface IndexHeader {
  /** {@linkcode INDEX_VERSION}. */
  readonly version: number;
  /** Items of each array. */
  readonly lengths: Readonly<Record<ArrayName, number>>;
  /** CRC-32 of the bytes of all parts. */
  readonly checksum: number;
}

/** Levels of places. */
export const STATE = 0;
export const MUNICIPALITY = 1;
export const DISTRICT = 2;
export const NEIGHBOURHOOD = 3;

/** Kind of a name: another name of the street. */
export const ALTERNATIVE = 0;

/** Kind of a name: the address of a large user, unit or mailbox. */
export const LOCATION = 1;

/** Kind of a name: words of the complement of a street. */
export const COMPLEMENT = 2;

/** Kind of a name: the name with figures in place of numerals of two words. */
export const FIGURES = 3;

/** Name of records without one, which has no words. */
export const NAMELESS = 0;

/** Sides and units of stretches. */
export const STRETCH_KINDS = [
  "A number",
  "P number",
  "I number",
  "D number",
  "E number",
  "A metre",
  "P metre",
  "I metre",
  "D metre",
  "E metre",
] as const;

type NumberArray = Uint8Array | Uint16Array | Uint32Array;

/** Arrays by the bytes of an item. */
const ARRAYS: Readonly<
  Record<
    1 | 2 | 4,
    new (buffer: ArrayBufferLike, start: number, length: number) => NumberArray
  >
> = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

/**
 * Reads the arrays of an index, and frees its parts.
 *
 * @throws {Error} If it is of another version or damaged.
 */
export async function readSearchIndex(
  { version, lengths, checksum }: IndexHeader,
  parts: AsyncIterable<Uint8Array>,
  allocate: Allocate = plainMemory,
): Promise<IndexArrays> {
  if (version !== INDEX_VERSION) {
    throw new Error(
      `Cannot read search index: its layout version is ${version}, ` +
        `not ${INDEX_VERSION}`,
    );
  }
  const next = parts[Symbol.asyncIterator]();
  const names = Object.keys(ITEM_BYTES) as ArrayName[];
  const memory = allocateTogether(
    names.map((name) => lengths[name] * ITEM_BYTES[name]),
    allocate,
  );
  const arrays: Partial<Record<ArrayName, NumberArray>> = {};
  let sum = 0;
  for (const [i, name] of names.entries()) {
    const bytes = memory[i]!;
    for (let start = 0; start < bytes.length; start += INDEX_PART_BYTES) {
      const part: Uint8Array = (await next.next()).value ?? new Uint8Array();
      if (part.length !== Math.min(INDEX_PART_BYTES, bytes.length - start)) {
        throw damaged();
      }
      sum = crc32(part, sum);
      bytes.set(part, start);
      freePart(part);
    }
    const Items = ARRAYS[ITEM_BYTES[name]];
    arrays[name] = new Items(bytes.buffer, bytes.byteOffset, lengths[name]);
  }
  if (sum !== checksum || !(await next.next()).done) throw damaged();
  return arrays as unknown as IndexArrays;
}

function damaged(): Error {
  return new Error("Cannot read search index: its checksum does not match");
}
