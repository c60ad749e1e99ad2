import type { Connection, TableNames } from "../release/connection.ts";
import type { RemoteServer } from "./remote_server.ts";
import type { StatementQueue } from "./statement_queue.ts";

/** Returns the names of the tables of a release. */
export function tablesOf(suffix: string): TableNames {
  return (name) => `${name}_${suffix}`;
}

/**
 * Connects to the tables of a release.
 *
 * @param queue Queue of queries for one row; without it, each is a request.
 */
export function connectTables(
  server: RemoteServer,
  suffix: string,
  queue?: StatementQueue,
): Connection {
  return {
    table: tablesOf(suffix),
    prepare: (sql) =>
      Promise.resolve({
        get: (values = []) =>
          queue === undefined
            ? server.query(sql, values).then(([row]) => row)
            : queue.get(sql, values),
        all: (values = []) => server.query(sql, values),
      }),
    close() {},
  };
}
