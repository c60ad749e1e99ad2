import { assert, assertEquals } from "@std/assert";
import { municipalityNames } from "../../cep/record/municipality_names.ts";
import { parseComplement, STREET_END } from "../../cep/record/street_number.ts";
import { generate, MAX_ROWS } from "../../scripts/generate_dne.ts";
import {
  COUNTRY_ROWS,
  planDirectory,
} from "../../scripts/generate_dne/plan.ts";
import { Directory, type Row, testDirectory } from "./_directory.ts";

const OPTIONS = { rows: COUNTRY_ROWS, seed: 7 };
const country = new Directory(OPTIONS);
const streets = country.of("LOG_LOGRADOURO");
const localities = country.byNumber("LOG_LOCALIDADE");
const neighbourhoods = country.byNumber("LOG_BAIRRO");

testDirectory("a DNE like the country", country);

// Columns of LOG_LOGRADOURO.
const [NU, UF, LOCALITY, NEIGHBOURHOOD, , NAME, COMPLEMENT] = [
  ...Array(7)
    .keys(),
] as [number, number, number, number, number, number, number];
const [CEP, TYPE, IS_WRITTEN] = [7, 8, 9] as const;

function neighbourhoodOf(row: Row): string {
  return neighbourhoods.get(row[NEIGHBOURHOOD]!)![3]!;
}

function percentOf(rows: readonly Row[], test: (row: Row) => boolean): number {
  return 100 * rows.filter(test).length / rows.length;
}

Deno.test("generate writes all municipalities of the country to a large DNE", () => {
  const written = [...localities.values()].filter((row) => row[5] === "M");
  const names = municipalityNames();
  const newest = written.filter((row) => row[8] === "").map((row) => row[2]);
  assertEquals(newest, ["Boa Esperança do Norte"]);
  assertEquals(written.length, names.size);
  for (const row of written) {
    if (row[8] !== "") assertEquals(names.get(row[8]!), row[2], `${row}`);
  }
});

Deno.test("generate writes a village that is named like a large city", () => {
  const villages = [...localities.values()].filter((row) =>
    row[5] === "P" && row[2] === "Fortaleza" && row[3] !== ""
  );
  assert(villages.some((row) => row[1] === "AP"));
});

Deno.test("generate writes streets of cities of one name in two states", () => {
  const cities = new Set(streets.map((row) => row[LOCALITY]!));
  const names = [...cities].map((nu) => localities.get(nu)![2]);
  assert(new Set(names).size < names.length);
});

Deno.test("generate writes the same bytes of a large DNE for the same options", () => {
  const sizes = new Map<string, number>();
  for (const { name, chunk } of generate(OPTIONS)) {
    const key = name.replace(".TXT", "");
    const before = sizes.get(key) ?? 0;
    const expected = country.bytes.get(key)!.slice(
      before,
      before + chunk.length,
    );
    assertEquals(chunk, Uint8Array.from(expected), name);
    sizes.set(key, before + chunk.length);
  }
  assertEquals(sizes.size, country.bytes.size);
});

Deno.test("planDirectory places the largest DNE", () => {
  const plan = planDirectory({ rows: MAX_ROWS, seed: 1 });
  const rows = plan.states.flatMap((state) => state.localities)
    .reduce((sum, { streets }) => sum + streets, 0);
  assertEquals(rows, MAX_ROWS);
});

/** Shapes of addresses: state, city if it matters, column, pattern and fewest rows. */
const SHAPES: readonly [string, string, number, RegExp, number][] = [
  ["DF", "Brasília", NAME, /^S[A-Z]+ (?:Q[IL] )?\d+ Conjunto \d+$/, 10],
  ["DF", "Brasília", NAME, /^[A-Z]{3,5} \d+ Bloco [A-Z]$/, 20],
  ["DF", "Brasília", NAME, /^Q[A-Z]+ \d+ Conjunto [A-Z]$/, 20],
  ["TO", "Palmas", NAME, /^\d{3,4} (?:Sul|Norte) Alameda \d+$/, 20],
  ["TO", "Palmas", NAME, /^\d{3,4} (?:Sul|Norte) Avenida LO \d+$/, 1],
  ["TO", "Palmas", COMPLEMENT, /^\(AR[NS][EO] \d+\)$/, 3],
  ["SC", "Chapecó", NAME, / - [ED]$/, 10],
  ["GO", "Goiânia", NAME, /^[A-Z]{1,2}-?\d+$/, 5],
  ["GO", "", NAME, /^\d+-?A$/, 1],
];

for (const [uf, city, column, pattern, least] of SHAPES) {
  Deno.test(`generate writes ${pattern} in ${city || uf}`, () => {
    const found = streets.filter((row) =>
      row[UF] === uf &&
      [localities.get(row[LOCALITY]!)![2], ""].includes(city) &&
      pattern.test(row[column]!)
    );
    assert(found.length >= least, `${found.length}`);
  });
}

Deno.test("generate writes blocks without their type", () => {
  const blocks = streets.filter((row) =>
    row[UF] === "DF" && /^[A-Z]{2}/.test(row[NAME]!)
  );
  assert(blocks.length > 50);
  for (const row of blocks) assertEquals(row[IS_WRITTEN], "N", `${row}`);
});

