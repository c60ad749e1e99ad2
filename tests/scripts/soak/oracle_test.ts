/** Records computed from the rows of the generator. */
import { assertEquals } from "@std/assert";
import type { Table } from "../../../scripts/generate_dne/table.ts";
import { computeOracle, findReplaced } from "../../../scripts/soak/oracle.ts";
import { LINES } from "../../cep/_directory.ts";
import { contentOf, OpenedStore } from "../../cep/_stores.ts";

type Lines = Readonly<Record<string, readonly string[]>>;

function toTables(lines: Lines): Table[] {
  return Object.entries(lines).map(([name, lines]) => ({
    name,
    rows: lines.map((line) => line.split("@")),
  }));
}

Deno.test("computeOracle returns the records of the small DNE", async () => {
  await using opened = await OpenedStore.inMemory({});
  const { records } = await contentOf(opened.store);
  const oracle = computeOracle(toTables(LINES));
  const found = [...oracle.records.values()];
  assertEquals(
    found.toSorted((a, b) => Number(a["cep"]) - Number(b["cep"])),
    records.map((record) => ({ ...record })),
  );
});

Deno.test("findReplaced returns the CEPs that a release has lost, with the CEP of the row", () => {
  const [street, ...others] = LINES["LOG_LOGRADOURO_SP.TXT"]!;
  const before = computeOracle(toTables(LINES));
  const after = computeOracle(toTables({
    ...LINES,
    "LOG_LOGRADOURO_SP.TXT": [
      street!.replace("01900001", "01900007"),
      ...others,
    ],
    "LOG_CPC.TXT": [],
  }));
  assertEquals(
    [...findReplaced(before, after)],
    [["01900001", "01900007"], ["12900990", null]],
  );
});
