import {
  assert,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import {
  generate,
  type GenerateOptions,
  MAX_ROWS,
  MIN_ROWS,
  parsePlan,
  writeDirectory,
} from "../../scripts/generate_dne.ts";
import { cityName } from "../../scripts/generate_dne/names.ts";
import { Random } from "../../scripts/generate_dne/random.ts";
import { STATE_FACTS } from "../../scripts/generate_dne/locality.ts";
import {
  WELL_KNOWN_STREETS,
  WELL_KNOWN_USERS,
} from "../../scripts/generate_dne/well_known.ts";
import { TextFile } from "../../scripts/generate_dne/text_file.ts";
import { outputOf } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { Directory, SOURCES, testDirectory } from "./_directory.ts";

const SAMPLE_OPTIONS = {
  rows: 1500,
  seed: 2026,
  wellKnown: true,
  shapes: true,
};

/** Columns of every file, including those that are not imported. */
const COLUMNS: Record<string, number> = {
  ECT_PAIS: 6,
  LOG_BAIRRO: 5,
  LOG_CPC: 6,
  LOG_FAIXA_BAIRRO: 3,
  LOG_FAIXA_CPC: 3,
  LOG_FAIXA_LOCALIDADE: 4,
  LOG_FAIXA_UF: 3,
  LOG_FAIXA_UOP: 3,
  LOG_GRANDE_USUARIO: 9,
  LOG_LOCALIDADE: 9,
  LOG_NUM_SEC: 4,
  LOG_UNID_OPER: 10,
  LOG_VAR_BAI: 3,
  LOG_VAR_LOC: 3,
  LOG_VAR_LOG: 4,
  ...Object.fromEntries(
    STATE_FACTS.map(({ uf }) => [`LOG_LOGRADOURO_${uf}`, 11]),
  ),
};

const small = new Directory({ rows: MIN_ROWS, seed: 7 });
const directory = new Directory({ rows: 2000, seed: 7, wellKnown: true });

testDirectory("a small DNE", directory);

Deno.test("generate writes every file", () => {
  assertEquals([...directory.rows.keys()].sort(), Object.keys(COLUMNS).sort());
  for (const [name, rows] of directory.rows) assert(rows.length > 0, name);
});

Deno.test("generate writes every row with the columns of its file", () => {
  for (const [name, rows] of directory.rows) {
    for (const row of rows) assertEquals(row.length, COLUMNS[name], `${row}`);
  }
});

Deno.test("generate writes the given number of street rows", () => {
  assertEquals(small.of("LOG_LOGRADOURO").length, MIN_ROWS);
  assertEquals(
    directory.of("LOG_LOGRADOURO").length,
    2000 + WELL_KNOWN_STREETS.length,
  );
});

Deno.test("generate writes the same bytes for the same options", () => {
  const again = new Directory({ rows: MIN_ROWS, seed: 7 });
  assertEquals(again.bytes, small.bytes);
});

Deno.test("generate writes other bytes for another seed", () => {
  const other = new Directory({ rows: MIN_ROWS, seed: 8 });
  for (const name of ["LOG_LOCALIDADE", "LOG_BAIRRO", "LOG_LOGRADOURO_SP"]) {
    assert(`${other.of(name)}` !== `${small.of(name)}`, name);
  }
});

Deno.test("generate ends every line with CRLF and writes no other control characters", () => {
  for (const [name, bytes] of directory.bytes) {
    const controls = directory.text(bytes).replaceAll("\r\n", "").match(
      // deno-lint-ignore no-control-regex
      /[\x00-\x1f\x7f]/,
    );
    assertEquals(controls, null, name);
    assertEquals(bytes.slice(-2), [13, 10], name);
  }
});

Deno.test("generate writes ISO-8859-1 without bytes 80 to 9F", () => {
  for (const [name, bytes] of directory.bytes) {
    assert(!bytes.some((byte) => byte >= 0x80 && byte < 0xa0), name);
  }
  assert(directory.bytes.get("LOG_LOCALIDADE")?.includes(0xe3));
});

Deno.test("generate throws a RangeError for too few or too many rows", () => {
  for (const rows of [MIN_ROWS - 1, MAX_ROWS + 1, 1000.5, NaN]) {
    assertThrows(() => [...generate({ rows, seed: 7 })], RangeError, "rows");
  }
});

for (const name of ["LOG_LOCALIDADE", "LOG_BAIRRO", "LOG_LOGRADOURO"]) {
  Deno.test(`generate repeats no number of ${name}`, () => {
    assertEquals(directory.byNumber(name).size, directory.of(name).length);
  });
}

Deno.test("generate puts a row and its references in one locality", () => {
  const neighbourhoods = directory.byNumber("LOG_BAIRRO");
  const streets = directory.byNumber("LOG_LOGRADOURO");
  for (
    const name of ["LOG_LOGRADOURO", "LOG_GRANDE_USUARIO", "LOG_UNID_OPER"]
  ) {
    for (const row of directory.of(name)) {
      const neighbourhood = neighbourhoods.get(row[3] ?? "");
      assertEquals(neighbourhood?.slice(1, 3), row.slice(1, 3), `${row}`);
      if (name === "LOG_LOGRADOURO" || row[4] === "") continue;
      assertEquals(streets.get(row[4] ?? "")?.slice(1, 4), row.slice(1, 4));
    }
  }
});

Deno.test("generate puts districts in a municipality of their state", () => {
  const localities = directory.byNumber("LOG_LOCALIDADE");
  for (const row of localities.values()) {
    assertEquals(row[6] === "", row[5] === "M", `${row}`);
    if (row[6] === "") continue;
    const parent = localities.get(row[6] ?? "");
    assertEquals([parent?.[1], parent?.[5]], [row[1], "M"], `${row}`);
  }
});

Deno.test("generate repeats no name or IBGE code of a municipality", () => {
  const all = directory.of("LOG_LOCALIDADE").filter((row) => row[5] === "M");
  const names = all.map((row) => `${row[1]} ${row[2]}`);
  const codes = all.map((row) => row[8]).filter((code) => code !== "");
  assertEquals(new Set(names).size, names.length);
  assertEquals(new Set(codes).size, codes.length);
});

Deno.test("cityName repeats no name and no capital", () => {
  const random = new Random(7, "names");
  const names = Array.from({ length: 853 }, (_, i) => cityName(i, 0, random));
  const all = [...names, ...STATE_FACTS.map((state) => state.capital.name)];
  assertEquals(new Set(all).size, all.length);
});

Deno.test("generate writes well-formed IBGE codes of the state", () => {
  for (const row of directory.of("LOG_LOCALIDADE")) {
    const { capital } = STATE_FACTS.find(({ uf }) => uf === row[1]) ?? {};
    const code = row[8] || `${capital?.ibge}`;
    assert(/^\d{7}$/.test(code), `${row}`);
    assertEquals(code.slice(0, 2), capital?.ibge.slice(0, 2), `${row}`);
  }
});

Deno.test("generate writes CEPs within the ranges of their state", () => {
  for (const [name, column] of SOURCES) {
    for (const row of directory.of(name)) {
      const prefix = Number(row[column]?.slice(0, 5));
      const state = STATE_FACTS.find(({ uf }) => uf === row[1]);
      const isInside = state?.ranges.some(([first, last]) =>
        first <= prefix && prefix <= last
      );
      assert(row[column] === "" || isInside, `${row}`);
    }
  }
});

Deno.test("generate writes CEPs within the range of their municipality", () => {
  const localities = directory.byNumber("LOG_LOCALIDADE");
  const ranges = directory.of("LOG_FAIXA_LOCALIDADE");
  for (const [name, column] of SOURCES) {
    const own = name === "LOG_LOCALIDADE" ? 0 : 2;
    for (const row of directory.of(name)) {
      const cep = row[column] ?? "";
      const nu = row[own] ?? "";
      const municipality = localities.get(nu)?.[6] || nu;
      const isInside = ranges.some(([owner, first = "", last = "", kind]) =>
        owner === municipality && kind === "T" && first <= cep && cep <= last
      );
      assert(cep === "" || isInside, `${row}`);
    }
  }
});

Deno.test("generate writes the CEP of a locality according to its situation", () => {
  for (const row of directory.of("LOG_LOCALIDADE")) {
    assertEquals(row[3] === "", row[4] === "1" || row[4] === "2", `${row}`);
  }
});

Deno.test("generate writes the street of an office only in cities coded by street", () => {
  const localities = directory.byNumber("LOG_LOCALIDADE");
  for (const name of ["LOG_GRANDE_USUARIO", "LOG_UNID_OPER"]) {
    for (const row of directory.of(name)) {
      const isWellKnown = WELL_KNOWN_USERS.some(({ cep }) => cep === row[7]);
      const situation = localities.get(row[2] ?? "")?.[4];
      assert(isWellKnown || (row[4] === "") === (situation === "0"), `${row}`);
    }
  }
});

Deno.test("generate does not begin a field with a quote", () => {
  for (const [name, rows] of directory.rows) {
    for (const row of rows) {
      assert(!row.some((field) => field.startsWith('"')), `${name} ${row}`);
    }
  }
});

Deno.test("generate numbers streets in ascending order, but not in order of CEP", () => {
  for (const { uf } of STATE_FACTS) {
    const numbers = small.column(`LOG_LOGRADOURO_${uf}`, 0).map(Number);
    assertEquals(numbers, numbers.toSorted((a, b) => a - b), uf);
  }
  const ceps = small.column("LOG_LOGRADOURO_SP", 7);
  assert(`${ceps}` !== `${ceps.toSorted()}`);
});

Deno.test("generate includes the well-known addresses on request", () => {
  for (const { uf, cep, name } of WELL_KNOWN_STREETS) {
    const row = directory.of(`LOG_LOGRADOURO_${uf}`).find((row) =>
      row[7] === cep
    );
    assertEquals(row?.[5], name);
  }
  for (const { cep, name } of WELL_KNOWN_USERS) {
    const users = directory.of("LOG_GRANDE_USUARIO");
    assertEquals(users.find((row) => row[7] === cep)?.[5], name);
  }
});

Deno.test("generate writes the well-known CEPs only on request", () => {
  const taken = new Set(
    SOURCES.flatMap(([name, column]) => small.column(name, column)),
  );
  for (const { cep } of [...WELL_KNOWN_STREETS, ...WELL_KNOWN_USERS]) {
    assert(!taken.has(cep), cep);
  }
});

/** Pattern of a street with a complement. */
function complement(form: string): RegExp {
  return new RegExp(`^(?:[^@]*@){6}${form}@\\d{8}@`);
}

/** Shapes of lines in real files: name, file and pattern. */
const SHAPES: readonly [shape: string, file: string, line: RegExp][] = [
  ["one CEP", "LOG_LOCALIDADE", /@\d{8}@0@M@/],
  ["CEPs by street", "LOG_LOCALIDADE", /@@1@M@/],
  ["CEPs by street and one more", "LOG_LOCALIDADE", /@\d{8}@3@M@/],
  ["district with a CEP", "LOG_LOCALIDADE", /@\d{8}@0@D@\d+@/],
  ["district in the street coding", "LOG_LOCALIDADE", /@@2@D@\d+@/],
  ["district in transition", "LOG_LOCALIDADE", /@\d{8}@3@D@\d+@/],
  ["village with a CEP", "LOG_LOCALIDADE", /@\d{5}500@0@P@\d+@/],
  ["village in the street coding", "LOG_LOCALIDADE", /@@2@P@\d+@/],
  ["village in transition", "LOG_LOCALIDADE", /@\d{8}@3@P@\d+@/],
  ["district without code", "LOG_LOCALIDADE", /@D@\d+@[^@]+@$/],
  ["village without code", "LOG_LOCALIDADE", /@P@\d+@[^@]+@$/],
  ["municipality without code", "LOG_LOCALIDADE", /@M@@[^@]+@$/],
  ["locality with a quote", "LOG_LOCALIDADE", /^\d+@..@[^@"]+"[^@"]+@/],
  ["variant with a no-break space", "LOG_VAR_LOC", /\xa0/],
  ["street variant with a no-break space", "LOG_VAR_LOG", /\xa0/],
  ["street variant with its type", "LOG_VAR_LOG", /@Rua@Rua /],
  ["range of a municipality", "LOG_FAIXA_LOCALIDADE", /@T$/],
  ["range of an urban seat", "LOG_FAIXA_LOCALIDADE", /@C$/],
  ["neighbourhood with quotes", "LOG_BAIRRO", /@[^@"]+"[^@"]+"@/],
  ["neighbourhood without short form", "LOG_BAIRRO", /@$/],
  ["type that is written", "LOG_LOGRADOURO", /@Rua@S@R /],
  ["type that is not written", "LOG_LOGRADOURO", /@Quadra@N@/],
  ["type repeated in the name", "LOG_LOGRADOURO", /@Rua \w.*@Rua@S@/],
  ["type with ª", "LOG_LOGRADOURO", /@4ª Travessa@S@/],
  ["second neighbourhood", "LOG_LOGRADOURO", /^\d+@..@\d+@\d+@\d+@/],
  ["padded short form", "LOG_LOGRADOURO", /@(?=[^@]{36}$)[^@]+ $/],
  ["short form without padding", "LOG_LOGRADOURO", /@S@[^@]+\S$/],
  ["name with º", "LOG_LOGRADOURO", /@\d+º[^@]*@[^@]*@\d{8}@/],
  ["name with ´", "LOG_LOGRADOURO", /@[^@]+´[^@]*@[^@]*@\d{8}@/],
  ["name with `", "LOG_LOGRADOURO", /@[^@]+`[^@]*@[^@]*@\d{8}@/],
  ["name with quotes", "LOG_LOGRADOURO", /@[^@"]+"\w+"@[^@]*@\d{8}@/],
  ["no complement", "LOG_LOGRADOURO", complement("")],
  ["trailing blank", "LOG_LOGRADOURO", complement("[^@]+ ")],
  ["complement with °", "LOG_LOGRADOURO", complement("[^@]+°[^@]+")],
  ["odd side", "LOG_LOGRADOURO", complement("- lado ímpar")],
  ["even side", "LOG_LOGRADOURO", complement("- lado par")],
  ["a first part", "LOG_LOGRADOURO", complement("- até \\d+/\\d+")],
  ["a part", "LOG_LOGRADOURO", complement("- de \\d+/\\d+ a \\d+/\\d+")],
  ["a last part", "LOG_LOGRADOURO", complement("- de \\d+/\\d+ ao fim")],
  ["odd up to", "LOG_LOGRADOURO", complement("- até \\d+ - lado ímpar")],
  ["even up to", "LOG_LOGRADOURO", complement("- até \\d+ - lado par")],
  ["odd from", "LOG_LOGRADOURO", complement("- de \\d+ ao fim - lado ímpar")],
  ["even from", "LOG_LOGRADOURO", complement("- de \\d+ a \\d+ - lado par")],
  ["km up to", "LOG_LOGRADOURO", complement("- até km \\d+,999")],
  ["km", "LOG_LOGRADOURO", complement("- do km \\d+,000 ao km \\d+,000")],
  ["km from", "LOG_LOGRADOURO", complement("- do km \\d+,001 ao fim")],
  ["estate", "LOG_LOGRADOURO", complement("\\(Lot [^@]+\\)")],
  ["estate in quotes", "LOG_LOGRADOURO", complement('\\(Lot [^@]*"B"[^@]*\\)')],
  ["on a highway", "LOG_LOGRADOURO", complement("\\(BR 101 Km 7,5\\)")],
  ["shops", "LOG_LOGRADOURO", complement("Comércio")],
  ["numbers of both sides", "LOG_NUM_SEC", /^\d+@\d+@\d+@A$/],
  ["even numbers", "LOG_NUM_SEC", /^\d+@\d+@99998@P$/],
  ["odd numbers", "LOG_NUM_SEC", /^\d+@\d+@99999@I$/],
  ["numbers on the right", "LOG_NUM_SEC", /@D$/],
  ["numbers on the left", "LOG_NUM_SEC", /@E$/],
  ["kilometres", "LOG_NUM_SEC", /^\d+@\d+,\d{3}@\d+,\d{3}@A$/],
  ["comma before the number", "LOG_GRANDE_USUARIO", /, \d+@\d{8}@/],
  ["no number", "LOG_GRANDE_USUARIO", /, s\/n@\d{8}@/],
  ["pick-up point", "LOG_GRANDE_USUARIO", /Correios@\d{5}959@/],
  ["user without street", "LOG_GRANDE_USUARIO", /^\d+@..@\d+@\d+@@/],
  ["user on a street", "LOG_GRANDE_USUARIO", /^\d+@..@\d+@\d+@\d+@/],
  ["unit without street", "LOG_UNID_OPER", /^\d+@..@\d+@\d+@@/],
  ["unit on a street", "LOG_UNID_OPER", /^\d+@..@\d+@\d+@\d+@/],
  ["unit with boxes", "LOG_UNID_OPER", /@S@[^@]+$/],
  ["unit without boxes", "LOG_UNID_OPER", /@N@[^@]+$/],
  ["unit ending in 999", "LOG_UNID_OPER", /@\d{5}999@/],
  ["leading blank", "LOG_CPC", /@ [^@]+@\d{8}$/],
  ["address with quotes", "LOG_CPC", /@[^@"]+"B"[^@]+@\d{8}$/],
  ["country without short form", "ECT_PAIS", /@$/],
];

for (const [shape, name, line] of SHAPES) {
  Deno.test(`generate writes to the smallest ${name}: ${shape}`, () => {
    assert(small.of(name).some((row) => line.test(row.join("@"))));
  });
}

const smallLocalities = small.byNumber("LOG_LOCALIDADE");

Deno.test("generate writes a district with the IBGE code of its municipality", () => {
  const districts = small.of("LOG_LOCALIDADE").filter((row) =>
    row[5] === "D" && row[8] !== ""
  );
  assert(districts.length > 0);
  for (const row of districts) {
    assertEquals(row[8], smallLocalities.get(row[6] ?? "")?.[8]);
  }
});

Deno.test("generate writes streets in districts without an IBGE code", () => {
  const localities = small.column("LOG_LOGRADOURO", 2).map((nu) =>
    smallLocalities.get(nu)
  );
  assert(localities.some((row) => row?.[5] === "D" && row[8] === ""));
  assert(localities.some((row) => row?.[5] === "P" && row[8] === ""));
});

Deno.test("generate repeats the name of a locality in a state", () => {
  const names = small.of("LOG_LOCALIDADE").map((row) => `${row[1]} ${row[2]}`);
  assert(new Set(names).size < names.length);
});

Deno.test("generate writes districts before their municipality", () => {
  const numbers = small.column("LOG_LOCALIDADE", 0);
  assert(
    small.of("LOG_LOCALIDADE").some((row, i) =>
      numbers.indexOf(row[6] ?? "") > i
    ),
  );
});

Deno.test("generate writes two ranges of some states", () => {
  const ufs = small.column("LOG_FAIXA_UF", 0);
  const twice = ufs.filter((uf, i) => ufs.indexOf(uf) !== i);
  assertEquals(twice, ["AM", "DF", "GO"]);
});

Deno.test("generate writes two ranges of some municipalities", () => {
  const whole = small.of("LOG_FAIXA_LOCALIDADE").filter((it) => it[3] === "T");
  assert(new Set(whole.map(([nu]) => nu)).size < whole.length);
});

const SAMPLES: readonly [string, GenerateOptions][] = [
  ["dne", SAMPLE_OPTIONS],
  ["delta", { ...SAMPLE_OPTIONS, release: 1, since: 0 }],
];

for (const [folder, options] of SAMPLES) {
  Deno.test(`generate writes samples/${folder} byte for byte`, async () => {
    const sample = new Directory(options);
    const path = join(ROOT, "samples", folder);
    const names = readdirSync(path);
    assertEquals(names.sort(), [...sample.bytes.keys()].sort().map(withSuffix));
    for (const [name, bytes] of sample.bytes) {
      const file = await Deno.readFile(join(path, withSuffix(name)));
      assertEquals(file, Uint8Array.from(bytes), name);
    }
  });
}

function withSuffix(name: string): string {
  return `${name}.TXT`;
}

Deno.test("TextFile.row throws a RangeError for a character beyond ISO-8859-1", () => {
  for (const text of ["€", "\u0093", "\n"]) {
    assertThrows(() => new TextFile("X.TXT").row([text]), RangeError, "X.TXT");
  }
});

const MISTAKES: readonly [string[], string][] = [
  [["--rows", "499", "a"], "--rows must be a whole number from 500"],
  [["--seed", "4294967296", "a"], "--seed must be a whole number"],
  [["--release", "25", "a"], "--release must be a whole number"],
  [["--since", "0", "a"], "--since needs a later --release"],
  [["--release", "0", "--since", "0", "a"], "--since needs a later --release"],
  [["--release", "1", "--since", "1", "a"], "--since needs a later --release"],
];

for (const [args, message] of MISTAKES) {
  Deno.test(`parsePlan refuses [${args}]`, () => {
    assertThrows(() => parsePlan(args), TypeError, message);
  });
}

Deno.test("parsePlan reads the options and the folder", () => {
  assertEquals(parsePlan(["--rows", "1500", "--well-known", "out"]), {
    out: "out",
    options: { rows: 1500, seed: 7, wellKnown: true, shapes: false, words: 0 },
  });
  const args = ["--release", "2", "--since", "1", "out"];
  assertEquals(parsePlan(args), {
    out: "out",
    options: {
      rows: 1_000_000,
      seed: 7,
      wellKnown: false,
      shapes: false,
      words: 0,
      release: 2,
      since: 1,
    },
  });
  assertEquals(parsePlan(["--help"]), undefined);
});

Deno.test("writeDirectory refuses a folder that contains other files", () => {
  using folder = new TemporaryFolder();
  writeFileSync(join(folder.path, "notes.md"), "");
  const options = { rows: MIN_ROWS, seed: 7 };
  assertThrows(
    () => writeDirectory(folder.path, options),
    Error,
    '"notes.md"',
  );
  assertEquals(readdirSync(folder.path), ["notes.md"]);
});

Deno.test("writeDirectory replaces the files of an earlier run", () => {
  using folder = new TemporaryFolder();
  writeDirectory(folder.path, { rows: 700, seed: 1 });
  const sizes = writeDirectory(folder.path, { rows: MIN_ROWS, seed: 7 });
  for (const [name, size] of sizes) {
    assertEquals(statSync(join(folder.path, name)).size, size, name);
  }
  assertEquals(sizes.size, Object.keys(COLUMNS).length);
});

for (
  const [args, status] of [[["--rows", "abc", "a"], 2], [["-h"], 0]] as const
) {
  Deno.test(`generate_dne.ts ${args.join(" ")} exits with code ${status}`, async () => {
    const script = join(ROOT, "scripts", "generate_dne.ts");
    const { code, stdout, stderr } = await outputOf(
      [process.execPath, "run", "-A", script, ...args],
    );
    assertEquals(code, status);
    assertStringIncludes(status ? stderr : stdout, "Usage: generate_dne.ts");
  });
}
