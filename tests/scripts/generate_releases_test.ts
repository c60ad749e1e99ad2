import { assert, assertEquals } from "@std/assert";
import { familyOf } from "../../scripts/generate_dne/text_file.ts";
import { Directory, type Row, SOURCES, testDirectory } from "./_directory.ts";

const OPTIONS = { rows: 1500, seed: 2026, wellKnown: true, shapes: true };
const RELEASES = [0, 1, 2, 3].map((release) =>
  new Directory({ ...OPTIONS, release })
);

/** Base file, delta file, key, and column of the operation. */
const FILES: readonly [string, string, readonly number[], number][] = [
  ["LOG_LOCALIDADE", "DELTA_LOG_LOCALIDADE", [0], 9],
  ["LOG_FAIXA_LOCALIDADE", "DELTA_LOG_FAIXA_LOC", [0, 1, 3], 3],
  ["LOG_BAIRRO", "DELTA_LOG_BAIRRO", [0], 5],
  ["LOG_FAIXA_BAIRRO", "DELTA_LOG_FAIXA_BAI", [0, 1], 3],
  ["LOG_LOGRADOURO", "DELTA_LOG_LOGRADOURO", [0], 11],
  ["LOG_NUM_SEC", "DELTA_LOG_NUM_SEC", [0], 4],
  ["LOG_GRANDE_USUARIO", "DELTA_LOG_GRANDE_USUARIO", [0], 9],
  ["LOG_UNID_OPER", "DELTA_LOG_UNID_OPER", [0], 10],
  ["LOG_FAIXA_UOP", "DELTA_LOG_FAIXA_UOP", [0, 1], 3],
  ["LOG_CPC", "DELTA_LOG_CPC", [0], 6],
  ["LOG_FAIXA_CPC", "DELTA_LOG_FAIXA_CPC", [0, 1], 3],
];

/** Removes the operation, the previous CEP and the blanks of MUN_NU. */
function toBase(row: Row, operation: number, width: number): Row {
  return row.toSpliced(operation, 1).slice(0, width).map((it) =>
    it === " ".repeat(7) ? "" : it
  );
}

for (const [since, release] of [[0, 1], [1, 2], [0, 3]] as const) {
  const before = RELEASES[since]!;
  const after = RELEASES[release]!;
  const delta = new Directory({ ...OPTIONS, release, since });

  for (const [base, file, key, operation] of FILES) {
    Deno.test(`generate writes ${file} from release ${since} to ${release}`, () => {
      const keyOf = (row: Row) => key.map((column) => row[column]).join();
      const rows = new Map(before.of(base).map((row) => [keyOf(row), row]));
      const width = after.of(base)[0]!.length;
      for (const changed of delta.of(file)) {
        const row = toBase(changed, operation, width);
        const isKnown = rows.has(keyOf(row));
        assertEquals(isKnown, changed[operation] !== "INS", `${changed}`);
        if (changed[operation] === "DEL") {
          assertEquals(rows.get(keyOf(row)), row);
          rows.delete(keyOf(row));
        } else rows.set(keyOf(row), row);
      }
      const expected = new Map(after.of(base).map((row) => [keyOf(row), row]));
      assertEquals(rows, expected);
      assertEquals(expected.size, after.of(base).length);
    });
  }

  Deno.test(`generate writes the previous CEP from release ${since} to ${release}`, () => {
    for (const [base, column] of SOURCES) {
      const [, file = "", , operation = 0] = FILES.find((it) =>
        it[0] === base
      )!;
      const older = before.byNumber(base);
      for (const row of delta.of(file)) {
        const previous = older.get(row[0]!)?.[column] ?? "";
        const isRepeated = row[operation] === "UPD" || base === "LOG_UNID_OPER";
        assertEquals(row.at(-1), isRepeated ? previous : "", `${row}`);
      }
    }
  });
}

