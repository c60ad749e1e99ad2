import { assert, assertEquals } from "@std/assert";
import type {
  Entry,
  Locality,
  Neighbourhood,
} from "../../../cep/record/entry.ts";
import { Places } from "../../../cep/record/places.ts";
import {
  type ArrayName,
  COMPLEMENT,
  MUNICIPALITY,
  STATE,
} from "../../../cep/search/index_layout.ts";
import { SearchIndexWriter } from "../../../cep/search/index_writer.ts";
import type { SearchIndex } from "../../../cep/search/search_index.ts";
import { keySignature, spellingKey } from "../../../cep/search/spelling_key.ts";
import { entry } from "../store/_release.ts";
import { readIndex, sampleIndex } from "./_sample_index.ts";

/** Streets, and the keys that list them. */
const LISTED = [
  ["Rua", "das Flores", "flores"],
  ["Rua", "Rua Nova", "nova"],
  ["Rua", "Nova Rua", "nova rua"],
  ["2ª Travessa", "da Travessa", "2 travesa"],
  ["Vila", "da Vila", "vila"],
] as const;

for (const [streetType, street, keys] of LISTED) {
  Deno.test(`SearchIndexWriter lists ${streetType} ${street} by "${keys}"`, async () => {
    const index = await indexOf([entry("01001000", { streetType, street })]);
    const listed = keysOf(index)
      .filter((key) => group(index, "recordsOfKey", key).length > 0);
    assertEquals(listed, keys.split(" "));
  });
}

/** A DNE of two states, of which SP has more records. */
const LOCALITIES: readonly Partial<Locality>[] = [
  { number: 1, name: "São José (Vila d'Água)", abbreviation: "S José" },
  { number: 2, name: "Três Irmãos", parent: 1 },
  { number: 3, name: "Monte Verde", uf: "MG" },
];
const NEIGHBOURHOODS: readonly Partial<Neighbourhood>[] = [
  { number: 1, name: "Centro" },
  { number: 2, name: "Jardim Irmãos Souza (Centro)" },
];
const ENTRIES: readonly Entry[] = [
  entry("30000003", {
    uf: "MG",
    locality: 3,
    neighbourhood: null,
    street: "Luiz",
    complement: "",
  }),
  entry("01000009", {
    street: "15 de Novembro",
    complement: "- de 1001/1002 ao fim (Cj Ceará)",
  }),
  entry("01000002", {
    street: "Quinze de Novembro",
    complement: "até 697 - lado ímpar",
  }),
  entry("01000005", {
    neighbourhood: 2,
    street: "Luís de Sousa",
    complement: "(Lot Luís)",
  }),
  entry("01000001", {
    locality: 2,
    neighbourhood: null,
    street: "Vinte e Dois de Abril",
    complement: "",
  }),
  entry("01000007", {
    neighbourhood: 2,
    street: "Avenida Souza, 15",
    name: "Hospital Gerônimo",
    complement: "",
    origin: "grande_usuario",
  }),
];

/** CEPs of the records of each key, in the order of the records. */
const RECORDS: Readonly<Record<string, readonly number[]>> = {
  15: [1000002, 1000009],
  22: [1000001],
  2: [1000001],
  20: [1000001],
  abril: [1000001],
  novenbro: [1000002, 1000009],
  kj: [1000009],
  seara: [1000009],
  luis: [1000005, 30000003],
  sousa: [1000005, 1000007],
  lot: [1000005],
  ospital: [1000007],
  jeronimo: [1000007],
};

