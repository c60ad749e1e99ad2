/**
 * What the tests of this package share: a directory of a few invented lines,
 * a place to write it, and a logger that remembers.
 */
import { assertEquals } from "@std/assert";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Address } from "../../cep/address.ts";
import {
  COLUMNS,
  type Family,
  REQUIRED_FILES,
  type Row,
} from "../../cep/dne/layout.ts";
import {
  type FileReport,
  seed,
  type SeedOptions,
  type SeedReport,
} from "../../cep/dne/seed.ts";
import type { Logger } from "../../cep/logger.ts";
import { openStore, type Store } from "../../cep/store/mod.ts";

/** A directory that is removed, with all in it, at the end of the block. */
export class TempDirectory implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), "cep-test-"));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** One call of a {@linkcode CapturingLogger}. */
export interface LogEntry {
  readonly level: keyof Logger;
  readonly message: string;
  readonly properties: Record<string, unknown>;
}

/** Remembers what it is told. */
export class CapturingLogger implements Logger {
  readonly entries: LogEntry[] = [];

  debug(message: string, properties: Record<string, unknown> = {}): void {
    this.entries.push({ level: "debug", message, properties });
  }
  info(message: string, properties: Record<string, unknown> = {}): void {
    this.entries.push({ level: "info", message, properties });
  }
  warn(message: string, properties: Record<string, unknown> = {}): void {
    this.entries.push({ level: "warn", message, properties });
  }
  error(message: string, properties: Record<string, unknown> = {}): void {
    this.entries.push({ level: "error", message, properties });
  }

  /** The properties of all calls at a level. */
  at(level: keyof Logger): Record<string, unknown>[] {
    return this.entries
      .filter((entry) => entry.level === level)
      .map(({ properties }) => properties);
  }
}

/** The text as ISO-8859-1. */
export function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    if (code > 0xFF) throw new RangeError(`Cannot encode "${character}"`);
    return code;
  });
}

const DEFAULTS: { readonly [F in Family]: Row<F> } = {
  LOG_LOCALIDADE: {
    LOC_NU: "9",
    UFE_SG: "SP",
    LOC_NO: "Lagoa Bonita",
    CEP: "12990000",
    LOC_IN_SIT: "0",
    LOC_IN_TIPO_LOC: "M",
    LOC_NU_SUB: "",
    LOC_NO_ABREV: "",
    MUN_NU: "3599909",
  },
  LOG_BAIRRO: {
    BAI_NU: "9",
    UFE_SG: "SP",
    LOC_NU: "1",
    BAI_NO: "Jardim Alegre",
    BAI_NO_ABREV: "",
  },
  LOG_LOGRADOURO: {
    LOG_NU: "9",
    UFE_SG: "SP",
    LOC_NU: "1",
    BAI_NU_INI: "1",
    BAI_NU_FIM: "",
    LOG_NO: "das Acácias",
    LOG_COMPLEMENTO: "",
    CEP: "01990000",
    TLO_TX: "Rua",
    LOG_STA_TLO: "S",
    LOG_NO_ABREV: "",
  },
  LOG_GRANDE_USUARIO: {
    GRU_NU: "9",
    UFE_SG: "SP",
    LOC_NU: "1",
    BAI_NU: "1",
    LOG_NU: "",
    GRU_NO: "Fábrica Estrela",
    GRU_ENDERECO: "Rua das Acácias, 9",
    CEP: "01990900",
    GRU_NO_ABREV: "",
  },
  LOG_UNID_OPER: {
    UOP_NU: "9",
    UFE_SG: "SP",
    LOC_NU: "1",
    BAI_NU: "1",
    LOG_NU: "",
    UOP_NO: "AC Acácias",
    UOP_ENDERECO: "Rua das Acácias, 90",
    CEP: "01990970",
    UOP_IN_CP: "N",
    UOP_NO_ABREV: "",
  },
  LOG_CPC: {
    CPC_NU: "9",
    UFE_SG: "SP",
    LOC_NU: "1",
    CPC_NO: "Bar do Zé",
    CPC_ENDERECO: "Estrada Velha, km 9",
    CEP: "01990990",
  },
};

