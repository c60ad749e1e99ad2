import { assertEquals } from "@std/assert";
import {
  decodeText,
  joinStreet,
} from "../../../../cep/import/cnefe/group_streets.ts";
import { latin1 } from "../../_directory.ts";

for (
  const [type, title, name, expected] of [
    ["RUA", "", "DAS FLORES", ["RUA", "DAS FLORES"]],
    ["RUA", "CONDE", "DE PORTO ALEGRE", ["RUA", "CONDE DE PORTO ALEGRE"]],
    ["RUA", "DOUTOR", "DOUTOR ARNALDO", ["RUA", "DOUTOR ARNALDO"]],
    ["RUA", "SANTA", "SANTANA", ["RUA", "SANTA SANTANA"]],
    ["RUA", "", "RUA DAS FLORES", ["RUA", "DAS FLORES"]],
    ["RUA", "DOUTOR", "RUA DOUTOR ARNALDO", ["RUA", "DOUTOR ARNALDO"]],
    ["RUA", "", "RUA", ["RUA", "RUA"]],
    ["", "", "BR 116", ["", "BR 116"]],
    ["RUA", "SANTA", "", ["RUA", "SANTA"]],
    ["RUA", "", "", undefined],
    ["RUA", "", "SEM DENOMINACAO", undefined],
    ["RUA", "", "PROJETADA", undefined],
    ["RUA", "", "PROJETADA 5", ["RUA", "PROJETADA 5"]],
    ["TRAVESSA", "", "PARTICULAR", undefined],
    ["EDF", "", "SOLAR", undefined],
  ] as const
) {
  Deno.test(`joinStreet joins ${type};${title};${name}`, () => {
    const street = joinStreet(type, title, name);
    assertEquals(street && [street.type, street.name], expected);
  });
}

for (
  const [bytes, text] of [
    [" A  B ", "A B"],
    ["S\xC3O", "SÃO"],
    ["S\xC3\x83O", "SÃO"],
    ["A\tB\x01C", "A B C"],
    ["\xA0A", "A"],
  ] as const
) {
  Deno.test(`decodeText decodes ${JSON.stringify(bytes)}`, () => {
    assertEquals(decodeText(latin1(bytes)), text);
  });
}
