import { assertEquals } from "@std/assert";
import { misspell, SLIPS } from "../evaluate_search/noise.ts";
import { Random } from "../generate_dne/random.ts";
import { type Bench, format, timed } from "./harness.ts";
import { drawRows, type Row } from "./rows.ts";

/** Number of addresses. */
const ADDRESSES = 100_000;

/** Row of the answers: the CEP, the address, the CEP that was found, its score. */
const ANSWER = /^(\d{8});("(?:[^"]|"")*"|[^;]*);(\d{8}|);([\d.]+);/;

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
    unit: "/s",
    limit: { atLeast: 2000 },
    run: async () => rows.length / await timed(match),
  }]);
  const answers = (await Deno.readTextFile(output)).trimEnd().split("\n");
  assertEquals(answers.length, rows.length + 1);
  const found = answers.slice(1).map((line) => {
    const [, wanted, , cep, score] = ANSWER.exec(line)!;
    return { isRight: cep === wanted, isSure: Number(score) >= 0.8 };
  });
  const share = (isCounted: (answer: typeof found[number]) => boolean) =>
    100 * found.filter(isCounted).length / rows.length;
  bench.show("right CEP", "%", share(({ isRight }) => isRight));
  bench.show(
    "wrong CEP at 0.8 or more",
    "%",
    share(({ isRight, isSure }) => isSure && !isRight),
  );
  bench.note(
    "without building numbers; a tenth of the streets misspelt, a third in " +
      "small letters",
  );
}

/** Writes an address, a tenth misspelt and a third in small letters. */
function writeAddress(row: Row, index: number): string {
  const { bairro, cidade, uf } = row;
  const written = `${streetOf(row, index)}, ${bairro}, ${cidade}/${uf}`
    .replaceAll('"', '""');
  return index % 3 === 2 ? written.toLowerCase() : written;
}

function streetOf({ logradouro: street = "" }: Row, index: number): string {
  if (index % 10 !== 1) return street;
  const random = new Random(index, "");
  return misspell(street, random, { slip: SLIPS.wrong }) ?? street;
}
