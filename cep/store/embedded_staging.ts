/**
 * Release that is being written to an embedded database.
 *
 * @module
 */
import type { Entry, Locality, Neighbourhood } from "../entry.ts";
import { checkRelease } from "./check_release.ts";
import { attempt, type Connection } from "./driver.ts";
import { ReleaseWriter } from "./release_writer.ts";
import type { Literal } from "./row_buffer.ts";
import type { Release, ReleaseFacts, Staging } from "./store.ts";

/** Location of a release that is being written. */
export interface StagingTarget {
  /** Closes the finished database for writing, and opens it for reading. */
  reopen(connection: Connection): Promise<Connection>;
  /** Makes the finished database the current one. */
  publish(connection: Connection): Promise<void>;
  /** Removes the database. */
  discard(): Promise<void>;
}

/** Release that is being written. */
export class EmbeddedStaging implements Staging {
  readonly present: Release | undefined;
  readonly #connection: Connection;
  readonly #writer: ReleaseWriter;
  readonly #target: StagingTarget;
  #state: "open" | "publishing" | "ended" = "open";

  private constructor(
    connection: Connection,
    writer: ReleaseWriter,
    present: Release | undefined,
    target: StagingTarget,
  ) {
    this.#connection = connection;
    this.#writer = writer;
    this.present = present;
    this.#target = target;
  }

  /**
   * Begins a release in an empty database.
   *
   * @param present Release that it will replace.
   * @param history Rows of the table `historico` of that release.
   */
  static async begin(
    connection: Connection,
    present: Release | undefined,
    history: readonly Literal[][],
    target: StagingTarget,
  ): Promise<EmbeddedStaging> {
    const writer = await ReleaseWriter.begin(connection);
    await writer.addHistory(history);
    return new EmbeddedStaging(connection, writer, present, target);
  }

  addLocalities(localities: readonly Locality[]): Promise<void> {
    return this.#write(() => this.#writer.addLocalities(localities));
  }

  addNeighbourhoods(neighbourhoods: readonly Neighbourhood[]): Promise<void> {
    return this.#write(() => this.#writer.addNeighbourhoods(neighbourhoods));
  }

  addEntries(entries: readonly Entry[]): Promise<void> {
    return this.#write(() => this.#writer.addEntries(entries));
  }

  addDuplicates(entries: readonly Entry[]): Promise<void> {
    return this.#write(() => this.#writer.addDuplicates(entries));
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
    const release = await this.#writer.finish(facts, report);
    const finished = await this.#target.reopen(this.#connection);
    try {
      await checkRelease(finished, release, facts);
      await this.#target.publish(finished);
    } catch (error) {
      finished.close();
      throw error;
    }
  }

  async discard(): Promise<void> {
    if (this.#state === "ended") return;
    await this.#write(async () => {
      this.#state = "ended";
      await this.#writer.settle();
      this.#connection.close();
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
