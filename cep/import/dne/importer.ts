import { NumberSet } from "../../util/number_set.ts";
import type {
  DetailRow,
  DetailTable,
  Entry,
  Locality,
  Neighbourhood,
} from "../../record/entry.ts";
import type { Logger } from "../../util/logger.ts";
import type { Staging } from "../../store/store.ts";
import { type Detail, type HasZeros, parseDetail } from "./details.ts";
import { FileEnd, readLines } from "./lines.ts";
import { Join, type Warning } from "./join.ts";
import { type DneFile, parseRow, RejectedRow } from "./layout.ts";
import { type FileReport, Tally } from "./report.ts";
import { SeedError } from "../errors.ts";

/** Entries per batch. */
const BATCH = 500;

/** Rejected lines per file that are logged one by one. */
const MAX_LOGGED_REJECTIONS = 20;

/** Blank line, or the Ctrl-Z at the end of a file: neither is counted. */
const BLANK = /^[\s\cZ]*$/;

/** Code of a digit, with which most lines begin. */
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

/** Imports the files one after another. */
export class Importer {
  /** CEPs stored so far. */
  codes = 0;
  readonly #staging: Staging;
  readonly #logger: Logger;
  readonly #now: () => number;
  /** Warnings about the current line, counted once it is stored. */
  readonly #warnings: Warning[] = [];
  readonly #warn = (warning: Warning) => {
    this.#warnings.push(warning);
  };
  readonly #join = new Join(this.#warn);
  readonly #hasZeros: HasZeros = (family, key) =>
    this.#join.hasZeros(family, key);
  readonly #seen = new NumberSet();
  /** Localities whose general CEP belongs to an earlier locality. */
  readonly #duplicateLocalities = new Set<Locality>();
  #entries: Entry[] = [];
  #duplicates: Entry[] = [];
  /** Rows of the current optional file. */
  #details: DetailRow[] = [];
  #detailTable: DetailTable | undefined;

  constructor(staging: Staging, logger: Logger, now: () => number) {
    this.#staging = staging;
    this.#logger = logger;
    this.#now = now;
  }

  /** States that have localities coded by street (LOC_IN_SIT 1). */
  get statesCodedByStreet(): Set<string> {
    const states = new Set<string>();
    for (const { situation, uf } of this.#join.localities) {
      if (situation === "1") states.add(uf);
    }
    return states;
  }

  /** Localities added so far. */
  get localities(): Iterable<Locality> {
    return this.#join.localities;
  }

  /** Neighbourhoods added so far. */
  get neighbourhoods(): Iterable<Neighbourhood> {
    return this.#join.neighbourhoods;
  }

  /** True if an entry of an imported file has this CEP, given as a number. */
  has(cep: number): boolean {
    return this.#seen.has(cep);
  }

  async importFile(
    file: DneFile,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<FileReport> {
    const start = this.#now();
    const tally = new Tally();
    const end = new FileEnd();
    let number = 0;
    for await (const lines of this.#readLines(file, end.watch(chunks))) {
      for (const line of lines) {
        number++;
        if (!this.#importLine(file, line, number, tally)) end.noteFault(number);
      }
      if (this.#pending >= BATCH) {
        await this.#flush(tally);
      }
    }
    end.check("import", file.name, number);
    await this.#finishFile(file, tally);
    await this.#flush(tally);
    this.#logRejections(file, tally);
    return { file: file.name, ...tally, milliseconds: this.#now() - start };
  }

  get #pending(): number {
    return this.#entries.length + this.#duplicates.length +
      this.#details.length;
  }

  async *#readLines(
    { name }: DneFile,
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<string[]> {
    try {
      yield* readLines(chunks);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new SeedError(
        `Cannot import ${name}: ${cause.message}`,
        { cause },
      );
    }
  }

  /** Imports a line. Returns false if it is rejected. */
  #importLine(
    file: DneFile,
    line: string,
    number: number,
    tally: Tally,
  ): boolean {
    if (!isDigit(line.charCodeAt(0)) && BLANK.test(line)) return true;
    tally.lines++;
    this.#warnings.length = 0;
    try {
      if (this.#addLine(file, line)) {
        tally.stored++;
        if (this.#warnings.length > 0) tally.warn(this.#warnings);
      } else {
        tally.duplicates++;
      }
      return true;
    } catch (error) {
      if (!(error instanceof RejectedRow)) throw error;
      tally.rejected++;
      this.#logRejection(file, number, tally, error);
      return false;
    }
  }

  /** Adds a line. Returns false if an earlier line has its number or CEP. */
  #addLine({ name, family }: DneFile, line: string): boolean {
    const join = this.#join;
    switch (family) {
      case "LOG_LOCALIDADE":
        return this.#addLocality(join.addLocality(parseRow(family, line)));
      case "LOG_BAIRRO":
        return join.addNeighbourhood(parseRow(family, line)) !== undefined;
      case "LOG_LOGRADOURO":
        return this.#addEntry(join.street(parseRow(family, line), name));
      case "LOG_GRANDE_USUARIO":
        return this.#addEntry(join.largeUser(parseRow(family, line), name));
      case "LOG_UNID_OPER":
        return this.#addEntry(
          join.operationalUnit(parseRow(family, line), name),
        );
      case "LOG_CPC":
        return this.#addEntry(
          join.communityPost(parseRow(family, line), name),
        );
      default:
        return this.#addDetail(
          parseDetail(family, line, this.#warn, this.#hasZeros),
        );
    }
  }

  #addDetail({ table, row }: Detail): boolean {
    this.#detailTable = table;
    this.#details.push(row);
    return true;
  }

  #addLocality(locality: Locality | undefined): boolean {
    if (locality === undefined) return false;
    if (locality.cep === "" || this.#seen.add(Number(locality.cep))) {
      return true;
    }
    this.#duplicateLocalities.add(locality);
    return false;
  }

  #addEntry(entry: Entry): boolean {
    if (this.#seen.add(Number(entry.cep))) {
      this.#entries.push(entry);
      return true;
    }
    this.#duplicates.push(entry);
    return false;
  }

  /** Adds the rows that need the whole file. */
  async #finishFile({ family }: DneFile, tally: Tally): Promise<void> {
    if (family === "LOG_LOCALIDADE") {
      await this.#staging.addLocalities([...this.#join.localities]);
      for (const locality of this.#join.localities) {
        this.#finishLocality(locality, tally);
      }
    } else if (family === "LOG_BAIRRO") {
      await this.#staging.addNeighbourhoods([...this.#join.neighbourhoods]);
    }
  }

  #finishLocality(locality: Locality, tally: Tally): void {
    this.#warnings.length = 0;
    this.#join.checkLocality(locality);
    tally.warn(this.#warnings);
    if (locality.cep === "") return;
    const entry = this.#join.generalCode(locality);
    if (this.#duplicateLocalities.has(locality)) this.#duplicates.push(entry);
    else this.#entries.push(entry);
  }

  async #flush(tally: Tally): Promise<void> {
    const entries = this.#entries;
    const duplicates = this.#duplicates;
    const details = this.#details;
    this.#entries = [];
    this.#duplicates = [];
    this.#details = [];
    if (this.#detailTable !== undefined && details.length > 0) {
      const duplicates = await this.#staging.addDetails(
        this.#detailTable,
        details,
      );
      tally.stored -= duplicates;
      tally.duplicates += duplicates;
    }
    await this.#staging.addEntries(entries);
    await this.#staging.addDuplicates(duplicates);
    tally.codes += entries.length;
    this.codes += entries.length;
  }

  #logRejection(
    { name }: DneFile,
    line: number,
    { rejected }: Tally,
    { reason, detail }: RejectedRow,
  ): void {
    if (rejected > MAX_LOGGED_REJECTIONS) return;
    this.#logger.warn("Rejected line", { file: name, line, reason, detail });
  }

  #logRejections({ name }: DneFile, { rejected }: Tally): void {
    const lines = rejected - MAX_LOGGED_REJECTIONS;
    if (lines <= 0) return;
    this.#logger.warn("Rejected further lines", { file: name, lines });
  }
}
