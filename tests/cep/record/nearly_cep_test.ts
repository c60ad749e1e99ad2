import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseCep } from "../../../cep/record/address.ts";
import { adviseCep } from "../../../cep/record/nearly_cep.ts";
import { CODE_UNIT } from "../_characters.ts";

const LETTERS = "troque as letras por dígitos: ";
const ZERO = "se falta o zero inicial, informe ";

const ADVICE: readonly (readonly [text: unknown, advice: unknown])[] = [
  ["88O10-112", `${LETTERS}88010-112`],
  ["88o1O112", `${LETTERS}88010-112`],
  ["0I310-l00", `${LETTERS}01310-100`],
  ["I310-l00", undefined],
  ["1310100", `${ZERO}01310-100`],
  ["1310-100", `${ZERO}01310-100`],
  ["1.310-100", `${ZERO}01310-100`],
  ["1310100.0", `${ZERO}01310-100`],
  ["88010112,00", "informe 88010-112"],
  ["0131010", undefined],
  ["01310–100", "informe 01310-100"],
  ["01.310.100", "informe 01310-100"],
  ["0131-0100", "informe 01310-100"],
  ["01310/100", "informe 01310-100"],
  ["CEP: 01310-100", "informe 01310-100"],
  ["０１３１０-１００", "informe 01310-100"],
  ["\u200B01310-100", "informe 01310-100"],
  ["01310-100\n", "informe 01310-100"],
  ["01310-100\0", undefined],
  ["٠١٣١٠١٠٠", undefined],
  ["00310-100", undefined],
  ["013101000", undefined],
  ["131010", undefined],
  ["Oito lilo", undefined],
  ["oiloiloi", undefined],
  ["fone 32231234", undefined],
  ["1e310100", undefined],
  [`01310${" ".repeat(40)}/100`, undefined],
  ["", undefined],
  [1310100, undefined],
  [null, undefined],
  [["01310–100"], undefined],
];

for (const [text, advice] of ADVICE) {
  Deno.test(`adviseCep reads ${JSON.stringify(text)}`, () => {
    assertEquals(adviseCep(text), advice);
  });
}

Deno.test("adviseCep names a CEP that parseCep reads", () => {
  const nearly = fc.string({
    unit: fc.oneof(fc.constantFrom(..."0123456789oIl.-– "), CODE_UNIT),
    maxLength: 12,
  });
  fc.assert(fc.property(nearly, (text) => {
    const [written] = adviseCep(text)?.match(/[\d-]+$/) ?? [];
    assert(written === undefined || parseCep(written) !== undefined);
  }));
});
