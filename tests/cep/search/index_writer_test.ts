import { assertEquals } from "@std/assert";
import { Places } from "../../../cep/places.ts";
import { SearchIndexWriter } from "../../../cep/search/index_writer.ts";
import { entry } from "../store/_release.ts";
import { readIndex } from "./_sample_index.ts";

/** Streets, and the words that list them. */
const LISTED = [
  ["Rua", "das Flores", "flores"],
  ["Rua", "Rua Nova", "nova"],
  ["Rua", "Nova Rua", "nova rua"],
  ["2ª Travessa", "da Travessa", "2 travessa"],
  ["Vila", "da Vila", "vila"],
] as const;

for (const [streetType, street, words] of LISTED) {
  Deno.test(`SearchIndexWriter lists ${streetType} ${street} by "${words}"`, async () => {
    const writer = new SearchIndexWriter(new Places());
    writer.add(entry("01001000", { streetType, street }));
    const index = await readIndex(writer);
    const { namesOfWordStarts: starts } = index.arrays;
    const listed = Array.from({ length: index.wordCount }, (_, word) => word)
      .filter((word) => starts[word + 1]! > starts[word]!)
      .map((word) => index.letters(word));
    assertEquals(listed.sort(), words.split(" "));
  });
}