/** Names of places by the key of their rarest word. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  ng: ["mg"],
  minas: [],
  jerais: ["minas gerais"],
  sp: ["sp"],
  paulo: ["sao paulo"],
  sao: [],
  jose: ["sao jose"],
  s: ["s jose"],
  dagua: ["sao jose vila dagua", "vila dagua"],
  sentro: ["centro", "centro"],
  jardin: ["jardim irmaos souza centro", "jardim irmaos souza"],
  irmaos: [],
  sousa: [],
  3: ["tres irmaos"],
  monte: [],
  verde: ["monte verde"],
};

const small = await indexOf(ENTRIES);

for (const [key, ceps] of Object.entries(RECORDS)) {
  Deno.test(`SearchIndexWriter lists the records of key ${key}`, () => {
    const records = group(small, "recordsOfKey", key);
    assertEquals(records.map((it) => small.arrays.ceps[it]), ceps);
  });
}

Deno.test("SearchIndexWriter lists no record by another key", () => {
  const listed = keysOf(small)
    .filter((key) => group(small, "recordsOfKey", key).length > 0);
  assertEquals(listed, Object.keys(RECORDS).sort());
});

for (const [key, names] of Object.entries(PLACES)) {
  Deno.test(`SearchIndexWriter lists the names of places of key ${key}`, () => {
    const listed = group(small, "placeNamesOfKey", key);
    assertEquals(listed.map((name) => placeName(small, name)), names);
  });
}

Deno.test("SearchIndexWriter lists each name of a place once", () => {
  const { placeNamesOfKeys, placesOfPlaceNames } = small.arrays;
  assertEquals(
    [...placeNamesOfKeys].sort((a, b) => a - b),
    Array.from(placesOfPlaceNames, (_, name) => name),
  );
});

Deno.test("SearchIndexWriter splits the name of a place with brackets", () => {
  const place = Array.from(small.arrays.placeLevels).indexOf(MUNICIPALITY);
  assertEquals(namesOfPlace(small, place), [
    "sao jose vila dagua",
    "sao jose",
    "vila dagua",
    "s jose",
  ]);
});

Deno.test("SearchIndexWriter adds the words of a complement as a name", () => {
  const { ceps, otherKinds, otherNames, otherRecords } = small.arrays;
  const found = [...otherKinds].flatMap((kind, i) =>
    kind === COMPLEMENT
      ? [[ceps[otherRecords[i]!], nameOf(small, otherNames[i]!)]]
      : []
  );
  assertEquals(found.sort(), [
    [1000005, "lot luis"],
    [1000009, "cj ceara"],
  ]);
});

Deno.test("SearchIndexWriter groups the words of a key", () => {
  const words = group(small, "wordsOfKey", "15").map((it) => small.letters(it));
  assertEquals(words, ["15", "quinze"]);
});

Deno.test("SearchIndex returns the places around a place", () => {
  const { placeLevels, placeParents } = small.arrays;
  placeLevels.forEach((level, place) => {
    let around = place;
    while (placeLevels[around]! > MUNICIPALITY) around = placeParents[around]!;
    const isState = level === STATE;
    assertEquals(small.municipalityOf(place), isState ? -1 : around);
    assertEquals(small.stateOf(place), isState ? place : placeParents[around]);
  });
});

Deno.test("SearchIndex.recordOf finds every CEP, and no other", () => {
  for (const { cep } of ENTRIES) {
    assertEquals(small.arrays.ceps[small.recordOf(Number(cep))], Number(cep));
  }
  for (const cep of [0, 1000003, 99999999]) {
    assertEquals(small.recordOf(cep), -1);
  }
});

Deno.test("SearchIndex.findKey returns -1 for an unknown key", () => {
  for (const key of ["", "souza", "sous", "sousas", "~"]) {
    assertEquals(small.findKey(key), -1, key);
  }
});

Deno.test("SearchIndex finds keys by their text and first letter", async () => {
  const index = await sampleIndex();
  for (let key = 0; key < index.keyCount; key++) {
    const text = index.keyText(key);
    assertEquals(index.findKey(text), key);
    assertEquals(index.keySignatures[key], keySignature(text));
    const [start, end] = index.keysOfLetter(text[0]!);
    assert(start <= key && key < end);
  }
  for (let key = 1; key < index.keyCount; key++) {
    assert(index.keyText(key - 1) < index.keyText(key));
  }
  const sizes = [..."0123456789abcdefghijklmnopqrstuvwxyz"]
    .map((letter) => index.keysOfLetter(letter))
    .map(([start, end]) => end - start);
  assertEquals(sizes.reduce((sum, size) => sum + size), index.keyCount);
});

Deno.test("SearchIndexWriter lists the records of the sample by all keys of their names", async () => {
  const index = await sampleIndex();
  const { arrays } = index;
  const types = index.findTypes();
  const expected = Array.from(
    { length: index.keyCount },
    () => new Set<number>(),
  );
  const add = (record: number, name: number) => {
    const start = arrays.nameWordStarts[name]!;
    const end = arrays.nameWordStarts[name + 1]!;
    for (let i = start; i < end; i++) {
      const word = arrays.nameWords[i]!;
      const isType = i < start + arrays.typeLengths[name]!;
      if (isType && types.has(word)) continue;
      const key = index.findKey(spellingKey(index.letters(word)));
      assertEquals(arrays.wordKeys[word], key);
      expected[key]!.add(record);
    }
  };
  arrays.names.forEach((name, record) => add(record, name));
  arrays.otherRecords.forEach((record, i) =>
    add(record, arrays.otherNames[i]!)
  );
  expected.forEach((records, key) => {
    assertEquals(
      group(index, "recordsOfKey", index.keyText(key)),
      [...records].sort((a, b) => a - b),
    );
  });
});

Deno.test("SearchIndexWriter sorts the records of the sample by place and CEP", async () => {
  const index = await sampleIndex();
  const { ceps, recordsByCep } = index.arrays;
  for (let record = 1; record < index.recordCount; record++) {
    const place = index.placeOf(record);
    const before = index.placeOf(record - 1);
    assert(
      before < place ||
        before === place && ceps[record - 1]! < ceps[record]!,
    );
  }
  assertEquals(
    Array.from(recordsByCep, (record) => ceps[record]!),
    [...ceps].sort((a, b) => a - b),
  );
});

function indexOf(entries: readonly Entry[]): Promise<SearchIndex> {
  const places = new Places();
  for (const it of LOCALITIES) {
    const locality = { uf: "SP", parent: null, abbreviation: "", ...it };
    places.localities.set(it.number!, locality as Locality);
  }
  for (const it of NEIGHBOURHOODS) {
    const neighbourhood = { uf: "SP", locality: 1, abbreviation: "", ...it };
    places.neighbourhoods.set(it.number!, neighbourhood as Neighbourhood);
  }
  const writer = new SearchIndexWriter(places);
  for (const it of entries) writer.add(it);
  return readIndex(writer);
}

function keysOf(index: SearchIndex): string[] {
  return Array.from({ length: index.keyCount }, (_, key) => index.keyText(key));
}

/** Returns the items of a key. */
function group(
  index: SearchIndex,
  name: "recordsOfKey" | "placeNamesOfKey" | "wordsOfKey",
  text: string,
): number[] {
  const key = index.findKey(text);
  return slice(index, key, `${name}s`, `${name}Starts`);
}

function nameOf(index: SearchIndex, name: number): string {
  return toText(index, slice(index, name, "nameWords", "nameWordStarts"));
}

function placeName(index: SearchIndex, name: number): string {
  return toText(index, slice(index, name, "placeWords", "placeWordStarts"));
}

function namesOfPlace(index: SearchIndex, place: number): string[] {
  return Array.from(index.arrays.placesOfPlaceNames, (_, name) => name)
    .filter((name) => index.arrays.placesOfPlaceNames[name] === place)
    .map((name) => placeName(index, name));
}

function toText(index: SearchIndex, words: readonly number[]): string {
  return words.map((word) => index.letters(word)).join(" ");
}

function slice(
  { arrays }: SearchIndex,
  i: number,
  items: ArrayName,
  starts: ArrayName,
): number[] {
  return [...arrays[items].subarray(arrays[starts][i], arrays[starts][i + 1])];
}
