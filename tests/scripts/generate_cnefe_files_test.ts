/** Files and command line of the generator of the CNEFE. */
import {
  assert,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPath } from "../../cep/import/files/folder.ts";
import {
  execute,
  MAX_ROWS,
  parsePlan,
  writeCensus,
} from "../../scripts/generate_cnefe.ts";
import { ROOT } from "../../scripts/root.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { SAMPLE, textOf } from "./_census.ts";

const LEAST = { streets: 500, seed: 7, states: ["AC", "SP"] };

Deno.test("writeCensus writes CSV files", () => {
  using folder = new TemporaryFolder();
  const sizes = writeCensus(folder.path, { ...LEAST, rows: 3000 });
  assertEquals([...sizes.keys()], ["12_AC.csv", "35_SP.csv"]);
  for (const [name, size] of sizes) {
    assertEquals(statSync(join(folder.path, name)).size, size);
  }
});

Deno.test("writeCensus writes zip files that the service reads", async () => {
  using folder = new TemporaryFolder();
  const options = { ...LEAST, rows: 12_000 };
  writeCensus(folder.path, options, { zip: true });
  assertEquals(readdirSync(folder.path).sort(), ["12_AC.zip", "35_SP.zip"]);
  for (const [name, text] of textOf(options)) {
    const path = join(folder.path, name.replace("csv", "zip"));
    assertEquals(await unzip(path, name), text);
  }
});

Deno.test("writeCensus replaces the files of an earlier run", () => {
  using folder = new TemporaryFolder();
  writeCensus(folder.path, { ...LEAST, rows: 3000 });
  const sizes = writeCensus(folder.path, { ...LEAST, rows: 2000 });
  const path = join(folder.path, "35_SP.csv");
  assertEquals(statSync(path).size, sizes.get("35_SP.csv"));
});

Deno.test("writeCensus refuses a folder with other files", () => {
  using folder = new TemporaryFolder();
  writeFileSync(join(folder.path, "letter.txt"), "");
  assertThrows(
    () => writeCensus(folder.path, { ...LEAST, rows: 3000 }),
    Error,
    'it contains "letter.txt"',
  );
});

Deno.test("execute writes the table of Truth", () => {
  using folder = new TemporaryFolder();
  using out = new TemporaryFolder();
  const table = join(folder.path, "truth.csv");
  const log = console.log;
  console.log = () => {};
  try {
    const args = "--rows 300 --streets 500 --states AC --truth".split(" ");
    assertEquals(execute(parsePlan([...args, table, out.path])!), 0);
  } finally {
    console.log = log;
  }
  const [head, first] = readFileSync(table, "utf8").split("\n");
  assertStringIncludes(head!, "cep;kind;ibge;addresses");
  assertEquals(first!.split(";").length, head!.split(";").length);
});

const MISTAKES: readonly [args: string, message: string][] = [
  [`--rows ${MAX_ROWS + 1} a`, "--rows must be a whole number from 1 to"],
  ["--streets 1 a", "--streets must be a whole number from 500"],
  ["--states XX a", '--states: "XX" is not a state'],
];
for (const [args, message] of MISTAKES) {
  Deno.test(`parsePlan refuses "${args}"`, () => {
    const parse = () => parsePlan(args.split(" ").filter(Boolean));
    assertThrows(parse, TypeError, message);
  });
}

Deno.test("parsePlan reads every option", () => {
  const args = "--rows 9 --states sp,ac --zip --crlf --truth t --alone " +
    "--streets 600 --seed 3 --well-known --words 5 out";
  assertEquals(parsePlan(args.split(" ")), {
    out: "out",
    zip: true,
    truth: "t",
    options: {
      rows: 9,
      streets: 600,
      seed: 3,
      wellKnown: true,
      words: 5,
      alone: true,
      lineEnd: "\r\n",
      states: ["SP", "AC"],
    },
  });
});

Deno.test("samples/cnefe has the rows that the generator writes", async () => {
  const folder = join(ROOT, "samples", "cnefe");
  const expected = textOf(SAMPLE);
  const names = [...expected.keys()].map((it) => it.replace("csv", "zip"));
  assertEquals(readdirSync(folder).sort(), names.sort());
  let size = 0;
  for (const [name, text] of expected) {
    const path = join(folder, name.replace("csv", "zip"));
    size += statSync(path).size;
    assertEquals(await unzip(path, name), text);
  }
  assert(size < 400_000, `${size}`);
});

async function unzip(path: string, member: string): Promise<string> {
  const container = await openPath(path);
  assertEquals(container.names, [member]);
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of container.file(member).read()) {
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}
