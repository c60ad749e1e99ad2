/** Client of a libSQL server that is a database in memory. */
import type {
  LocalConnection,
  Value,
} from "../../../cep/release/connection.ts";
import { connect } from "../../../cep/release/local_connection.ts";
import type {
  ClientStatement,
  RemoteClient,
  RemoteResult,
} from "../../../cep/store/remote.ts";

/** Request to the server. */
export interface LocalRequest {
  readonly kind: "execute" | "batch";
  readonly statements: readonly ClientStatement[];
}

/** Fault of a request. */
export type Fault =
  /** The request does not arrive. */
  | "lost request"
  /** The request is handled, and its answer does not arrive. */
  | "lost answer"
  /** A proxy answers without the server. */
  | "not found"
  /** Nothing arrives, and nothing ends the wait. */
  | "silence";

/** Client whose requests can fail. */
export class LocalClient implements RemoteClient {
  readonly #connection: Promise<LocalConnection> = connect(":memory:");
  #last: Promise<unknown> = Promise.resolve();
  /** Requests so far. */
  readonly requests: LocalRequest[] = [];
  /** Returns the fault of a request. */
  fault: (request: LocalRequest) => Fault | undefined = () => undefined;
  isClosed = false;

  async execute(statement: ClientStatement): Promise<RemoteResult> {
    const [result] = await this.#handle({
      kind: "execute",
      statements: [statement],
    });
    return result!;
  }

  batch(statements: ClientStatement[]): Promise<RemoteResult[]> {
    return this.#handle({ kind: "batch", statements });
  }

  close(): void {
    this.isClosed = true;
  }

  /** Runs a statement without counting it as a request. */
  async run(sql: string): Promise<Value[][]> {
    const [result] = await this.#inTurn([{ sql, args: [] }]);
    return result!.rows as Value[][];
  }

  async #handle(request: LocalRequest): Promise<RemoteResult[]> {
    this.requests.push(request);
    const fault = this.fault(request);
    if (fault === "silence") return await new Promise(() => {});
    if (fault === "not found") {
      throw Object.assign(new Error("not found"), { status: 404 });
    }
    if (fault === "lost request") throw new TypeError("connection refused");
    const results = await this.#inTurn(request.statements);
    if (fault === "lost answer") throw new TypeError("connection reset");
    return results;
  }

  #inTurn(statements: readonly ClientStatement[]): Promise<RemoteResult[]> {
    const turn = this.#last.then(() => this.#transact(statements));
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #transact(
    statements: readonly ClientStatement[],
  ): Promise<RemoteResult[]> {
    const connection = await this.#connection;
    await connection.exec("BEGIN");
    try {
      const results: RemoteResult[] = [];
      for (const { sql, args } of statements) {
        const statement = await connection.prepare(sql);
        const rows = await statement.all(args as Value[]);
        const count = await connection.prepare("SELECT changes()");
        const [rowsAffected] = count.get() as [number];
        results.push({ rows, rowsAffected });
      }
      await connection.exec("COMMIT");
      return results;
    } catch (error) {
      await connection.exec("ROLLBACK");
      const { message, code } = error as Error & { code: string };
      throw Object.assign(new Error(message), { name: "LibsqlError", code });
    }
  }
}
