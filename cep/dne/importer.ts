/**
 * The lines of the directory's files on their way into a release.
 *
 * @module
 */
import type { Entry, Locality } from "../entry.ts";
import type { Logger } from "../logger.ts";
import type { Staging } from "../store/store.ts";
import { CodeSet } from "./code_set.ts";
import { Join, type Warning } from "./join.ts";
import { parseRow, RejectedRow, type RequiredFile } from "./layout.ts";
import { readLines } from "./lines.ts";
import { type FileReport, Tally } from "./report.ts";
import { SeedError } from "./seed_error.ts";

/** Entries that are handed over at once. */
const BATCH = 500;

/** Rejected lines of one file that are logged one by one. */
const MAX_LOGGED_REJECTIONS = 20;

/** A blank line, or a Ctrl-Z that ends the file: not a line. */
const BLANK = /^[\s\cZ]*$/;

/** Takes the files one after another. */
export class Importer {
  /** Codes stored so far. */
  codes = 0;
  readonly #staging: Staging;
  readonly #logger: Logger;
  readonly #now: () => number;
  /** Warnings of the line at hand, counted once it is stored. */
  readonly #noticed: Warning[] = [];
  readonly #join = new Join((warning) => this.#noticed.push(warning));
  readonly #seen = new CodeSet();
  /** Localities whose general CEP another one has. */
  readonly #outdone = new Set<Locality>();
  #entries: Entry[] = [];
  #duplicates: Entry[] = [];

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

  /** Imports a file. */
  async importFile(
    file: RequiredFile,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<FileReport> {
    const start = this.#now();
    const tally = new Tally();
    let number = 0;
    for await (const lines of this.#readLines(file, chunks)) {
      for (const line of lines) this.#importLine(file, line, ++number, tally);
      if (this.#entries.length + this.#duplicates.length >= BATCH) {
        await this.#flush(tally);
      }
    }
    await this.#finishFile(file, tally);
    await this.#flush(tally);
    this.#logRejections(file, tally);
    return { file: file.name, ...tally, milliseconds: this.#now() - start };
  }

  async *#readLines(
    { name }: RequiredFile,
    chunks: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<string[]> {
    try {
      yield* readLines(chunks);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new SeedError(`Cannot import ${name}: ${cause.message}`, { cause });
    }
  }

  #importLine(
    file: RequiredFile,
    line: string,
    number: number,
    tally: Tally,
  ): void {
    if (BLANK.test(line)) return;
    tally.lines++;
    this.#noticed.length = 0;
    try {
      if (this.#take(file, line)) {
        tally.stored++;
        if (this.#noticed.length > 0) tally.warn(this.#noticed);
      } else {
        tally.duplicates++;
      }
    } catch (error) {
      if (!(error instanceof RejectedRow)) throw error;
      tally.rejected++;
      this.#logRejection(file, number, tally, error);
    }
  }

  /** Takes a line; `false` if its number or CEP was there already. */
  #take({ name, family }: RequiredFile, line: string): boolean {
    const join = this.#join;
    switch (family) {
      case "LOG_LOCALIDADE":
        return this.#takeLocality(join.addLocality(parseRow(family, line)));
      case "LOG_BAIRRO":
        return join.addNeighbourhood(parseRow(family, line)) !== undefined;
      case "LOG_LOGRADOURO":
        return this.#takeEntry(join.street(parseRow(family, line), name));
      case "LOG_GRANDE_USUARIO":
        return this.#takeEntry(join.largeUser(parseRow(family, line), name));
      case "LOG_UNID_OPER":
        return this.#takeEntry(
          join.operationalUnit(parseRow(family, line), name),
        );
      case "LOG_CPC":
        return this.#takeEntry(
          join.communityPost(parseRow(family, line), name),
        );
    }
  }

  #takeLocality(locality: Locality | undefined): boolean {
    if (locality === undefined) return false;
    if (locality.cep === "" || this.#seen.add(locality.cep)) return true;
    this.#outdone.add(locality);
    return false;
  }

  #takeEntry(entry: Entry): boolean {
    if (this.#seen.add(entry.cep)) {
      this.#entries.push(entry);
      return true;
    }
    this.#duplicates.push(entry);
    return false;
  }

  /** Hands over what needs all rows of the file. */
  async #finishFile({ family }: RequiredFile, tally: Tally): Promise<void> {
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
    this.#noticed.length = 0;
    this.#join.checkLocality(locality);
    tally.warn(this.#noticed);
    if (locality.cep === "") return;
    const entry = this.#join.generalCode(locality);
    if (this.#outdone.has(locality)) this.#duplicates.push(entry);
    else this.#entries.push(entry);
  }

  async #flush(tally: Tally): Promise<void> {
    const entries = this.#entries;
    const duplicates = this.#duplicates;
    this.#entries = [];
    this.#duplicates = [];
    await this.#staging.addEntries(entries);
    await this.#staging.addDuplicates(duplicates);
    tally.codes += entries.length;
    this.codes += entries.length;
  }

  #logRejection(
    { name }: RequiredFile,
    line: number,
    { rejected }: Tally,
    { reason, detail }: RejectedRow,
  ): void {
    if (rejected > MAX_LOGGED_REJECTIONS) return;
    this.#logger.warn("Rejected line", { file: name, line, reason, detail });
  }

  #logRejections({ name }: RequiredFile, { rejected }: Tally): void {
    const more = rejected - MAX_LOGGED_REJECTIONS;
    if (more <= 0) return;
    this.#logger.warn("Rejected more lines", { file: name, lines: more });
  }
}
