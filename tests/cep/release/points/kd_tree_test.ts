/** Points nearest to a place. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { cepsOf, distanceByVectors, type Point, treeOf } from "./_points.ts";

const LATITUDE = fc.integer({ min: -90_00000, max: 90_00000 });
const LONGITUDE = fc.integer({ min: -180_00000, max: 180_00000 });

/** Points on the globe, in Brazil, in a town, and on few distinct places. */
const PLACES = fc.oneof(
  fc.tuple(LATITUDE, LONGITUDE),
  fc.tuple(
    fc.integer({ min: -33_75000, max: 5_27000 }),
    fc.integer({ min: -73_99000, max: -34_79000 }),
  ),
  fc.tuple(
    fc.integer({ min: -23_70000, max: -23_40000 }),
    fc.integer({ min: -46_80000, max: -46_40000 }),
  ),
  fc.tuple(
    fc.constantFrom(-90_00000, -1, 0, 90_00000),
    fc.constantFrom(-180_00000, 0, 179_99999, 180_00000),
  ),
);

const POINTS = fc.array(PLACES, { maxLength: 300 }).map((places) =>
  places.map(([latitude, longitude], i): Point => [i + 1, latitude, longitude])
);

const QUERY = fc.record({
  latitude: fc.oneof(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: -23.7, max: -23.4, noNaN: true }),
    fc.constantFrom(-90, 0, 90),
  ),
  longitude: fc.oneof(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.double({ min: -46.8, max: -46.4, noNaN: true }),
    fc.constantFrom(-180, 0, 180),
  ),
  limit: fc.integer({ min: 1, max: 320 }),
});

function placeOf(points: readonly Point[], cep: number): string {
  return points[cep - 1]!.slice(1).join();
}

Deno.test("KdTree.nearest returns what a search of all points finds", () =>
  fc.assert(
    fc.asyncProperty(POINTS, QUERY, async (points, query) => {
      const tree = await treeOf(points);
      const found = tree.nearest(query);
      const sorted = points
        .map((point) => distanceByVectors(point, query))
        .sort((a, b) => a - b)
        .slice(0, query.limit);
      assertEquals(found.length, sorted.length);
      for (const [i, { cep, distance }] of found.entries()) {
        // Each is as near as the one at its place in the sorted list, and at
        // the distance of its own point. Half a metre at the antipode.
        const tolerance = sorted[i]! > 20_000_000 ? 0.5 : 1e-3;
        assertAlmostEquals(distance, sorted[i]!, tolerance);
        const own = distanceByVectors(points[cep - 1]!, query);
        assertAlmostEquals(distance, own, tolerance);
        const previous = found[i - 1];
        if (previous === undefined) continue;
        assert(previous.distance <= distance);
        const isSamePlace = placeOf(points, previous.cep) ===
          placeOf(points, cep);
        assert(!isSamePlace || previous.cep < cep);
      }
    }),
    { numRuns: 500 },
  ));

Deno.test("KdTree.nearest sorts points at one place by CEP", async () => {
  const points = Array.from(
    { length: 5000 },
    (_, i): Point => [(i * 7919) % 5000, -23_56168, -46_65598],
  );
  const tree = await treeOf(points);
  const here = { latitude: -23.56168, longitude: -46.65598 };
  assertEquals(
    cepsOf(tree.nearest({ ...here, limit: 40 })),
    Array.from({ length: 40 }, (_, i) => i),
  );
  assertEquals(tree.nearest({ ...here, limit: 1 })[0]?.distance, 0);
});

Deno.test("KdTree.nearest returns all points for a larger limit", async () => {
  const tree = await treeOf([[2, 0, 0], [1, 100, 0]]);
  const query = { latitude: 0, longitude: 0, limit: 1_000_000_000 };
  assertEquals(cepsOf(tree.nearest(query)), [2, 1]);
});

Deno.test("KdTree.nearest returns nothing without points", async () => {
  const tree = await treeOf([]);
  assertEquals(tree.count, 0);
  assertEquals(tree.nearest({ latitude: 0, longitude: 0, limit: 10 }), []);
});

Deno.test("KdTree.nearest returns nothing after free", async () => {
  const tree = await treeOf([[1, 0, 0]]);
  tree.free();
  assertEquals(tree.nearest({ latitude: 0, longitude: 0, limit: 10 }), []);
});

Deno.test("KdTree.nearest crosses the date line", async () => {
  const tree = await treeOf([
    [1, 0, -179_90000],
    [2, 0, 179_00000],
    ...Array.from({ length: 100 }, (_, i): Point => [i + 3, 0, i * 1_00000]),
  ]);
  const query = { latitude: 0, longitude: 179.95, limit: 2 };
  assertEquals(cepsOf(tree.nearest(query)), [1, 2]);
});

Deno.test("KdTree.nearest measures a degree of the meridian", async () => {
  const tree = await treeOf([[1, -1_00000, 0]]);
  const [point] = tree.nearest({ latitude: 0, longitude: 0, limit: 1 });
  assertAlmostEquals(point!.distance, 111_195.08, 0.01);
});
