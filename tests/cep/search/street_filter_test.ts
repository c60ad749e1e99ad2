import { assertEquals } from "@std/assert";
import { streetFilter } from "../../../cep/search/street_filter.ts";

const CASES:
  readonly (readonly [text: string, street: string, has: boolean])[] = [
    ["Paulista", "Avenida Paulista", true],
    ["paul", "Avenida Paulista", true],
    ["AVENIDA PAULISTA", "Avenida Paulista", true],
    ["rua paulista", "Avenida Paulista", true],
    ["av paulista", "Avenida Paulista", true],
    ["Avenida", "Avenida Paulista", true],
    ["Avenida", "Rua Augusta", false],
    ["Centro", "Rua Augusta", false],
    ["augusta paulista", "Rua Augusta", false],
    ["José Domingos", "Rua Domingos José", true],
    ["domingos jose", "Rua Domingos de José", true],
    ["Dr Arnaldo", "Avenida Doutor Arnaldo", true],
    ["Doutor Arnaldo", "Avenida Dr Arnaldo", true],
    ["arnado", "Avenida Doutor Arnaldo", false],
    ["013", "Rua Augusta", false],
    ["***", "Rua Augusta", true],
  ];

for (const [text, street, has] of CASES) {
  Deno.test(`streetFilter ${has ? "finds" : "does not find"} "${text}" in "${street}"`, () => {
    assertEquals(streetFilter(text)(street), has);
  });
}
