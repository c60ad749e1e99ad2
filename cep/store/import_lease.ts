import { clearInterval, setInterval } from "node:timers";
import { anotherImport } from "../release/errors.ts";
import type { Value } from "../release/connection.ts";
import {
  CREATE_POINTER,
  listTables,
  POINTER,
  type Pointer,
  readPointer,
  refuseVersion,
  toPointer,
} from "./remote_tables.ts";
import {
  type RemoteResult,
  type RemoteServer,
  type RemoteStatement,
  StatementError,
} from "./remote_server.ts";
import { SCHEMA_VERSION, TABLES } from "../release/schema.ts";
import { DatabaseError } from "./store.ts";

/** Options of {@linkcode ImportLease.take}. */
interface ImportLeaseOptions {
  /** Server of the database. */
  readonly server: RemoteServer;
  /** Suffix of the tables of the new release. */
  readonly suffix: string;
  /** Name of the import. */
  readonly holder: string;
  /**
   * Seconds after which another import may begin if this one does not renew its
   * lease, by the clock of the server.
   */
  readonly leaseSeconds: number;
}

/** Time of the server, in seconds. */
const NOW = "unixepoch('subsec')";

/**
 * Lease of a running import: there is one at a time, and none writes after it has
 * lost its lease.
 */
export class ImportLease {
  /** Release that is current when the import begins. */
  readonly pointer: Pointer | undefined;
  readonly #options: ImportLeaseOptions;
  /** Number of the last transaction. */
  #step = 0;
  /** Number of the publication, which may be repeated. */
  #publication: number | undefined;
  readonly #timer: ReturnType<typeof setInterval>;

  private constructor(
    options: ImportLeaseOptions,
    pointer: Pointer | undefined,
  ) {
    this.#options = options;
    this.pointer = pointer;
    const renewMs = options.leaseSeconds * 1000 / 3;
    this.#timer = setInterval(() => this.#renew(), renewMs);
    this.#timer.unref?.();
  }

  /**
   * Takes the lease, and removes what interrupted imports have left.
   *
   * @throws {DatabaseError} If another import holds it, or if the database
   * belongs to another program or to a newer version of this one.
   */
  static async take(options: ImportLeaseOptions): Promise<ImportLease> {
    const { server, suffix, holder, leaseSeconds } = options;
    const current = await server.repeat(() => readPointer(server));
    if (current && current.schemaVersion > SCHEMA_VERSION) {
      refuseVersion(current);
    }
    const results = await server.repeat(() =>
      server.write([
        ...CREATE_POINTER,
        {
          // The clock was wrong when an interrupted import took its lease.
          sql: `UPDATE ${POINTER} SET
            lease_until = min(lease_until, ${NOW} + ?)`,
          values: [leaseSeconds],
        },
        {
          // A proxy may repeat this request during the import or after it.
          sql: `UPDATE ${POINTER} SET importing = ?1, holder = ?2,
            step = iif(importing IS ?1, step, 0),
            written = iif(importing IS ?1, written, 0),
            lease_until = ${NOW} + ?3
            WHERE suffix IS NOT ?1 AND
            (importing IS NULL OR importing = ?1 OR lease_until < ${NOW})`,
          values: [suffix, holder, leaseSeconds],
        },
        {
          sql:
            `SELECT importing, holder, suffix, schema_version FROM ${POINTER}`,
        },
      ])
    );
    const [importing, running, suffixInUse, schemaVersion] = Array.from(
      results.at(-1)!.rows[0]!,
    ) as [string | null, string | null, string | null, number];
    if (importing !== suffix) throw anotherImport(running ?? "unknown");
    const pointer = suffixInUse === null
      ? undefined
      : toPointer(suffixInUse, schemaVersion);
    const lease = new ImportLease(options, pointer);
    try {
      await lease.#removeLeftovers();
      return lease;
    } catch (error) {
      await lease.discard().catch(() => {});
      throw error;
    }
  }

  /**
   * Runs statements in one transaction, which fails if the lease is lost. A
   * transaction whose answer was lost is not repeated.
   *
   * @returns The result of the last one, `undefined` if its answer was lost.
   * @throws {DatabaseError} If the lease is lost.
   */
  async write(
    statements: readonly RemoteStatement[],
  ): Promise<RemoteResult | undefined> {
    const { leaseSeconds } = this.#options;
    const renew = `lease_until = ${NOW} + ${leaseSeconds}`;
    return await this.#run(++this.#step, renew, statements);
  }

  /**
   * Makes the new release the current one, and ends the lease. May be repeated
   * after a failure.
   */
  async publish(): Promise<void> {
    this.#publication ??= ++this.#step;
    await this.#run(
      this.#publication,
      `suffix = importing, schema_version = ${SCHEMA_VERSION},
       importing = NULL, holder = NULL, lease_until = 0`,
      [],
    );
    clearInterval(this.#timer);
  }

