/**
 * Search in process: its rate and slowest queries, compared with a full-text
 * query of SQLite over the same records.
 */
import { openStore, type Store } from "@carteiro/cep/store";
import { DatabaseSync } from "node:sqlite";
import { misspell, SLIPS } from "../evaluate_search/noise.ts";
import { Random } from "../generate_dne/random.ts";
import { type Bench, format, timed } from "./harness.ts";
import { countCodes, drawRows, type Row } from "./rows.ts";

/** Number of queries of a turn. */
const QUERIES = 2000;

/** Number of results, the default of the API. */
const LIMIT = 10;

/** Searches for random streets, one query after another. */
export async function benchSearch(bench: Bench): Promise<void> {
  const { file, path } = await bench.largeRelease();
  const codes = format(await countCodes(bench, file));
  const rows = await drawRows(bench, 4 * QUERIES, file);
  bench.title(`Search of ${LIMIT} among ${codes} CEPs, in process`);
  const store = await openStore({ path });
  try {
    const words = rows.flatMap(threeWords).slice(0, QUERIES);
    const letters = rows.map(twoLetters).slice(0, QUERIES);
    const misspelt = rows.flatMap(misspellStreet).slice(0, QUERIES);
    using records = await FullText.over(bench, file);
    await bench.measure([{
      name: "three words, one a prefix",
      unit: "/s",
      limit: { atLeast: 1000 },
      run: () => rateOf(words, (text) => search(store, text)),
    }, {
      // So slow that a few queries are enough.
      name: "FTS5",
      unit: "/s",
      run: () => rateOf(words.slice(0, 20), (text) => records.search(text)),
    }], { warmUp: 1 });
    const times = [
      ["three words", words, 5],
      ["two letters", letters, 10],
      ["a wrong letter", misspelt, 20],
    ] as const;
    for (const [name, texts, atMost] of times) {
      const latencies = () => latenciesOf(store, texts);
      await bench.measure([{
        name: `${name}, p99`,
        unit: "ms",
        limit: { atMost },
        run: async () => percentile(await latencies(), 0.99),
      }]);
      bench.show(`${name}, p50`, "ms", percentile(await latencies(), 0.5));
    }
  } finally {
    await store.close();
  }
  bench.note(`${format(QUERIES)} random streets a turn`);
}

async function search(store: Store, text: string): Promise<void> {
  await store.search({ text, limit: LIMIT });
}

async function rateOf(
  texts: readonly string[],
  action: (text: string) => Promise<void>,
): Promise<number> {
  const seconds = await timed(async () => {
    for (const text of texts) await action(text);
  });
  return texts.length / seconds;
}

/** Milliseconds of each search. */
async function latenciesOf(
  store: Store,
  texts: readonly string[],
): Promise<number[]> {
  const latencies: number[] = [];
  for (const text of texts) {
    latencies.push(1000 * await timed(() => search(store, text)));
  }
  return latencies;
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))]!;
}

/** First three words of a street, the last of them half typed. */
function threeWords({ logradouro = "" }: Row): string[] {
  const [first, second, third, ...more] = logradouro.split(" ");
  if (third === undefined || more.length > 2) return [];
  return [
    [first, second, third.slice(0, Math.ceil(third.length / 2))].join(" "),
  ];
}

function twoLetters({ logradouro, cidade = "" }: Row): string {
  return (logradouro || cidade).slice(0, 2);
}

function misspellStreet({ logradouro, cidade, cep }: Row): string[] {
  const random = new Random(Number(cep), "wrong");
  const street = misspell(logradouro ?? "", random, { slip: SLIPS.wrong });
  return street === undefined ? [] : [`${street}, ${cidade}`];
}

/** The same records in a table of FTS5. */
class FullText implements Disposable {
  readonly #database: DatabaseSync;

  private constructor(path: string) {
    this.#database = new DatabaseSync(path);
  }

  static async over(bench: Bench, release: string): Promise<FullText> {
    const path = `${bench.folder}/fts5.db`;
    await bench.sqlite(
      path,
      `ATTACH '${release}' AS release`,
      `CREATE VIRTUAL TABLE record USING fts5(
        street, neighbourhood, city, uf, prefix = '2 3',
        tokenize = 'unicode61 remove_diacritics 2')`,
      `INSERT INTO record (rowid, street, neighbourhood, city, uf)
        SELECT c.cep, o.prefixo || c.logradouro, b.nome, m.nome, o.uf
        FROM release.cep c
        JOIN release.origem o ON o.id = c.origem
        LEFT JOIN release.bairro b USING (bai_nu)
        LEFT JOIN release.localidade l ON l.loc_nu = c.loc_nu
        LEFT JOIN release.localidade m
          ON m.loc_nu = iif(l.loc_nu_sub > 0, l.loc_nu_sub, l.loc_nu)`,
    );
    return new FullText(path);
  }

  search(text: string): Promise<void> {
    const words = text.match(/[\p{L}\d]+/gu) ?? [];
    const match = words.map((word) => `"${word}"`).join(" ") + "*";
    const query = `SELECT rowid FROM record WHERE record MATCH ?
      ORDER BY rank LIMIT ${LIMIT}`;
    this.#database.prepare(query).all(match);
    return Promise.resolve();
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
