/** Rows of a generated CNEFE, and their places. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertThrows,
} from "@std/assert";
import { project } from "../../cep/http/web_page/render.ts";
import page from "../../cep/page.json" with { type: "json" };
import { municipalityFacts } from "../../cep/record/municipalities.ts";
import { stateOfIbge } from "../../cep/record/states.ts";
import {
  type CensusOptions,
  generateCensus,
} from "../../scripts/generate_cnefe.ts";
import { ESTABLISHMENT_MARK } from "../../scripts/generate_cnefe/addresses.ts";
import {
  landmarkLine,
  metresBetween,
  StateSeats,
} from "../../scripts/generate_cnefe/codes.ts";
import {
  HEADER,
  joinStreet,
  toStreet,
} from "../../scripts/generate_cnefe/spelling.ts";
import { Truth } from "../../scripts/generate_cnefe/truth.ts";
import { WELL_KNOWN_STREETS } from "../../scripts/generate_dne/well_known.ts";
import { type Row, rowsOf, SAMPLE, textOf } from "./_census.ts";
import { Directory } from "./_directory.ts";

const LARGER: CensusOptions = { rows: 60_000, streets: 3000, seed: 7 };

const truth = new Truth();
const files = textOf(LARGER, truth);
const rows = rowsOf(files);
const codes = new Map([...truth.codes()].map((it) => [it.cep, it]));

Deno.test("generateCensus writes a file for each state", () => {
  assertEquals(files.size, 27);
  assert([...files.keys()].every((name) => /^\d\d_[A-Z]{2}\.csv$/.test(name)));
});

Deno.test("generateCensus writes the given number of rows", () => {
  assertEquals(rows.length, LARGER.rows);
  assertEquals(truth.totals.rows, LARGER.rows);
});

Deno.test("generateCensus writes 34 columns of ASCII in every row", () => {
  for (const [name, text] of files) {
    assert(/^[\x20-\x7e\n]*\n$/.test(text), name);
    const lines = text.split("\n").slice(0, -1);
    assertEquals(lines[0], HEADER);
    for (const line of lines) assertEquals(line.split(";").length, 34, line);
  }
});

Deno.test("generateCensus writes the same rows for the same options", () => {
  const small = { rows: 5000, streets: 500, seed: 3 };
  assertEquals(textOf(small), textOf(small));
});

Deno.test("generateCensus ends lines with CRLF on request", () => {
  const small = { rows: 200, streets: 500, seed: 3, states: ["RR"] };
  const [lf] = textOf(small).values();
  const [crlf] = textOf({ ...small, lineEnd: "\r\n" }).values();
  assertEquals(crlf, lf!.replaceAll("\n", "\r\n"));
});

Deno.test("generateCensus writes only the chosen states, with the same streets", () => {
  const few = textOf({ ...LARGER, rows: 2000, states: ["SE", "AC"] });
  assertEquals([...few.keys()], ["12_AC.csv", "28_SE.csv"]);
  for (const { CEP } of rowsOf(few).slice(0, 200)) {
    assert(codes.has(CEP!) || CEP!.startsWith("69") || CEP!.startsWith("49"));
  }
});

Deno.test("generateCensus gives every address a number of its own", () => {
  const uses = new Map<string, Row[]>();
  for (const row of rows) {
    const id = row.COD_UNICO_ENDERECO!;
    uses.set(id, [...uses.get(id) ?? [], row]);
  }
  assertEquals(uses.size, truth.totals.addresses);
  const several = [...uses.values()].filter((it) => it.length > 1);
  assertAlmostEquals(several.length / uses.size, 0.01, 0.005);
  for (const all of several) {
    assertEquals(new Set(all.map((it) => it.CEP)).size, 1);
    assert(all[0]!.COD_ESPECIE !== all[1]!.COD_ESPECIE);
  }
});

/** Share of the rows with a property. */
const SHARES: readonly [
  name: string,
  has: (row: Row) => boolean,
  least: number,
  most: number,
][] = [
  ["no building number", (it) => it.NUM_ENDERECO === "0", 0.2, 0.28],
  ["a modifier", (it) => /^(?!SN$)./.test(it.DSC_MODIFICADOR!), 0.005, 0.05],
  ["a flat", (it) => it.VAL_COMP_ELEM1 !== "", 0.1, 0.3],
  ["the original point", (it) => it.NV_GEO_COORD === "1", 0.92, 0.95],
  ["the centre of a sector", (it) => it.NV_GEO_COORD === "6", 0, 0.002],
  [
    "no name of a street",
    (it) => it.NOM_SEGLOGR === "SEM DENOMINACAO",
    0.001,
    0.03,
  ],
  [
    "a repeated type",
    (it) => it.NOM_SEGLOGR!.startsWith(`${it.NOM_TIPO_SEGLOGR} `),
    0.003,
    0.03,
  ],
  [
    "a repeated title",
    (it) =>
      it.NOM_TITULO_SEGLOGR !== "" &&
      it.NOM_SEGLOGR!.startsWith(`${it.NOM_TITULO_SEGLOGR} `),
    0.0005,
    0.02,
  ],
  [
    "the name of an establishment",
    (it) => it.DSC_ESTABELECIMENTO!.includes(ESTABLISHMENT_MARK),
    0.05,
    0.2,
  ],
  [
    "the type of a building",
    (it) => it.NOM_TIPO_SEGLOGR === "EDF",
    0.0002,
    0.005,
  ],
];

