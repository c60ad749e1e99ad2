import { assertEquals } from "@std/assert";
import {
  NO_COORDINATE,
  NO_NUMBER,
  readCoordinate,
  readDigits,
} from "../../../../cep/import/cnefe/rows.ts";
import { latin1 } from "../../_directory.ts";

for (
  const [text, value] of [
    ["0", 0],
    ["007", 7],
    ["999999999", 999_999_999],
    ["1234567890", NO_NUMBER],
    ["", NO_NUMBER],
    ["1 ", NO_NUMBER],
    ["-1", NO_NUMBER],
    ["12a", NO_NUMBER],
    ["1.5", NO_NUMBER],
  ] as const
) {
  Deno.test(`readDigits reads "${text}" as ${value}`, () => {
    assertEquals(readDigits(latin1(`;${text};`), 1, text.length + 1), value);
  });
}

for (
  const [text, value] of [
    ["-22.500000", -22_500_000],
    ["-22.5", -22_500_000],
    ["5.1234567", 5_123_456],
    ["-0.000001", -1],
    ["180", 180_000_000],
    ["-22", -22_000_000],
    ["", NO_COORDINATE],
    ["-", NO_COORDINATE],
    [".5", NO_COORDINATE],
    ["-22,5", NO_COORDINATE],
    ["-22.5x", NO_COORDINATE],
    ["2.8230001E9", NO_COORDINATE],
    ["-60.6700001xyz", NO_COORDINATE],
    ["-60.670000.1", NO_COORDINATE],
    ["181.0", NO_COORDINATE],
    ["1e1", NO_COORDINATE],
    ["NaN", NO_COORDINATE],
    ["--1.0", NO_COORDINATE],
  ] as const
) {
  Deno.test(`readCoordinate reads "${text}" as ${value}`, () => {
    const bytes = latin1(`;${text};`);
    assertEquals(readCoordinate(bytes, 1, text.length + 1), value);
  });
}
