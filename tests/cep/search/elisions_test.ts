/** Names with an apostrophe, or with a space in its place. */
import { assertEquals } from "@std/assert";
import { entry } from "../store/_release.ts";
import { findCeps, indexOf } from "./_seen.ts";

for (
  const spellings of [
    [
      "Júlio Otávio Sant'Anna",
      "JULIO OTAVIO SANT ANNA",
      "Julio Otavio Santanna",
    ],
    ["da Caixa D'Água", "CAIXA D AGUA", "caixa dagua", 'Caixa D"Água'],
    ["Santa Bárbara d'Oeste", "SANTA BARBARA D OESTE"],
  ]
) {
  for (const street of spellings) {
    for (const query of spellings) {
      Deno.test(`Searcher finds "${street}" for "${query}"`, async () => {
        const complement = "";
        const index = await indexOf([], [
          entry("13500001", { number: 1, street, complement }),
          entry("13500002", { number: 2, street: "Sá", complement }),
        ]);
        const ceps = findCeps(index, `Rua ${query}`);
        assertEquals(ceps, [13500001]);
      });
    }
  }
}
