/** Generators of queries. */
import fc from "fast-check";
import { CODE_POINT } from "../_characters.ts";

const WORDS = "rua|av|avenida|praca|pr|al|ba|sp|paulista|sao|paulo|centro|jd|" +
  "jardim|vila|15|quinze|e|de|do|s|a|das flores|,|n|travessa|largo|santa|santo|" +
  "rio|campo|nova|bela vista|1|100|brasil|r|p|ro|estrada|caminho servidao|" +
  "01310-200|s/n|apto 12|km 30|cep|,|/|1578";

/** Words that occur, or nearly, in many ways. */
export const QUERY: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...WORDS.split("|")), { maxLength: 6 })
  .map((words) => words.join(" "));

/** Any text, or such words. */
export const TEXT: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: CODE_POINT, maxLength: 30 }),
  QUERY,
);