for (const [release, directory] of RELEASES.entries()) {
  testDirectory(`release ${release}`, directory);

  Deno.test(`generate writes the version of release ${release}`, () => {
    const version = ["26011", "26012", "26021", "26022"][release];
    assertEquals(directory.of("LEIAME"), [[`DNE versão ${version}`]]);
  });
}

Deno.test("generate writes every file of a DNE in a release", () => {
  const [first, ...later] = RELEASES.map(({ rows }) => [...rows.keys()].sort());
  for (const names of later) assertEquals(names, first);
});

/** Shapes of lines in real deltas: name, file and pattern. */
const SHAPES: readonly [shape: string, file: string, line: RegExp][] = [
  ["new street", "LOGRADOURO", /@INS@$/],
  ["street with the same CEP", "LOGRADOURO", /@(\d{8})@.+@UPD@\1$/],
  ["street with another CEP", "LOGRADOURO", /@(\d{8})@.+@UPD@(?!\1)\d{8}$/],
  ["street cut in two", "LOGRADOURO", /@- de \d+\/\d+ a .+@UPD@\d{8}$/],
  ["removed street", "LOGRADOURO", /@DEL@$/],
  ["locality with another CEP", "LOCALIDADE", /@(\d{8})@.*UPD@(?!\1)\d{8}$/],
  ["locality coded by street", "LOCALIDADE", /@@1@M@.+@UPD@\d{8}$/],
  ["locality without CEP", "LOCALIDADE", /@@2@[DP]@.+@UPD@$/],
  ["blank IBGE code", "LOCALIDADE", /@ {7}@UPD@/],
  ["range of a locality", "FAIXA_LOC", /^\d+@\d{8}@\d{8}@UPD@T$/],
  ["removed range", "FAIXA_LOC", /^\d+@\d{8}@\d{8}@DEL@C$/],
  ["range of a neighbourhood", "FAIXA_BAI", /^\d+@\d{8}@\d{8}@UPD$/],
  ["removed neighbourhood", "BAIRRO", /@DEL$/],
  ["new section", "NUM_SEC", /@1@99999@A@INS$/],
  ["removed user", "GRANDE_USUARIO", /@DEL@$/],
  ["removed unit, with its CEP", "UNID_OPER", /@(\d{8})@.+@DEL@\1$/],
  ["box numbers", "FAIXA_UOP", /@INS$/],
];

const TO_THIRD = new Directory({ ...OPTIONS, release: 3, since: 0 });

for (const [shape, file, line] of SHAPES) {
  Deno.test(`generate writes to DELTA_LOG_${file}: ${shape}`, () => {
    const rows = TO_THIRD.of(`DELTA_LOG_${file}`);
    assert(rows.some((row) => line.test(row.join("@"))));
  });
}

Deno.test("generate writes removed rows of a delta last", () => {
  for (const [name, rows] of TO_THIRD.rows) {
    const removed = rows.map((row) => row.includes("DEL"));
    assertEquals(removed, removed.toSorted(), name);
  }
});

Deno.test("generate leaves CEPs of community mailboxes for every other release", () => {
  const delta = new Directory({ ...OPTIONS, release: 1, since: 0 });
  assertEquals(delta.bytes.get("DELTA_LOG_CPC"), []);
  assertEquals(delta.bytes.get("DELTA_LOG_FAIXA_CPC"), []);
});

Deno.test("generate gives the CEP of one street to another", () => {
  const rows = TO_THIRD.of("DELTA_LOG_LOGRADOURO");
  const previous = new Set(rows.map((row) => row.at(-1)));
  const taken = rows.filter((row) =>
    row[11] !== "DEL" && row[7] !== row[12] && previous.has(row[7])
  );
  assert(taken.length > 0);
});

Deno.test("familyOf removes the extension and the state of a street file", () => {
  assertEquals(familyOf("LOG_LOGRADOURO_SP.TXT"), "LOG_LOGRADOURO");
  assertEquals(familyOf("LOG_FAIXA_UF.TXT"), "LOG_FAIXA_UF");
});
