import { openStore } from "@carteiro/cep/store";
import { assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import type { Address } from "../../cep/record/address.ts";
import { misspell, SLIPS } from "../evaluate_search/noise.ts";
import { Random } from "../generate_dne/random.ts";
import { type Bench, format, timed } from "./harness.ts";

/** Number of queries of a turn. */
const QUERIES = 2000;

/** Number of results, the default of the API. */
const LIMIT = 10;

/** Number of addresses in a table. */
const ADDRESSES = 100_000;

function mistype(text: string, seed: number): string {
  const random = new Random(seed, "bench");
  return misspell(text, random, { slip: SLIPS.wrong }) ?? text;
}

/** Searches for random streets in process, one query after another. */
export async function benchSearch(bench: Bench): Promise<void> {
  const large = await bench.largeRelease();
  const codes = format(await bench.countCodes(large.file));
  const records = await bench.drawRecords(large, 4 * QUERIES);
  bench.title(`Search of ${LIMIT} among ${codes} CEPs, in process`);
  const words = records.flatMap(threeWords).slice(0, QUERIES);
  const some = records.slice(0, QUERIES);
  const letters = some.map(({ logradouro }) => logradouro.slice(0, 2));
  const misspelt = some.map(({ logradouro, cidade }, i) =>
    `${mistype(logradouro, i)}, ${cidade}`
  );
  const store = await openStore({ path: large.path });
  const search = (text: string) => store.search({ text, limit: LIMIT });
  using fullText = await openFullText(bench, large.file);
  try {
    await bench.measure([{
      name: "three words, one a prefix",
      unit: "/s",
      limit: { atLeast: 1000 },
      run: () => rateOf(words, search),
    }, {
      // So slow that a few queries are enough.
      name: "FTS5",
      unit: "/s",
      run: () => rateOf(words.slice(0, 20), searchFullText(fullText)),
    }], { warmUp: 1 });
    const times = [
      ["three words", words, 5],
      ["two letters", letters, 10],
      ["a wrong letter", misspelt, 20],
    ] as const;
    for (const [name, texts, atMost] of times) {
      await bench.measure([{
        name: `${name}, p99`,
        unit: "ms",
        limit: { atMost },
        run: async () => {
          const latencies: number[] = [];
          for (const text of texts) {
            latencies.push(1000 * await timed(() => search(text)));
          }
          latencies.sort((one, other) => one - other);
          return latencies[Math.floor(0.99 * (latencies.length - 1))]!;
        },
      }]);
    }
  } finally {
    await store.close();
  }
  bench.note(`${format(QUERIES)} random streets a turn`);
}

async function rateOf(
  texts: readonly string[],
  search: (text: string) => unknown,
): Promise<number> {
  const seconds = await timed(async () => {
    for (const text of texts) await search(text);
  });
  return texts.length / seconds;
}

/** First three words of a street, the last of them half typed. */
function threeWords({ logradouro }: Address): string[] {
  const [first, second, third, ...more] = logradouro.split(" ");
  if (third === undefined || more.length > 2) return [];
  return [
    [first, second, third.slice(0, Math.ceil(third.length / 2))].join(" "),
  ];
}

/** Writes the same records into a table of FTS5. */
async function openFullText(bench: Bench, release: string) {
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
  return new DatabaseSync(path);
}

function searchFullText(database: DatabaseSync): (text: string) => void {
  const statement = database.prepare(
    `SELECT rowid FROM record WHERE record MATCH ? ORDER BY rank LIMIT ${LIMIT}`,
  );
  return (text) => {
    const words = text.match(/[\p{L}\d]+/gu) ?? [];
    statement.all(words.map((word) => `"${word}"`).join(" ") + "*");
  };
}

/** Row of the answers: the CEP, the address, the CEP that was found, its score. */
const ANSWER = /^(\d{8});("(?:[^"]|"")*"|[^;]*);(\d{8}|);([\d.]+);/;

/** Matches a table, from its file to that of the answers. */
export async function benchMatch(bench: Bench): Promise<void> {
  const large = await bench.largeRelease();
  const records = await bench.drawRecords(large, ADDRESSES);
  bench.title(`Matching of ${format(records.length)} addresses`);
  const input = `${bench.folder}/addresses.csv`;
  const output = `${bench.folder}/matched.csv`;
  const lines = records.map((it, i) => `${it.cep};"${writeAddress(it, i)}"\n`);
  await Deno.writeTextFile(input, `certo;endereco\n${lines.join("")}`);
  const match = async () => {
    await Deno.remove(output).catch(() => {});
    await bench.seed("", large.path, {
      env: { MODE: "match", MATCH_INPUT: input, MATCH_OUTPUT: output },
    });
  };
  await bench.measure([{
    name: "with the start of the program",
    unit: "/s",
    limit: { atLeast: 2000 },
    run: async () => records.length / await timed(match),
  }]);
  const answers = (await Deno.readTextFile(output)).trimEnd().split("\n");
  assertEquals(answers.length, records.length + 1);
  const found = answers.slice(1).map((line) => {
    const [, wanted, , cep, score] = ANSWER.exec(line)!;
    return { isRight: cep === wanted, isSure: Number(score) >= 0.8 };
  });
  const right = found.filter(({ isRight }) => isRight);
  const wrong = found.filter(({ isRight, isSure }) => isSure && !isRight);
  bench.show("right CEP", "%", 100 * right.length / found.length);
  bench.show(
    "wrong CEP at 0.8 or more",
    "%",
    100 * wrong.length / found.length,
  );
  bench.note(
    "without building numbers; a tenth of the streets misspelt, a third in " +
      "small letters",
  );
}

/** Writes an address, a tenth misspelt and a third in small letters. */
function writeAddress(record: Address, index: number): string {
  const { logradouro, bairro, cidade, uf } = record;
  const street = index % 10 === 1 ? mistype(logradouro, index) : logradouro;
  const written = `${street}, ${bairro}, ${cidade}/${uf}`.replaceAll('"', '""');
  return index % 3 === 2 ? written.toLowerCase() : written;
}