Deno.test("generate writes the region of most neighbourhoods of Brasília", () => {
  const rows = streets.filter((row) => row[UF] === "DF");
  assert(percentOf(rows, (row) => / \(.+\)$/.test(neighbourhoodOf(row))) > 40);
});

/** Shares of streets in real life, in percent, with a wide margin. */
const SHARES: readonly [string, (row: Row) => boolean, number, number][] = [
  [
    "names of words and a number",
    (row) => /\p{L}{2,}.* \d+$/u.test(row[NAME]!),
    5,
    11,
  ],
  ["names that are numbers", (row) => /^\d+$/.test(row[NAME]!), 2, 8],
  ["names that are letters", (row) => /^[A-Z]$/.test(row[NAME]!), 1, 4],
  ["names with accents", (row) => /[À-ÿ]/.test(row[NAME]!), 25, 50],
  [
    "names with titles",
    (row) =>
      /^(?:Doutora?|Professora?|Coronel|Padre|Dona|Frei|Presidente|Vereador|Prefeito|Capitão|General|Engenheiro|Tenente) /
        .test(row[NAME]!),
    7,
    14,
  ],
  [
    "neighbourhoods with a region",
    (row) => / \(.+\)$/.test(neighbourhoodOf(row)),
    4,
    13,
  ],
  ["estates", (row) => row[COMPLEMENT]!.startsWith("("), 6, 13],
  ["ranges", (row) => row[COMPLEMENT]!.startsWith("-"), 6, 13],
];

for (const [what, test, least, most] of SHARES) {
  Deno.test(`generate writes ${what} to ${least} to ${most} % of the streets`, () => {
    const percent = percentOf(streets, test);
    assert(percent >= least && percent <= most, `${percent}`);
  });
}

/** Rows by type, name and neighbourhood, without those of ranges. */
function namesakes(): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of streets) {
    if (row[COMPLEMENT]!.startsWith("-")) continue;
    const key = [row[NEIGHBOURHOOD], row[TYPE], row[NAME]].join();
    groups.set(key, [...groups.get(key) ?? [], row]);
  }
  return [...groups.values()].filter((rows) => rows.length > 1);
}

Deno.test("generate writes streets that only their complement tells apart", () => {
  const groups = namesakes();
  const percent = 100 * groups.flat().length / streets.length;
  assert(percent > 1.5 && percent < 5, `${percent}`);
  for (const rows of groups) {
    const complements = new Set(rows.map((row) => row[COMPLEMENT]!.trim()));
    assertEquals(complements.size, rows.length, `${rows}`);
  }
});

Deno.test("generate writes common names in many cities", () => {
  for (const name of ["São José", "Sete de Setembro", "Tiradentes"]) {
    const cities = streets.filter((row) => row[NAME] === name)
      .map((row) => row[LOCALITY]);
    assert(new Set(cities).size > 30, name);
  }
});

Deno.test("generate writes sections that agree with the complements", () => {
  const sections = country.byNumber("LOG_NUM_SEC");
  let compared = 0;
  for (const row of streets) {
    const [stretch] = parseComplement(row[COMPLEMENT]!);
    const section = sections.get(row[NU]!);
    if (section === undefined || stretch?.unit !== "number") continue;
    const [, from, to, side] = section;
    compared++;
    assertEquals(stretch.side, side, `${row}`);
    if (stretch.from > 2) assertEquals(`${stretch.from}`, from, `${row}`);
    if (stretch.to !== STREET_END) assertEquals(`${stretch.to}`, to, `${row}`);
  }
  assert(compared > 500);
});

Deno.test("generate writes the other names of highways", () => {
  const variants = country.of("LOG_VAR_LOG").filter((row) =>
    row[2] === "Rodovia"
  );
  assert(variants.some((row) => /^Rodovia [A-Z]{2}-\d{3}$/.test(row[3]!)));
  assert(variants.some((row) => /^[A-Z]{2}-\d{3}$/.test(row[3]!)));
});

Deno.test("generate writes nicknames and short names of places", () => {
  const cities = country.of("LOG_VAR_LOC").map((row) => row[2]);
  assert(cities.includes("Floripa"));
  assert(country.of("LOG_VAR_BAI").some((row) => /^Jd /.test(row[2]!)));
});

Deno.test("generate writes large users and units with their addresses", () => {
  const users = country.of("LOG_GRANDE_USUARIO");
  assert(users.some((row) => row[5] === "Banco do Brasil"));
  assert(users.every((row) => /, (?:\d+|s\/n)/.test(row[6]!)));
  const units = country.column("LOG_UNID_OPER", 5);
  for (const kind of [/^AC Central de /, /^AC /, /^AGC /]) {
    assert(units.some((name) => kind.test(name)), `${kind}`);
  }
});

Deno.test("generate puts streets into the CEPs of their neighbourhood", () => {
  const ranges = new Map(
    country.of("LOG_FAIXA_BAIRRO").map(([nu, ...range]) => [nu, range]),
  );
  for (const row of streets) {
    const [first = "", last = ""] = ranges.get(row[NEIGHBOURHOOD]!)!;
    assert(first <= row[CEP]! && row[CEP]! <= last, `${row}`);
  }
});
