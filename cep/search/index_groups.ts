import { groupAll, type Groups } from "./columns.ts";
import type { IndexArrays } from "./index_layout.ts";

/** Spelling keys of the words of an index. */
export interface Keys {
  /** Number of keys. */
  readonly keyCount: number;
  /** First letter of each key, and the end. */
  readonly keyLetterStarts: Uint32Array;
  /** Key of each word. */
  readonly wordKeys: Uint32Array;
}

/** Returns the words of each key, in ascending order. */
export function groupWords({ keyCount, wordKeys }: Keys): Groups {
  return groupAll(keyCount, (visit) => {
    for (let word = 0; word < wordKeys.length; word++) {
      visit(wordKeys[word]!, word);
    }
  });
}

/**
 * Returns the records with each key in any of their names, in ascending order.
 * Those of a street type before a name are left out, because it never excludes
 * a record.
 *
 * @param isType 1 for each word that is a street type, else 0.
 */
export function groupRecords(
  { keyCount, wordKeys }: Keys,
  isType: Uint8Array,
  { nameWordStarts, nameWords, typeLengths, names, otherRecords, otherNames }:
    Pick<
      IndexArrays,
      | "nameWordStarts"
      | "nameWords"
      | "typeLengths"
      | "names"
      | "otherRecords"
      | "otherNames"
    >,
): Groups {
  // Last record of each key, plus one.
  const last = new Uint32Array(keyCount);
  return groupAll(keyCount, (visit) => {
    last.fill(0);
    const visitName = (record: number, name: number) => {
      const start = nameWordStarts[name]!;
      const end = nameWordStarts[name + 1]!;
      const typeEnd = start + typeLengths[name]!;
      for (let i = start; i < end; i++) {
        const word = nameWords[i]!;
        if (i < typeEnd && isType[word] === 1) continue;
        const key = wordKeys[word]!;
        if (last[key] === record + 1) continue;
        last[key] = record + 1;
        visit(key, record);
      }
    };
    let other = 0;
    for (let record = 0; record < names.length; record++) {
      visitName(record, names[record]!);
      for (; otherRecords[other] === record; other++) {
        visitName(record, otherNames[other]!);
      }
    }
  });
}

/**
 * Returns the names of places by the key of their rarest word, in ascending
 * order. The rarest key is in the fewest names; of those, it is the longest,
 * then the last one in the name.
 */
export function groupPlaceNames(
  { keyCount, keyLetterStarts, wordKeys }: Keys,
  { placeWords, placeWordStarts }: Pick<
    IndexArrays,
    "placeWords" | "placeWordStarts"
  >,
): Groups {
  const nameCount = placeWordStarts.length - 1;
  const counts = new Uint32Array(keyCount);
  const last = new Uint32Array(keyCount);
  for (let name = 0; name < nameCount; name++) {
    const end = placeWordStarts[name + 1]!;
    for (let i = placeWordStarts[name]!; i < end; i++) {
      const key = wordKeys[placeWords[i]!]!;
      if (last[key] === name + 1) continue;
      last[key] = name + 1;
      counts[key]!++;
    }
  }
  const lengthOf = (key: number) =>
    keyLetterStarts[key + 1]! - keyLetterStarts[key]!;
  const isRarer = (key: number, other: number) =>
    counts[key] === counts[other]
      ? lengthOf(key) >= lengthOf(other)
      : counts[key]! < counts[other]!;
  const rarest = new Uint32Array(nameCount);
  for (let name = 0; name < nameCount; name++) {
    const start = placeWordStarts[name]!;
    const end = placeWordStarts[name + 1]!;
    let key = wordKeys[placeWords[start]!]!;
    for (let i = start + 1; i < end; i++) {
      const other = wordKeys[placeWords[i]!]!;
      if (isRarer(other, key)) key = other;
    }
    rarest[name] = key;
  }
  return groupAll(keyCount, (visit) => {
    for (let name = 0; name < nameCount; name++) visit(rarest[name]!, name);
  });
}
