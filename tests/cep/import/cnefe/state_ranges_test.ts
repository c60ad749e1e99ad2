import { assertEquals } from "@std/assert";
import {
  isState,
  stateOfCep,
} from "../../../../cep/import/cnefe/state_ranges.ts";

for (
  const [cep, state] of [
    [1_000_000, 35],
    [19_999_999, 35],
    [999_999, 0],
    [69_300_000, 14],
    [73_699_999, 53],
    [73_700_000, 52],
    [99_999_999, 43],
  ] as const
) {
  Deno.test(`stateOfCep finds the state ${state} of ${cep}`, () => {
    assertEquals(stateOfCep(cep), state);
    assertEquals(isState(state), state !== 0);
  });
}
