import { familyOf, type Row, type Table, TextFile } from "./text_file.ts";

/** File of a delta. */
interface DeltaLayout {
  /** Name of the file, without its extension. */
  readonly file: string;
  /** Columns that identify a row. */
  readonly key: readonly number[];
  /** Column of the CEP, whose previous value follows the operation. */
  readonly cep?: number;
  /** Column of the operation; by default, after the last of the base. */
  readonly operation?: number;
  /** Repeats the CEP of a deleted row as its previous one. */
  readonly repeatsDeleted?: boolean;
  /** Column that is seven blanks where the base file has nothing. */
  readonly blank?: number;
}

type Operation = "INS" | "UPD" | "DEL";

/** Layouts by the file of the base; other files have no delta. */
const LAYOUTS: Readonly<Record<string, DeltaLayout>> = {
  LOG_LOCALIDADE: {
    file: "DELTA_LOG_LOCALIDADE",
    key: [0],
    cep: 3,
    blank: 8,
  },
  LOG_FAIXA_LOCALIDADE: {
    file: "DELTA_LOG_FAIXA_LOC",
    key: [0, 1, 3],
    operation: 3,
  },
  LOG_BAIRRO: { file: "DELTA_LOG_BAIRRO", key: [0] },
  LOG_FAIXA_BAIRRO: { file: "DELTA_LOG_FAIXA_BAI", key: [0, 1] },
  LOG_LOGRADOURO: { file: "DELTA_LOG_LOGRADOURO", key: [0], cep: 7 },
  LOG_NUM_SEC: { file: "DELTA_LOG_NUM_SEC", key: [0] },
  LOG_GRANDE_USUARIO: { file: "DELTA_LOG_GRANDE_USUARIO", key: [0], cep: 7 },
  LOG_UNID_OPER: {
    file: "DELTA_LOG_UNID_OPER",
    key: [0],
    cep: 7,
    repeatsDeleted: true,
  },
  LOG_FAIXA_UOP: { file: "DELTA_LOG_FAIXA_UOP", key: [0, 1] },
  LOG_CPC: { file: "DELTA_LOG_CPC", key: [0], cep: 5 },
  LOG_FAIXA_CPC: { file: "DELTA_LOG_FAIXA_CPC", key: [0, 1] },
};

const NO_CODE = " ".repeat(7);

/**
 * Compares the files of two releases, both in the order of `generate`. A file
 * without differences is empty; the streets of all states are in one file.
 */
export function* deltaFiles(
  before: Iterable<Table>,
  after: Iterable<Table>,
): Iterable<TextFile> {
  const files = new Map<string, DeltaFile>();
  const older = before[Symbol.iterator]();
  for (const table of after) {
    const { value } = older.next();
    const family = familyOf(table.name);
    const layout = LAYOUTS[family];
    if (layout === undefined) continue;
    const file = files.get(family) ?? new DeltaFile(layout);
    files.set(family, file);
    file.compare(value.rows, table.rows);
  }
  for (const file of files.values()) yield file.finish();
}

class DeltaFile {
  readonly #layout: DeltaLayout;
  readonly #file: TextFile;
  readonly #deleted: Row[] = [];

  constructor(layout: DeltaLayout) {
    this.#layout = layout;
    this.#file = new TextFile(`${layout.file}.TXT`);
  }

  compare(before: readonly Row[], after: readonly Row[]): void {
    const { cep } = this.#layout;
    const older = new Map(before.map((row) => [this.#key(row), row]));
    for (const row of after) {
      const key = this.#key(row);
      const previous = older.get(key);
      older.delete(key);
      if (previous === undefined) this.#add(row, "INS", "");
      else if (!isEqual(previous, row)) {
        this.#add(row, "UPD", cep === undefined ? "" : previous[cep]!);
      }
    }
    this.#deleted.push(...older.values());
  }

  /** Adds the deleted rows, which come last. */
  finish(): TextFile {
    const { cep, repeatsDeleted } = this.#layout;
    for (const row of this.#deleted) {
      const code = cep === undefined ? "" : row[cep]!;
      this.#add(row, "DEL", repeatsDeleted ? code : "");
    }
    return this.#file;
  }

  #key(row: Row): string {
    return this.#layout.key.map((column) => row[column]).join("@");
  }

  #add(row: Row, operation: Operation, previous: string): void {
    const { cep, operation: at = row.length, blank } = this.#layout;
    const columns = row.toSpliced(at, 0, operation);
    if (cep !== undefined) columns.push(previous);
    if (blank !== undefined) columns[blank] ||= NO_CODE;
    this.#file.row(columns);
  }
}

function isEqual(left: Row, right: Row): boolean {
  return left === right || left.join("@") === right.join("@");
}
