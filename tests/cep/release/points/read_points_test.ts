/** Points in their stored form. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { PointsWriter } from "../../../../cep/release/points/points_writer.ts";
import { PointsError } from "../../../../cep/release/points/read_points.ts";
import {
  cepsOf,
  type Point,
  readWritten,
  treeOf,
  writePoints,
  type WrittenPoints,
} from "./_points.ts";

/** More points than fit into a part. */
const MANY = Array.from(
  { length: 100_000 },
  (_, i): Point => [i, -(i % 300) * 10_000, -(i % 370) * 20_000],
);

const PART = 1 << 20;

Deno.test("PointsWriter.finish cuts the points into parts of at most 1 MiB", async () => {
  const { header, parts } = await writePoints(MANY);
  assertEquals(header.count, MANY.length);
  assertEquals(parts.map(({ length }) => length), [PART, 1_200_000 - PART]);
});

Deno.test("PointsWriter.finish returns the same parts for the same points", async () => {
  const [a, b] = await Promise.all([writePoints(MANY), writePoints(MANY)]);
  assertEquals(a.header, b.header);
});

/** Orders, some of which make a quickselect with fixed pivots quadratic. */
const ORDERS: Readonly<Record<string, (i: number) => number>> = {
  ascending: (i) => i,
  descending: (i) => -i,
  "descending after the lowest": (i) => i === 0 ? -80_00000 : -i,
  "ascending and descending": (i) => Math.min(i, 200_000 - i),
  "descending and ascending": (i) => Math.max(i, 200_000 - i),
  alternating: (i) => i % 2,
  equal: () => 0,
};

for (const [name, latitude] of Object.entries(ORDERS)) {
  Deno.test(`PointsWriter.finish sorts points in the order "${name}"`, async () => {
    const points = Array.from(
      { length: 200_000 },
      (_, i): Point => [i, latitude(i), 0],
    );
    const tree = await treeOf(points);
    const found = tree.nearest({ latitude: -90, longitude: 0, limit: 2 });
    const sorted = points.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    assertEquals(cepsOf(found), [sorted[0]![0], sorted[1]![0]]);
  });
}

Deno.test("PointsWriter.finish returns no part without points", async () => {
  const { header, parts } = await writePoints([]);
  assertEquals(header, { version: 1, count: 0, checksum: 0 });
  assertEquals(parts, []);
});

for (
  const [latitude, longitude] of [
    [90_00001, 0],
    [0, -180_00001],
    [NaN, 0],
    [0, Infinity],
    [0.5, 0],
  ] as const
) {
  Deno.test(`PointsWriter.add refuses ${latitude}, ${longitude}`, () => {
    const writer = new PointsWriter();
    assertThrows(() => writer.add(1, latitude, longitude), RangeError);
    assertEquals(writer.count, 0);
  });
}

Deno.test("readPoints returns all points", async () => {
  const tree = await readWritten(await writePoints(MANY));
  assertEquals(tree.count, MANY.length);
  const found = tree.nearest({ latitude: 0, longitude: 0, limit: MANY.length });
  assertEquals(new Set(found.map(({ cep }) => cep)).size, MANY.length);
});

/** Damages, and changes of what was written. */
const DAMAGES: Readonly<
  Record<string, (written: WrittenPoints) => WrittenPoints>
> = {
  "another version": ({ header, parts }) => ({
    header: { ...header, version: 2 },
    parts,
  }),
  "another byte": ({ header, parts: [first, ...rest] }) => {
    first![12345]! ^= 1;
    return { header, parts: [first!, ...rest] };
  },
  "a missing part": ({ header, parts }) => ({
    header,
    parts: parts.slice(0, 1),
  }),
  "no part": ({ header }) => ({ header, parts: [] }),
  "another part": ({ header, parts }) => ({
    header,
    parts: [...parts, new Uint8Array(12)],
  }),
  "an empty part": ({ header, parts: [first, ...rest] }) => ({
    header,
    parts: [first!, new Uint8Array(), ...rest],
  }),
  "parts in another order": ({ header, parts }) => ({
    header,
    parts: parts.toReversed(),
  }),
  "a torn part": ({ header, parts: [first, ...rest] }) => ({
    header,
    parts: [first!.subarray(0, 4096), ...rest],
  }),
  "a lower count": ({ header, parts }) => ({
    header: { ...header, count: header.count - 1 },
    parts,
  }),
  ...Object.fromEntries(
    [-1, 0.5, NaN, Infinity, 2 ** 53, "1", null].map((count) => [
      `the count ${count}`,
      ({ header, parts }: WrittenPoints): WrittenPoints => ({
        header: { ...header, count: count as number },
        parts,
      }),
    ]),
  ),
};

for (const [damage, change] of Object.entries(DAMAGES)) {
  Deno.test(`readPoints refuses ${damage}`, async () => {
    const written = change(await writePoints(MANY));
    await assertRejects(() => readWritten(written), PointsError);
  });
}

Deno.test("readPoints refuses any byte that differs", () =>
  fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), async (
      at,
      change,
    ) => {
      const { header, parts } = await writePoints(MANY.slice(0, 50));
      const [part] = parts;
      part![at % part!.length]! ^= change;
      await assertRejects(() => readWritten({ header, parts }), PointsError);
    }),
  ));
