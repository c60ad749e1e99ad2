import fc from "fast-check";
import { assertEquals } from "@std/assert";
import {
  medianPoint,
  PointSamples,
  SAMPLE_SIZE,
} from "../../../../cep/import/cnefe/point_samples.ts";
import { latin1 } from "../../_directory.ts";
import { csv, readAll, rowsOf } from "./_census.ts";

/** Tier, hash, latitude and longitude. */
type Point = readonly [number, number, number, number];

function sampleOf(points: readonly Point[]): [number, number][] {
  const samples = new PointSamples();
  // Another group, whose blocks lie between.
  for (const [i, point] of points.entries()) {
    samples.add(1, ...point);
    if (i % 3 === 0) samples.add(0, ...point);
  }
  const { latitudes, longitudes } = samples.bestOf(1);
  return [...latitudes].map((it, i): [number, number] => [it, longitudes[i]!])
    .sort(([a, b], [c, d]) => a - c || b - d);
}

const POINT = fc.tuple(
  fc.nat(2),
  fc.oneof(fc.nat(50), fc.nat()),
  fc.integer({ min: -34e6, max: 5e6 }),
  fc.integer({ min: -74e6, max: -28e6 }),
);

Deno.test("PointSamples keeps the same points in any order", () => {
  const points = fc.array(POINT, { maxLength: 400, size: "max" }).chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all, { minLength: all.length }),
    )
  );
  fc.assert(fc.property(points, ([all, shuffled]) => {
    assertEquals(sampleOf(shuffled), sampleOf(all));
  }));
});

Deno.test("PointSamples keeps as many points of the best tier as fit", () => {
  fc.assert(fc.property(fc.array(POINT, { maxLength: 400 }), (points) => {
    const best = Math.min(...points.map(([tier]) => tier));
    const count = points.filter(([tier]) => tier === best).length;
    assertEquals(sampleOf(points).length, Math.min(count, SAMPLE_SIZE));
  }));
});

Deno.test("PointSamples has no points of an unknown group", () => {
  assertEquals(sampleOf([]), []);
});

for (
  const [latitudes, longitudes, expected, name] of [
    [[], [], undefined, "nothing"],
    [[-22_500_004], [-46_500_006], [-2250000, -4650001, 6], "one point"],
    [[0, 10, 50], [0, 20, 30], [1, 2, 6], "three points"],
    [[0, 100], [0, 100], [5, 5, 8], "two points"],
    [
      [0, 0, 0, 0, 5e6],
      [-4e7, -4e7, -4e7, -4e7, -4e7],
      [0, -4e6, 555972],
      "a wrong point, which does not move the median",
    ],
  ] as const
) {
  Deno.test(`medianPoint finds the middle of ${name}`, () => {
    const point = medianPoint({
      latitudes: Int32Array.from(latitudes),
      longitudes: Int32Array.from(longitudes),
    });
    const actual = point && [point.latitude, point.longitude, point.radius];
    assertEquals(actual, expected && [...expected]);
  });
}

Deno.test("medianPoint leaves one point in twenty out of the radius", () => {
  const latitudes = Int32Array.from({ length: 40 }, (_, i) => i < 38 ? 0 : 5e5);
  const { radius } = medianPoint({
    latitudes,
    longitudes: new Int32Array(40),
  })!;
  assertEquals(radius, 6);
});

for (
  const [latitudes, longitudes, radius, name] of [
    [[...zeros(18), 9000, 5e6], zeros(20), 1001, "19 of 20 points"],
    [[...zeros(17), 9000, 5e6, 5e6], zeros(20), 555972, "18 of 20 points"],
    [zeros(20), [...zeros(18), 1e4, 1e4], 1112, "points of the equator"],
    [
      zeros(20, -30e6),
      [...zeros(18), 1e4, 1e4],
      963,
      "points of the 30th parallel, where a degree of longitude is shorter",
    ],
    [
      [...zeros(18, -30e6), -30e6 + 1e4, -30e6 + 1e4],
      zeros(20),
      1112,
      "points of a meridian",
    ],
  ] as const
) {
  Deno.test(`medianPoint has a radius of ${radius} m with ${name}`, () => {
    const point = medianPoint({
      latitudes: Int32Array.from(latitudes),
      longitudes: Int32Array.from(longitudes),
    });
    assertEquals(point?.radius, radius);
  });
}

function zeros(count: number, value = 0): number[] {
  return Array.from({ length: count }, () => value);
}

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
