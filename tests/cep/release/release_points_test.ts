import { assertEquals, assertRejects } from "@std/assert";
import { ReleasePoints } from "../../../cep/release/release_points.ts";
import { UnreachableError } from "../../../cep/store/store.ts";
import { treeOf } from "./points/_points.ts";

const QUERY = { latitude: 0, longitude: 0, limit: 1 };

Deno.test("ReleasePoints reads the points once", async () => {
  let reads = 0;
  const points = new ReleasePoints(() => {
    reads++;
    return treeOf([[7, 0, 0]]);
  });
  assertEquals(reads, 0);
  const found = await Promise.all([
    points.nearest(QUERY),
    points.nearest(QUERY),
  ]);
  assertEquals(found, [[{ cep: 7, distance: 0 }], [{ cep: 7, distance: 0 }]]);
  await points.nearest(QUERY);
  assertEquals(reads, 1);
});

Deno.test("ReleasePoints.retire frees the points", async () => {
  const tree = await treeOf([[7, 0, 0]]);
  const points = new ReleasePoints(() => Promise.resolve(tree));
  await points.nearest(QUERY);
  assertEquals(tree.count, 1);
  points.retire();
  await Promise.resolve();
  assertEquals(tree.count, 0);
});

Deno.test("ReleasePoints.retire frees the points after the last query", async () => {
  const tree = await treeOf([[7, 0, 0]]);
  const reading = Promise.withResolvers<typeof tree>();
  const points = new ReleasePoints(() => reading.promise);
  const queries = [points.nearest(QUERY), points.nearest(QUERY)];
  points.retire();
  reading.resolve(tree);
  for (const found of await Promise.all(queries)) {
    assertEquals(found.length, 1);
  }
  await Promise.resolve();
  assertEquals(tree.count, 0);
});

Deno.test("ReleasePoints.nearest reads the points again if they were out of reach", async () => {
  const failures: Error[] = [
    new UnreachableError("away"),
    new Error("damaged"),
    new Error("not read"),
  ];
  const points = new ReleasePoints(() => Promise.reject(failures.shift()));
  await assertRejects(() => points.nearest(QUERY), Error, "away");
  assertEquals(points.isDamaged, false);
  for (let time = 0; time < 3; time++) {
    await assertRejects(() => points.nearest(QUERY), Error, "damaged");
    assertEquals(points.isDamaged, true);
  }
});

Deno.test("ReleasePoints.retire accepts points that could not be read", async () => {
  const points = new ReleasePoints(() => Promise.reject(new Error("damaged")));
  await assertRejects(() => points.nearest(QUERY));
  points.retire();
});
