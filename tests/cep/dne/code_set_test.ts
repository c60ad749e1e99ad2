import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { CodeSet } from "../../../cep/dne/code_set.ts";

Deno.test("CodeSet.add tells a new code from one it has", () => {
  const codes = new CodeSet();
  assertEquals(codes.add("01310100"), true);
  assertEquals(codes.add("01310100"), false);
  assertEquals(codes.add("01310100"), false);
});

const PAIRS: readonly [name: string, first: string, second: string][] = [
  ["the least and the greatest code", "00000000", "99999999"],
  ["neighbours in one byte", "01310100", "01310101"],
  ["neighbours over the border of a byte", "00000007", "00000008"],
  ["codes that differ in the first digit", "01310100", "91310100"],
];

for (const [name, first, second] of PAIRS) {
  Deno.test(`CodeSet keeps apart ${name}`, () => {
    const codes = new CodeSet();
    assert(codes.add(first));
    assert(codes.add(second));
    assert(!codes.add(first));
    assert(!codes.add(second));
  });
}

Deno.test("CodeSet does what a set of strings does", () => {
  // One for all runs, for it is large; a run must not see another's codes.
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