  /** Changes the pointer, and runs statements in the same transaction. */
  async #run(
    step: number,
    changes: string,
    statements: readonly RemoteStatement[],
  ): Promise<RemoteResult | undefined> {
    const { server, suffix } = this.#options;
    // Fails with NULL, which the column does not allow.
    const fence = {
      sql: `UPDATE ${POINTER} SET ${changes},
        step = iif(importing = ? AND step = ?, ?, NULL)`,
      values: [suffix, step - 1, step],
    };
    return await server.repeat(async (attempt) => {
      if (attempt > 0 && await this.#isDone(step)) return undefined;
      try {
        return (await server.write([fence, ...statements])).at(-1);
      } catch (error) {
        if (!isFenceError(error)) throw error;
        const mayBeDone = step === this.#publication;
        if (mayBeDone && await this.#isDone(step)) return undefined;
        throw await this.#lossError();
      }
    });
  }

  /** True if a transaction of this import, or its publication, succeeded. */
  async #isDone(step: number): Promise<boolean> {
    const { server, suffix } = this.#options;
    const [row = []] = await server.probe(
      `SELECT ifnull(importing, suffix), step FROM ${POINTER}`,
    );
    return row[0] === suffix && row[1] === step;
  }

  /** Returns the reason why the fence failed. */
  async #lossError(): Promise<DatabaseError> {
    const { server, suffix: own } = this.#options;
    const [row = []] = await server.probe(
      `SELECT suffix, importing, holder FROM ${POINTER}`,
    ).catch(() => []);
    const [suffix, importing, holder] = row;
    if (suffix === own) {
      return new DatabaseError(
        "Cannot change the release: it has been published",
      );
    }
    if (importing === own) {
      return new DatabaseError(
        "Cannot import: an earlier request of this import has failed",
      );
    }
    return new DatabaseError(
      "Cannot import: the lease ended, and another import has begun since " +
        `(${holder ?? "and ended"})`,
    );
  }

  /** Renews the lease; if that fails, a later transaction does it. */
  #renew(): void {
    const { server, suffix, leaseSeconds } = this.#options;
    server.write([{
      sql: `UPDATE ${POINTER} SET lease_until = ${NOW} + ?
        WHERE importing = ?`,
      values: [leaseSeconds, suffix],
    }]).catch(() => {});
  }

  /** Removes the tables of the new release, and ends the lease. */
  async discard(): Promise<void> {
    clearInterval(this.#timer);
    const { server, suffix } = this.#options;
    // Fails after a publication whose answer was lost.
    const fence = {
      sql: `UPDATE ${POINTER} SET step = iif(importing = ?, step, NULL)`,
      values: [suffix],
    };
    const tables = await listReleaseTables((sql) => server.probe(sql));
    const end = {
      sql: `UPDATE ${POINTER} SET importing = NULL, holder = NULL,
        lease_until = 0`,
    };
    try {
      const drops = tables.get(suffix)?.map(drop) ?? [];
      await server.write([fence, ...drops, end]);
    } catch (error) {
      throw isFenceError(error) ? await this.#lossError() : error;
    }
  }

  /**
   * Removes the tables of other releases than the current one. They are those
   * of interrupted imports, and of the release before the current one.
   */
  async #removeLeftovers(): Promise<void> {
    const { server, suffix: own } = this.#options;
    const tables = await listReleaseTables((sql) => server.query(sql));
    for (const [suffix, names] of tables) {
      if (suffix === own || suffix === this.pointer?.suffix) continue;
      await this.write(names.map(drop));
    }
  }
}

function drop(name: string): RemoteStatement {
  return { sql: `DROP TABLE IF EXISTS ${name}` };
}

const RELEASE_TABLE = new RegExp(
  `^(?:${Object.keys(TABLES).join("|")})_([0-9a-f]{8})$`,
);

/**
 * Tables of a release, which are created and removed in one transaction.
 * Others with such a name, e.g. `release_20250101`, are of another program.
 */
const TABLES_OF_ALL_VERSIONS = ["cep", "localidade", "historico", "release"];

/** Returns the tables of all releases by suffix. */
async function listReleaseTables(
  query: (sql: string) => Promise<Value[][]>,
): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for (const name of await listTables(query)) {
    const suffix = RELEASE_TABLE.exec(name)?.[1];
    if (suffix === undefined) continue;
    tables.set(suffix, [...tables.get(suffix) ?? [], name]);
  }
  for (const [suffix, names] of tables) {
    const isRelease = TABLES_OF_ALL_VERSIONS.every((name) =>
      names.includes(`${name}_${suffix}`)
    );
    if (!isRelease) tables.delete(suffix);
  }
  return tables;
}

function isFenceError(error: unknown): boolean {
  return error instanceof StatementError &&
    error.message.includes(`NOT NULL constraint failed: ${POINTER}.step`);
}
