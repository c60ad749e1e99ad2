import type { NumberSet } from "../util/number_set.ts";
import { attempt } from "../release/connection.ts";
import { connect } from "../release/local_connection.ts";
import { anotherImport } from "../release/another_import.ts";
import { OpenRelease } from "../release/open_release.ts";
import { ReleaseStaging } from "../release/release_staging.ts";
import { ReleaseStore } from "./release_store.ts";
import type { Staging } from "./store.ts";

/** Store in memory. */
export class MemoryStore extends ReleaseStore {
  /** Name of the running import. */
  #holder: string | undefined;

  async stage(holder: string): Promise<Staging> {
    return await attempt("Cannot write the database", async () => {
      this.requireOpen();
      if (this.#holder !== undefined) throw anotherImport(this.#holder);
      this.#holder = holder;
      try {
        const connection = await connect(":memory:");
        const { current } = this;
        const present = current && {
          state: "complete" as const,
          facts: current.facts,
          rows: current.rows,
          history: await current.historyRows(),
          missingFrom: (codes: NumberSet) => current.rows.missingFrom(codes),
          close: () => {}, // The release stays in use.
        };
        return await ReleaseStaging.begin(connection, present, {
          reopen: () => Promise.resolve(connection),
          publish: async () => {
            if (this.closed) connection.close();
            else await this.adopt(await OpenRelease.open(connection));
            this.#holder = undefined;
          },
          discard: () => {
            this.#holder = undefined;
            return Promise.resolve();
          },
        });
      } catch (error) {
        this.#holder = undefined;
        throw error;
      }
    });
  }
}
