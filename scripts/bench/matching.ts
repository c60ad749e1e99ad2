/**
 * Matching of a table of addresses, written in several ways.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Address } from "@carteiro/cep";
import { KINDS } from "../evaluate_search/kinds.ts";
import { Random } from "../generate_dne/random.ts";
import { type Bench, format, timed } from "./harness.ts";
import { drawRows, type Row } from "./rows.ts";

/** Number of addresses. */
const ADDRESSES = 100_000;

/** Matches a table, from its file to that of the answers. */
export async function benchMatch(bench: Bench): Promise<void> {
  const { file, path } = await bench.largeRelease();
  const rows = (await drawRows(bench, ADDRESSES, file)).filter((row) =>
    row.tipo_origem === "logradouro"
  );
  bench.title(`Matching of ${format(rows.length)} addresses`);
  const input = `${bench.folder}/addresses.csv`;
  const output = `${bench.folder}/matched.csv`;
  const lines = rows.map((row, i) => `${row.cep};"${writeAddress(row, i)}"\n`);
  await Deno.writeTextFile(input, `certo;endereco\n${lines.join("")}`);
  const match = async () => {
    await Deno.remove(output).catch(() => {});
    await bench.seed("", path, {
      env: { MODE: "match", MATCH_INPUT: input, MATCH_OUTPUT: output },
    });
  };
  await bench.measure([{
    name: "with the start of the program",
    unit: "addresses/s",
    limit: { atLeast: 5000 },
    run: async () => rows.length / await timed(match),
  }]);
  const answers = (await Deno.readTextFile(output)).trimEnd().split("\n");
  assertEquals(answers.length, rows.length + 1);
  const codes = answers.slice(1).map((line) => line.match(/\b\d{8}\b/g) ?? []);
  const right = codes.filter(([first, second]) => first === second).length;
  bench.show("right CEP", "%", 100 * right / rows.length);
  bench.note("a tenth of the streets misspelt, a third in small letters");
}

/** Writes an address, a tenth misspelt and a third in small letters. */
function writeAddress(row: Row, index: number): string {
  const { bairro, cidade, uf } = row;
  const written = `${streetOf(row, index)}, ${bairro}, ${cidade}/${uf}`
    .replaceAll('"', '""');
  return index % 3 === 2 ? written.toLowerCase() : written;
}

function streetOf(row: Row, index: number): string {
  const street = row.logradouro!;
  if (index % 10 !== 1) return street;
  const record = row as unknown as Address;
  const subject = { record, shortName: "", stretch: undefined };
  const question = KINDS["letter wrong"]!.ask(subject, new Random(index, ""));
  return question?.query.text.split(", ")[0] ?? street;
}
