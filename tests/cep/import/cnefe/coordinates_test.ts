/** Coordinates of rows: those that are counted, and the best of them. */
import { assertEquals } from "@std/assert";
import { latin1 } from "../../_directory.ts";
import { csv, readAll, rowsOf } from "./_census.ts";

for (
  const [levels, latitude] of [
    [["1", "2"], -22.15],
    [["2", "1"], -22.15],
    [["1", "3"], -22.1],
    [["4", "2"], -22.2],
    [["3", "4"], -22.15],
    [["3", "5"], -22.1],
    [["3", "6"], -22.1],
    [["5", "4"], -22.2],
    [["6", "4"], -22.2],
    [["5", "6"], -22.15],
    [["6", ""], -22.15],
    [["", "3"], -22.2],
  ] as const
) {
  const [first, second] = levels;
  Deno.test(`readCensus takes the latitude ${latitude} of the levels "${first}" and "${second}"`, async () => {
    const [row] = await rowsOf([
      { LATITUDE: "-22.1", NV_GEO_COORD: first },
      { LATITUDE: "-22.2", NV_GEO_COORD: second },
    ]);
    assertEquals(row!.point?.latitude, latitude);
  });
}

for (
  const [latitude, longitude, isCounted] of [
    ["5.500000", "-60.000000", true],
    ["5.500001", "-60.000000", false],
    ["-34.000000", "-53.000000", true],
    ["-34.000001", "-53.000000", false],
    ["-8.000000", "-28.500000", true],
    ["-8.000000", "-28.499999", false],
    ["-8.000000", "-74.100000", true],
    ["-8.000000", "-74.100001", false],
    ["0.000000", "0.000000", false],
    ["-8.000000", "", false],
  ] as const
) {
  Deno.test(`readCensus ${isCounted ? "counts" : "warns of"} the coordinates "${latitude}" and "${longitude}"`, async () => {
    const row = { LATITUDE: latitude, LONGITUDE: longitude };
    const data = await readAll({ "35_SP.csv": latin1(csv([row])) });
    const [counted] = [...data.rows()].flat();
    assertEquals(counted!.point !== null, isCounted);
    const note = { count: 1, lines: [2] };
    assertEquals(
      data.report.files[0]!.warnings,
      isCounted ? {} : { coordinates: note },
    );
  });
}
