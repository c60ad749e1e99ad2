import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { STATES } from "../../../../cep/record/address.ts";
import {
  RejectedRow,
  type Rejection,
} from "../../../../cep/import/dne/layout.ts";
import { toCep, toNumber, toState } from "../../../../cep/import/dne/values.ts";

/** Checks that a value is rejected, with its text. */
function assertRejected(
  parse: (text: string) => unknown,
  text: string,
  reason: Rejection,
): void {
  const error = assertThrows(() => parse(text), RejectedRow);
  assertEquals([error.reason, error.detail], [reason, text]);
}

Deno.test("toState accepts the 27 states only", () => {
  for (const uf of STATES) assertEquals(toState(uf), uf);
  for (const text of ["", "XX", "sp", "SPX", "S"]) {
    assertRejected(toState, text, "unknown state");
  }
});

Deno.test("toNumber parses up to eight digits", () => {
  fc.assert(fc.property(fc.nat(99_999_999), fc.nat(8), (number, width) => {
    assertEquals(toNumber(String(number).padStart(width, "0")), number);
  }));
});

for (
  const text of ["", "-1", "+1", "1.0", "1,0", "0x1", "1e3", " 1", "٣", "²"]
) {
  Deno.test(`toNumber refuses "${text}"`, () => {
    assertRejected(toNumber, text, "unusable number");
  });
}

Deno.test("toNumber refuses nine digits", () => {
  assertRejected(toNumber, "000000001", "unusable number");
});

/** Parses a CEP, and counts calls. */
function parseCep(text: string, zeros: boolean): [string, number, number] {
  let asked = 0;
  let padded = 0;
  const hasZeros = () => {
    asked++;
    return zeros;
  };
  return [toCep(text, hasZeros, () => padded++), asked, padded];
}

Deno.test("toCep accepts eight digits of any state", () => {
  assertEquals(parseCep("01310100", false), ["01310100", 0, 0]);
  assertEquals(parseCep("69900990", true), ["69900990", 0, 0]);
});

Deno.test("toCep pads seven digits where CEPs begin with 0", () => {
  assertEquals(parseCep("1310100", true), ["01310100", 1, 1]);
  assertRejected((it) => parseCep(it, false), "1310100", "unusable CEP");
});

for (const text of ["", "131010", "013101000", "01310-100", "0131010O"]) {
  Deno.test(`toCep refuses "${text}" in any state`, () => {
    for (const zeros of [true, false]) {
      assertRejected((it) => parseCep(it, zeros), text, "unusable CEP");
    }
  });
}
