import { assert, assertEquals } from "@std/assert";
import type {
  Entry,
  Locality,
  Neighbourhood,
} from "../../../cep/record/entry.ts";
import { Places } from "../../../cep/record/places.ts";
import type { ArrayName } from "../../../cep/search/index_layout.ts";
import { SearchIndexWriter } from "../../../cep/search/index_writer.ts";
import type { SearchIndex } from "../../../cep/search/search_index.ts";
import { keySignature } from "../../../cep/search/spelling_key.ts";
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

const small = await indexOf(ENTRIES);

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

function slice(
  { arrays }: SearchIndex,
  i: number,
  items: ArrayName,
  starts: ArrayName,
): number[] {
  return [...arrays[items].subarray(arrays[starts][i], arrays[starts][i + 1])];
}
