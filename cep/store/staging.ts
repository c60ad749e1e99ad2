/**
 * New data on its way into an embedded database.
 *
 * @module
 */
import type { Database, Statement } from "libsql";
import type { Entry, Locality, Neighbourhood } from "../address.ts";
import { transact, type Value, write } from "./driver.ts";
import { TABLES } from "./schema.ts";
import type { Release, Staging } from "./store.ts";

/** Tables beside those that answer, which take their place in the end. */
export class EmbeddedStaging implements Staging {
  readonly #database: Database;
  readonly #locality: Statement;
  readonly #neighbourhood: Statement;
  readonly #entry: Statement;
  #finish: (() => void) | undefined;

  constructor(database: Database, finish: () => void) {
    this.#database = database;
    // An import that was killed leaves its tables behind.
    this.#dropTables();
    transact(database, () => {
      for (const [name, columns] of Object.entries(TABLES)) {
        database.exec(`CREATE TABLE staging_${name} ${columns}`);
      }
    });
    this.#locality = prepareInsert(database, "staging_localidade", 8);
    this.#neighbourhood = prepareInsert(database, "staging_bairro", 4);
    this.#entry = prepareInsert(database, "staging_cep", 15);
    this.#finish = finish;
  }

  addLocalities(localities: readonly Locality[]): Promise<void> {
    return this.#insert(this.#locality, localities, toLocalityRow);
  }

  addNeighbourhoods(neighbourhoods: readonly Neighbourhood[]): Promise<void> {
    return this.#insert(this.#neighbourhood, neighbourhoods, toBairroRow);
  }

  addEntries(entries: readonly Entry[]): Promise<void> {
    return this.#insert(this.#entry, entries, toCepRow);
  }

  #insert<T>(
    statement: Statement,
    items: readonly T[],
    toRow: (item: T) => Value[],
  ): Promise<void> {
    return write(() =>
      transact(this.#database, () => {
        for (const item of items) statement.run(toRow(item));
      })
    );
  }

  async publish(
    { dneVersion, seededAt }: Pick<Release, "dneVersion" | "seededAt">,
    report: unknown,
  ): Promise<void> {
    const database = this.#database;
    const [id = 0] = crypto.getRandomValues(new Uint32Array(1));
    await write(() => {
      this.#countTotals();
      transact(database, () => {
        for (const name of Object.keys(TABLES)) {
          database.exec(`DROP TABLE ${name}`);
          database.exec(`ALTER TABLE staging_${name} RENAME TO ${name}`);
        }
        database.prepare(
          `INSERT INTO release (id, dne_version, seeded_at, total_ceps, report)
           SELECT ?, ?, ?, coalesce(sum(total), 0), ? FROM cep_total`,
        ).run([id, dneVersion, seededAt, JSON.stringify(report)]);
      });
    });
    this.#end();
  }

  /** Region by region, so that memory does not grow with the records. */
  #countTotals(): void {
    const count = this.#database.prepare(
      `INSERT INTO staging_cep_total
       SELECT cep / 1000, uf, count(*) FROM staging_cep
       WHERE cep BETWEEN ? AND ? GROUP BY 1, 2`,
    );
    const size = 1_000_000;
    for (let first = 0; first < 100_000_000; first += size) {
      count.run([first, first + size - 1]);
    }
  }

  async discard(): Promise<void> {
    if (this.#finish === undefined) return;
    try {
      await write(() => this.#dropTables());
    } finally {
      this.#end();
    }
  }

  #dropTables(): void {
    transact(this.#database, () => {
      for (const name of Object.keys(TABLES)) {
        this.#database.exec(`DROP TABLE IF EXISTS staging_${name}`);
      }
    });
  }

  #end(): void {
    this.#finish?.();
    this.#finish = undefined;
  }
}

function toLocalityRow(locality: Locality): Value[] {
  return [
    locality.number,
    locality.uf,
    locality.name,
    locality.cep,
    locality.situation,
    locality.type,
    locality.parent,
    locality.ibge,
  ];
}

function toBairroRow(neighbourhood: Neighbourhood): Value[] {
  return [
    neighbourhood.number,
    neighbourhood.uf,
    neighbourhood.locality,
    neighbourhood.name,
  ];
}

function toCepRow(
  { number, locality, neighbourhood, address }: Entry,
): Value[] {
  return [
    Number(address.cep),
    number,
    locality,
    neighbourhood,
    address.logradouro,
    address.complemento,
    address.bairro,
    address.distrito,
    address.cidade,
    address.uf,
    address.codigo_ibge,
    address.tipo_logradouro,
    address.tipo_origem,
    address.nome,
    address.nome_origem,
  ];
}

function prepareInsert(
  database: Database,
  table: string,
  columns: number,
): Statement {
  const places = Array(columns).fill("?").join(", ");
  return database.prepare(`INSERT INTO ${table} VALUES (${places})`);
}