/** A row that is in order, but for the fields given. */
export function row<F extends Family>(
  family: F,
  fields: Partial<Row<F>> = {},
): Row<F> {
  return { ...DEFAULTS[family], ...fields };
}

/** The same as a line of a file. */
export function line<F extends Family>(
  family: F,
  fields: Partial<Row<F>> = {},
): string {
  const columns: readonly (keyof Row<F>)[] = COLUMNS[family];
  const values = row(family, fields);
  return columns.map((column) => values[column]).join("@");
}

/**
 * The small directory: two municipalities and a district in SP, one
 * municipality in AC, and eight codes, one source after another.
 */
export const LINES: Readonly<Record<string, readonly string[]>> = {
  "LOG_LOCALIDADE.TXT": [
    "1@SP@Vila Grande@@1@M@@Vl Grande@3599901",
    "3@SP@Ponte Alta@12905000@0@D@2@Pte Alta@",
    "2@SP@Serra Clara@12900000@0@M@@Sra Clara@3599902",
    "4@AC@Rio Manso@@1@M@@Rio Manso@1299904",
  ],
  "LOG_BAIRRO.TXT": [
    "1@SP@1@Centro@Centro",
    '2@SP@1@Jardim "Água"@Jd Água',
    "3@AC@4@Cidade Nova@",
    "4@SP@3@São João@S João",
  ],
  "LOG_LOGRADOURO_AC.TXT": [
    "1@AC@4@3@@Três@@69990001@Travessa@S@Tv Três      ",
  ],
  "LOG_LOGRADOURO_SP.TXT": [
    "2@SP@1@1@@das Flores@- de 1 a 99 - lado ímpar@01900001@Rua@S@R das Flores",
    "3@SP@1@2@@QC 2 Conjunto Q@@01900002@Quadra@N@QC 2 Cj Q",
  ],
  "LOG_GRANDE_USUARIO.TXT": [
    "1@SP@1@1@2@Banco Aurora@Rua das Flores, 10@01900900@Bco Aurora",
  ],
  "LOG_UNID_OPER.TXT": [
    "1@SP@3@4@@AC Ponte Alta@Praça Central, s/n@12905970@S@AC Pte Alta",
  ],
  "LOG_CPC.TXT": [
    "1@SP@2@Armazém da Serra@ Estrada do Mel, km 3@12900990",
  ],
};

/** The codes of the small directory. */
export const CODES: readonly string[] = [
  "01900001",
  "01900002",
  "01900900",
  "12900000",
  "12900990",
  "12905000",
  "12905970",
  "69990001",
];

/** Streets of SP with codes of their own, from 02000000 on. */
export function streets(count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    line("LOG_LOGRADOURO", {
      LOG_NU: String(100 + i),
      LOG_NO: `Número ${i}`,
      CEP: String(2_000_000 + i).padStart(8, "0"),
    }));
}

/** Files by name: their lines, their bytes, or `null` for none. */
export type Files = Readonly<
  Record<string, readonly string[] | Uint8Array | null>
>;

/**
 * Writes all required files: those of the small directory, empty ones for the
 * other states, and the given ones instead or in addition. Lines are written
 * as ISO-8859-1 with CRLF. A name in lower case takes the place of the file
 * that bears it in upper case.
 */
export function writeDirectory(path: string, files: Files = {}): void {
  mkdirSync(path, { recursive: true });
  const given = new Set(Object.keys(files).map((name) => name.toUpperCase()));
  const all: Record<string, Files[string]> = { ...files };
  for (const { name } of REQUIRED_FILES) {
    if (!given.has(name)) all[name] = LINES[name] ?? [];
  }
  for (const [name, content] of Object.entries(all)) {
    if (content === null) continue;
    const bytes = content instanceof Uint8Array ? content : encode(content);
    writeFileSync(join(path, name), bytes);
  }
}

