import type { CensusRow } from "../record/census.ts";
import { NumberSet } from "../util/number_set.ts";
import type {
  DetailRow,
  DetailTable,
  Entry,
  Locality,
  Move,
  Neighbourhood,
} from "../record/entry.ts";
import { checkRelease } from "./check_release.ts";
import {
  attempt,
  type Connection,
  type WritableConnection,
} from "./connection.ts";
import type { StoredRows } from "./present_rows.ts";
import { ReleaseWriter } from "./release_writer.ts";
import type { Literal } from "./row_batch.ts";
import type { Release, ReleaseFacts } from "./release.ts";
import type { PresentState, Staging } from "./staging.ts";

/** Location of a release that is being written. */
export interface StagingTarget {
  /** CEPs, existing or not, per query that counts them in the check. */
  readonly countedAtOnce?: number;
  /** Closes the finished release for writing, and opens it for reading. */
  reopen(connection: WritableConnection): Promise<Connection>;
  /** Makes the finished release the current one. */
  publish(connection: Connection): Promise<void>;
  /** Removes the release. */
  discard(): Promise<void>;
}

/** Current release, which the new one replaces. */
export interface Present {
  readonly state: Exclude<PresentState, "missing">;
  /** Its facts, `undefined` if it is unreadable. */
  readonly facts?: Release;
  /** Its rows, `undefined` if it is unreadable. */
  readonly rows?: StoredRows;
  /** Rows of the table `historico`. */
  readonly history: readonly Literal[][];
  /** Returns the entries whose CEP is not in a set. */
  missingFrom(codes: NumberSet): Promise<readonly Entry[]>;
  /** Ends the reading of its rows. */
  close(): void;
}

/** Current release of which nothing can be read. */
export const UNREADABLE: Present = {
  state: "unreadable",
  history: [],
  missingFrom: () => Promise.resolve([]),
  close() {},
};

/** Release that is being written. */
export class ReleaseStaging implements Staging {
  readonly #present: Present | undefined;
  readonly #connection: WritableConnection;
  readonly #writer: ReleaseWriter;
  readonly #target: StagingTarget;
  /** CEPs of the entries, if there is a release that may have others. */
  readonly #codes = new NumberSet();
  /** Release whose rows are complete. */
  #written: Release | undefined;
  #state: "open" | "publishing" | "ended" = "open";

  private constructor(
    connection: WritableConnection,
    writer: ReleaseWriter,
    present: Present | undefined,
    target: StagingTarget,
  ) {
    this.#connection = connection;
    this.#writer = writer;
    this.#present = present;
    this.#target = target;
  }

  /**
   * Begins a release, whose tables must not exist.
   *
   * @param present Release that it will replace, `undefined` without one.
   */
  static async begin(
    connection: WritableConnection,
    present: Present | undefined,
    target: StagingTarget,
    id?: number,
  ): Promise<ReleaseStaging> {
    const writer = await ReleaseWriter.begin(connection, id);
    await writer.addHistory(present?.history ?? []);
    return new ReleaseStaging(connection, writer, present, target);
  }

  get presentState(): PresentState {
    return this.#present?.state ?? "missing";
  }

  get present(): Release | undefined {
    return this.#present?.facts;
  }

  get rows(): StoredRows | undefined {
    return this.#present?.rows;
  }

  addLocalities(localities: readonly Locality[]): Promise<void> {
    return this.#write(() => this.#writer.addLocalities(localities));
  }

  addNeighbourhoods(neighbourhoods: readonly Neighbourhood[]): Promise<void> {
    return this.#write(() => this.#writer.addNeighbourhoods(neighbourhoods));
  }

  addDetails(table: DetailTable, rows: readonly DetailRow[]): Promise<number> {
    return this.#write(() => this.#writer.addDetails(table, rows));
  }

  addCensus(rows: readonly CensusRow[]): Promise<void> {
    return this.#write(() => this.#writer.addCensus(rows));
  }

  addEntries(entries: readonly Entry[]): Promise<void> {
    return this.#write(async () => {
      await this.#writer.addEntries(entries);
      if (this.#present === undefined) return;
      for (const { cep } of entries) this.#codes.add(Number(cep));
    });
  }

  addDuplicates(entries: readonly Entry[]): Promise<void> {
    return this.#write(() => this.#writer.addDuplicates(entries));
  }

  addMoves(moves: readonly Move[]): Promise<void> {
    return this.#write(() => {
      this.#writer.addMoves(moves);
      return Promise.resolve();
    });
  }

  async publish(facts: ReleaseFacts, report: unknown): Promise<void> {
    await this.#write(async () => {
      this.#state = "publishing";
      try {
        await this.#publish(facts, report);
        this.#state = "ended";
      } catch (error) {
        this.#state = "open";
        throw error;
      }
    });
  }

  async #publish(facts: ReleaseFacts, report: unknown): Promise<void> {
    // A publication that failed may be repeated.
    const release = this.#written ??= await this.#finish(facts, report);
    const finished = await this.#target.reopen(this.#connection);
    try {
      await checkRelease(
        finished,
        release,
        facts,
        this.#target.countedAtOnce,
      );
      await this.#target.publish(finished);
    } catch (error) {
      finished.close();
      throw error;
    }
  }

  async #finish(facts: ReleaseFacts, report: unknown): Promise<Release> {
    const release = await this.#writer.finish(
      facts,
      report,
      await this.#findMissing(facts),
    );
    this.#present?.close();
    return release;
  }

  /** Returns the entries that the DNE had, and has no longer. */
  async #findMissing(
    { sources }: Pick<ReleaseFacts, "sources">,
  ): Promise<Entry[]> {
    // Without a DNE, nothing is known of the changes by Correios.
    if (!sources.includes("dne")) return [];
    const missing = await this.#present?.missingFrom(this.#codes) ?? [];
    // Correios has not changed a CEP that only the CNEFE had.
    return missing.filter(({ origin }) => origin !== "cnefe");
  }

  async discard(): Promise<void> {
    if (this.#state === "ended") return;
    await this.#write(async () => {
      this.#state = "ended";
      await this.#writer.settle();
      this.#present?.close();
      await this.#connection.close();
      await this.#target.discard();
    });
  }

  #write<T>(action: () => Promise<T>): Promise<T> {
    return attempt("Cannot write the database", () => {
      if (this.#state === "open") return action();
      throw new Error(
        this.#state === "ended"
          ? "the import has ended"
          : "the import is being published",
      );
    });
  }
}