for (const [name, has, least, most] of SHARES) {
  Deno.test(`generateCensus writes rows with ${name} in a known share`, () => {
    const share = rows.filter(has).length / rows.length;
    assert(share >= least && share <= most, `${share}`);
  });
}

Deno.test("generateCensus writes the words of establishments nowhere else", () => {
  for (const { DSC_ESTABELECIMENTO: _, ...others } of rows) {
    assert(!Object.values(others).join().includes(ESTABLISHMENT_MARK));
  }
});

Deno.test("generateCensus mistakes few CEPs", () => {
  const { wrongCeps, addresses } = truth.totals;
  assertAlmostEquals(wrongCeps / addresses, 0.004, 0.003);
  assert([...codes.values()].some(({ kind }) => kind === "wrong"));
});

Deno.test("generateCensus writes ascending numbers along a street", () => {
  const avenue = rowsOf(textOf({ ...SAMPLE, rows: 4000, states: ["SP"] }))
    .filter(({ CEP }) => CEP === "01310100");
  const numbers = avenue.map((it) => Number(it.NUM_ENDERECO)).filter(Boolean);
  assert(numbers.length > 5);
  assert(numbers.every((it) => it >= 612 && it <= 1510 && it % 2 === 0));
});

Deno.test("generateCensus has the streets and municipalities of the DNE", () => {
  const dne = new Directory({ rows: LARGER.streets, seed: LARGER.seed });
  const localities = dne.byNumber("LOG_LOCALIDADE");
  const ibgeOf = (nu: string): string => {
    const row = localities.get(nu)!;
    return row[6] ? ibgeOf(row[6]) : row[8]!;
  };
  const counts: Record<string, number> = {};
  for (const row of dne.of("LOG_LOGRADOURO")) {
    const facts = codes.get(row[7]!);
    const kind = facts?.kind ?? "missing";
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (facts?.kind !== "same" || facts.isTie || facts.addresses < 10) continue;
    assertEquals(facts.ibge, ibgeOf(row[2]!));
    assertEquals(facts.street, joinStreet(toStreet(row[8]!, row[5]!)));
  }
  // A mistaken CEP may be one that is missing.
  const { wrong = 0, missing = 0 } = counts;
  assertEquals(wrong + missing, truth.missing.length);
  assert(counts.same! / LARGER.streets > 0.9, JSON.stringify(counts));
  for (const kind of ["renamed", "split", "moved", "missing"]) {
    assert(counts[kind]! > 0, kind);
  }
  const ceps = new Set(dne.column("LOG_LOGRADOURO", 7));
  const fresh = [...codes.values()].filter(({ kind }) => kind === "new");
  assert(fresh.length > 0);
  assert(fresh.every(({ cep }) => !ceps.has(cep)));
  const general = new Set(dne.column("LOG_LOCALIDADE", 3));
  for (const { cep, kind } of codes.values()) {
    if (kind === "town") assert(general.has(cep), cep);
  }
});

Deno.test("generateCensus leaves out a municipality founded after the census", () => {
  assert(!rows.some((it) => it.COD_MUNICIPIO === ""));
  assert(rows.every((it) => /^\d{7}$/.test(it.COD_MUNICIPIO!)));
});

Deno.test("generateCensus writes real IBGE codes for an import without a DNE", () => {
  const alone = rowsOf(textOf({ ...LARGER, rows: 30_000, alone: true }));
  for (const { COD_MUNICIPIO = "", COD_UF } of alone) {
    assert(municipalityFacts(COD_MUNICIPIO) !== undefined, COD_MUNICIPIO);
    assertEquals(COD_MUNICIPIO.slice(0, 2), COD_UF);
  }
});

Deno.test("Truth counts what the files contain", () => {
  const addresses = new Map<string, Row>();
  for (const row of rows) {
    if (row.CEP! >= "01") addresses.set(row.COD_UNICO_ENDERECO!, row);
  }
  const { totals } = truth;
  assertEquals(addresses.size, totals.addresses - totals.unusableCeps);
  const counts = new Map<string, Map<string, number>>();
  for (const { CEP = "", COD_MUNICIPIO = "" } of addresses.values()) {
    const own = counts.get(CEP) ?? new Map<string, number>();
    counts.set(CEP, own.set(COD_MUNICIPIO, (own.get(COD_MUNICIPIO) ?? 0) + 1));
  }
  assertEquals([...counts.keys()].sort(), [...codes.keys()]);
  for (const [cep, { ibge, addresses: count }] of codes) {
    assertEquals(counts.get(cep)!.get(ibge), count);
    assertEquals(Math.max(...counts.get(cep)!.values()), count);
  }
});

Deno.test("generateCensus refuses fewer rows than CEPs", () => {
  const options = { rows: 20, streets: 500, seed: 7, states: ["SP"] };
  assertThrows(
    () => [...generateCensus(options)],
    RangeError,
    "Cannot generate 20 rows of SP: its ",
  );
});

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
