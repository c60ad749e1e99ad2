/** Places of a generated CNEFE. */
import { assert, assertEquals } from "@std/assert";
import { project } from "../../cep/http/web_page/render.ts";
import { municipalityFacts } from "../../cep/record/municipalities.ts";
import page from "../../cep/page.json" with { type: "json" };
import { stateOfIbge } from "../../cep/record/states.ts";
import {
  landmarkLine,
  metresBetween,
  StateSeats,
} from "../../scripts/generate_cnefe/codes.ts";
import { Truth } from "../../scripts/generate_cnefe/truth.ts";
import { WELL_KNOWN_STREETS } from "../../scripts/generate_dne/well_known.ts";
import { rowsOf, SAMPLE, textOf } from "./_census.ts";

const truth = new Truth();
const rows = rowsOf(textOf({ rows: 60_000, streets: 3000, seed: 7 }, truth));
const codes = new Map([...truth.codes()].map((it) => [it.cep, it]));

Deno.test("generateCensus writes coordinates of the state of the row", () => {
  for (const row of rows) {
    const [latitude, longitude] = [Number(row.LATITUDE), Number(row.LONGITUDE)];
    // A few rows have them swapped.
    if (latitude < -35 || longitude > -30) continue;
    assert(latitude > -34 && latitude < 5.5, `${latitude}`);
    assert(longitude > -74 && longitude < -34.7, `${longitude}`);
  }
});

Deno.test("generateCensus places addresses in their states, as the map draws them", () => {
  const outlines = statesOfMap();
  for (const row of rows) {
    const [latitude, longitude] = [Number(row.LATITUDE), Number(row.LONGITUDE)];
    if (latitude < -35 || longitude > -30) continue;
    const rings = outlines.get(stateOfIbge(row.COD_UF!)!)!;
    const { x, y } = project(latitude, longitude);
    // The outlines are simplified.
    const around = [-2, 0, 2].flatMap((dx) => [-2, 0, 2].map((dy) => [dx, dy]));
    assert(
      around.some(([dx, dy]) => isInside(rings, x + dx!, y + dy!)),
      JSON.stringify(row),
    );
  }
});

Deno.test("StateSeats.of returns the seat of a real municipality", () => {
  const seats = new StateSeats("SC", "4205407");
  const { latitude, longitude } = municipalityFacts("4204202")!;
  const seat = seats.of("4204202");
  assertEquals([seat?.latitude, seat?.longitude], [latitude, longitude]);
  assertEquals(seats.of("4290001"), undefined);
});

type Ring = readonly (readonly [x: number, y: number])[];

/** Outlines of the states, by abbreviation. */
function statesOfMap(): Map<string, Ring[]> {
  const svg = page["states.svg"];
  return new Map(
    Array.from(svg.matchAll(/id="uf-(..)"\s+d="([^"]+)"/g), ([, uf, path]) => [
      uf!,
      path!.split("z").filter((it) => it.trim()).map(toRing),
    ]),
  );
}

/** Reads a path of the form `M5 200l17 8 36 9`. */
function toRing(path: string): Ring {
  const numbers = path.match(/-?\d+(?:\.\d+)?/g)!.map(Number);
  let [x, y] = [0, 0];
  return Array.from({ length: numbers.length / 2 }, (_, i) => {
    x += numbers[2 * i]!;
    y += numbers[2 * i + 1]!;
    return [x, y];
  });
}

function isInside(rings: readonly Ring[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    ring.forEach(([x1, y1], i) => {
      const [x2, y2] = ring.at(i - 1)!;
      if (y1 > y === y2 > y) return;
      if (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1) inside = !inside;
    });
  }
  return inside;
}

Deno.test("generateCensus places CEPs beside each other that follow each other", () => {
  const middles = new Map<string, [number, number, number]>();
  for (const { CEP = "", LATITUDE, LONGITUDE, NV_GEO_COORD } of rows) {
    const facts = codes.get(CEP);
    if (facts?.kind !== "same" || Number(NV_GEO_COORD) > 2) continue;
    const sum = middles.get(CEP) ?? [0, 0, 0];
    middles.set(CEP, [
      sum[0] + Number(LATITUDE),
      sum[1] + Number(LONGITUDE),
      sum[2] + 1,
    ]);
  }
  const points = [...middles].sort().map(([cep, [north, east, count]]) => ({
    cep,
    latitude: north / count,
    longitude: east / count,
  }));
  let near = 0;
  let pairs = 0;
  points.forEach((point, i) => {
    const next = points[i + 1];
    if (next?.cep.slice(0, 5) !== point.cep.slice(0, 5)) return;
    pairs++;
    if (Math.hypot(...metresBetween(point, next)) < 1000) near++;
  });
  assert(near / pairs > 0.95, `${near} of ${pairs}`);
});

Deno.test("generateCensus places the well-known addresses where they are", () => {
  const all = rowsOf(textOf(SAMPLE));
  for (const { cep, uf } of WELL_KNOWN_STREETS) {
    const line = landmarkLine(cep)!;
    const own = all.filter(({ CEP, NV_GEO_COORD }) =>
      CEP === cep && Number(NV_GEO_COORD) <= 2
    );
    assert(own.length > 0, `${cep} ${uf}`);
    for (const { LATITUDE, LONGITUDE } of own) {
      const point = { latitude: +LATITUDE!, longitude: +LONGITUDE! };
      assert(Math.hypot(...metresBetween(line.start, point)) < 1000, cep);
    }
  }
});
