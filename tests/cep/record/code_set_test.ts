import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { CodeSet } from "../../../cep/record/code_set.ts";

Deno.test("CodeSet.add returns true for a new CEP and false for a known one", () => {
  const codes = new CodeSet();
  assertEquals(codes.add("01310100"), true);
  assertEquals(codes.add("01310100"), false);
  assertEquals(codes.add("01310100"), false);
});

const PAIRS: readonly [name: string, first: string, second: string][] = [
  ["the least and the greatest CEP", "00000000", "99999999"],
  ["consecutive CEPs in one byte", "01310100", "01310101"],
  ["consecutive CEPs in two bytes", "00000007", "00000008"],
  ["CEPs that differ in the first digit", "01310100", "91310100"],
];

for (const [name, first, second] of PAIRS) {
  Deno.test(`CodeSet.add distinguishes ${name}`, () => {
    const codes = new CodeSet();
    assert(codes.add(first));
    assert(codes.add(second));
    assert(!codes.add(first));
    assert(!codes.add(second));
  });
}

Deno.test("CodeSet.add agrees with a Set of strings", () => {
  // One set for all runs, because it takes 12.5 MB.
  const codes = new CodeSet();
  const set = new Set<string>();
  const code = fc.oneof(
    fc.integer({ min: 0, max: 99_999_999 }),
    fc.integer({ min: 13_101_00, max: 13_101_40 }),
  ).map((number) => String(number).padStart(8, "0"));
  fc.assert(fc.property(fc.array(code), (added) => {
    for (const cep of added) {
      assertEquals(codes.add(cep), !set.has(cep));
      set.add(cep);
    }
  }));
});