/** Lines as the bytes of a file. */
export function encode(
  lines: readonly string[],
  end = "\r\n",
): Uint8Array<ArrayBuffer> {
  return latin1(lines.map((text) => text + end).join(""));
}

/** Replaces the content of a store with the small directory, changed so. */
export async function seedFiles(
  store: Store,
  files: Files = {},
  options: Partial<SeedOptions> = {},
): Promise<SeedReport> {
  using directory = new TempDirectory();
  writeDirectory(directory.path, files);
  return await seed({
    logger: new CapturingLogger(),
    ...options,
    directory: directory.path,
    store,
  });
}

/** The records of these codes, `undefined` for one that is not there. */
export function findAll(
  store: Store,
  codes: readonly string[],
): Promise<(Address | undefined)[]> {
  return Promise.all(codes.map((cep) => store.find(cep)));
}

/** All that a database answers: its release and every record. */
export async function contentOf(store: Store) {
  const release = await store.release();
  const records = (await Array.fromAsync(store.scan())).flat();
  return { release, records };
}

/** What a report says of a file. */
export function reportOf(report: SeedReport, file: string): FileReport {
  const found = report.files.find((it) => it.file === file);
  if (found === undefined) throw new Error(`Cannot find a report of ${file}`);
  return found;
}

/** Lines, stored, duplicates and rejected of a file. */
export function countsOf(report: SeedReport, file: string): number[] {
  const { lines, stored, duplicates, rejected } = reportOf(report, file);
  return [lines, stored, duplicates, rejected];
}

/**
 * One directory in two databases in memory: one answers from its snapshot, one
 * by queries.
 */
export class BothStores implements AsyncDisposable {
  private constructor(readonly stores: readonly Store[]) {}

  /** Opens two empty databases. */
  static async open(): Promise<BothStores> {
    const open = (snapshot: boolean) =>
      openStore({ path: ":memory:", snapshot, logger: new CapturingLogger() });
    return new BothStores([await open(true), await open(false)]);
  }

  /** Replaces the content of both with the small directory, changed so. */
  async seed(
    files: Files = {},
    options: Partial<SeedOptions> = {},
  ): Promise<SeedReport> {
    using directory = new TempDirectory();
    writeDirectory(directory.path, files);
    const reports: SeedReport[] = [];
    for (const store of this.stores) {
      reports.push(
        await seed({
          logger: new CapturingLogger(),
          now: () => 0,
          ...options,
          directory: directory.path,
          store,
        }),
      );
    }
    assertEquals(reports[0], reports[1]);
    return reports[0]!;
  }

  /** The record of a code, which both must answer with the same text. */
  async find(cep: string): Promise<Address | undefined> {
    const [memory, query] = await Promise.all(
      this.stores.map((store) => store.findJson(cep)),
    );
    assertEquals(memory?.fromMemory ?? true, true, cep);
    assertEquals(query?.fromMemory ?? false, false, cep);
    assertEquals(memory?.json, query?.json, cep);
    return memory && JSON.parse(memory.json);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.stores) await store.close();
  }
}

/** A store in a directory of its own, closed and removed with the block. */
export class TempStore implements AsyncDisposable {
  private constructor(
    readonly directory: TempDirectory,
    readonly store: Store,
  ) {}

  /** Opens an empty one, or one with the small directory changed so. */
  static async open(files?: Files): Promise<TempStore> {
    const directory = new TempDirectory();
    try {
      const store = await openStore({ path: directory.path });
      if (files) await seedFiles(store, files);
      return new TempStore(directory, store);
    } catch (error) {
      directory[Symbol.dispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    this.directory[Symbol.dispose]();
  }
}
