/** `MODE=match`, in separate processes. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Matcher } from "../../cep/search/matcher.ts";
import { openStore } from "../../cep/store/mod.ts";
import { endOf, kill } from "../../scripts/process.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { cepCommand, type Environment, start } from "../_program.ts";
import { SAMPLE } from "../_sample.ts";
import { runSeed } from "./_process.ts";

const ADDRESS = "Av. Paulista 1578, São Paulo/SP";

let folder: TemporaryFolder;
let data: string;
/** Score of the address, and the other CEPs, as the API returns them. */
let score: string;
let answers: string;

Deno.test.beforeAll(async () => {
  folder = new TemporaryFolder("match");
  data = join(folder.path, "data");
  await runSeed(data, SAMPLE);
  const store = await openStore({ path: data });
  const found = (await new Matcher(store).match(ADDRESS))!;
  await store.close();
  assert(found.pontuacao >= 0.8);
  score = `${found.pontuacao};;${found.outros_ceps.join(" ")}`;
  answers = ANSWERS.replace("{score}", score);
});

Deno.test.afterAll(() => folder[Symbol.dispose]());

const TABLE = "id;endereco\r\n" +
  `1;${ADDRESS}\r\n` +
  '2;"Rua\r\n' +
  "3;xyz\r\n";

const ANSWERS = [
  "id;endereco;cep_encontrado;pontuacao;diferencas;outros_ceps;" +
  "logradouro_encontrado;complemento_encontrado;bairro_encontrado;" +
  "cidade_encontrada;uf_encontrada;codigo_ibge_encontrado;parcial;erro",
  `1;${ADDRESS};01310200;{score};Avenida Paulista;` +
  "de 1512 a 2132 - lado par;Bela Vista;São Paulo;SP;3550308;;",
  '2;"""Rua";;;;;;;;;;;;aspas sem par ou seguidas de texto',
  "3;xyz;;0;;;;;;;;;;",
  "",
].join("\r\n");

/** Starts a match with these bytes as its standard input. */
function startMatch(settings: Environment, input: string) {
  const child = start(cepCommand(), {
    MODE: "match",
    DB_PATH: data,
    ...settings,
  });
  // The program may end before it has read everything.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return child;
}

async function runMatch(settings: Environment = {}, input = "") {
  const child = startMatch(settings, input);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => stdout += text);
  child.stderr.setEncoding("utf8").on("data", (text) => stderr += text);
  const { code } = await endOf(child);
  return { code, stdout, stderr };
}

Deno.test("MODE=match reads the standard input, writes the standard output, and logs to standard error", async () => {
  const { code, stdout, stderr } = await runMatch({}, TABLE);
  assertEquals(stdout, answers);
  assertEquals(code, 0);
  const { message, found, missing, errors, columns } = JSON.parse(stderr);
  assertEquals([message, found, missing, errors], [
    "Matched addresses",
    1,
    1,
    1,
  ]);
  assertEquals(columns, { endereco: "endereco" });
});

Deno.test("MODE=match ends with exit code 0 and without a message if its reader closes the output", async () => {
  const rows = "Av. Paulista 1578, São Paulo/SP\n".repeat(100_000);
  const child = startMatch({}, `endereco\n${rows}`);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => stderr += text);
  const ended = endOf(child);
  for await (const line of createInterface(child.stdout)) {
    assert(line.startsWith("endereco"));
    break;
  }
  child.stdout.destroy();
  assertEquals(await ended, { code: 0, signal: null });
  assertEquals(stderr, "");
});

Deno.test("MODE=match continues a file after an interruption", async () => {
  const input = join(folder.path, "in.csv");
  const output = join(folder.path, "out.csv");
  writeFileSync(input, TABLE);
  const settings = { MATCH_INPUT: input, MATCH_OUTPUT: output };
  assertEquals((await runMatch(settings)).code, 0);
  assertEquals(readFileSync(output, "utf8"), answers);

  const again = await runMatch(settings);
  assertEquals(again.code, 1);
  assertStringIncludes(
    JSON.parse(again.stderr).error,
    "it exists; continue it with MATCH_RESUME=true, or remove it",
  );

  truncateSync(output, answers.indexOf("aspas"));
  const resumed = await runMatch({ ...settings, MATCH_RESUME: "true" });
  assertEquals(readFileSync(output, "utf8"), answers);
  assertEquals(JSON.parse(resumed.stderr).skipped, 1);
});

for (const resume of ["false", "true"]) {
  Deno.test(`MODE=match with MATCH_RESUME=${resume} leaves no file after an error before the first answer`, async () => {
    const output = join(folder.path, `none-${resume}.csv`);
    const settings = { MATCH_OUTPUT: output, MATCH_RESUME: resume };
    const table = "id,Local\n1,Avenida Paulista 1578\n";
    const failed = await runMatch(settings, table);
    assertEquals(failed.code, 1);
    assert(!existsSync(output));
    const { code } = await runMatch(
      { MATCH_OUTPUT: output, MATCH_COLUMNS: "endereco=Local" },
      table,
    );
    assertEquals(code, 0);
    assertStringIncludes(readFileSync(output, "utf8"), ",01310200,");
  });
}

Deno.test("MODE=match continues a file after it was killed", async () => {
  const output = join(folder.path, "killed.csv");
  const rows = `${ADDRESS}\n`.repeat(20_000);
  const input = join(folder.path, "many.csv");
  writeFileSync(input, `endereco\n${rows}`);
  const settings = {
    MATCH_INPUT: input,
    MATCH_OUTPUT: output,
    MATCH_RESUME: "true",
  };
  const child = startMatch(settings, "");
  child.stdout.resume();
  child.stderr.resume();
  const ended = endOf(child);
  kill(child, "SIGKILL");
  await ended;
  const { code, stderr } = await runMatch(settings);
  assertEquals(code, 0, stderr);
  const lines = readFileSync(output, "utf8").split("\n");
  assertEquals(lines.length, 20_002);
  const columns = score.replaceAll(";", ",");
  assertStringIncludes(lines[1]!, `,01310200,${columns},`);
  assertEquals(new Set(lines).size, 3);
});

const REFUSED: readonly (readonly [
  name: string,
  settings: (path: (name: string) => string) => Environment,
  message: string,
  setting?: string,
])[] = [
  [
    "MATCH_RESUME without MATCH_OUTPUT",
    () => ({ MATCH_RESUME: "true" }),
    "Cannot continue: MATCH_RESUME needs MATCH_OUTPUT",
  ],
  [
    "an input that is missing",
    (path) => ({ MATCH_INPUT: path("nothing.csv") }),
    'nothing.csv"',
  ],
  [
    "an input that is the output",
    (path) => ({ MATCH_INPUT: path("x"), MATCH_OUTPUT: path("x") }),
    "it is the input",
  ],
];

for (const [name, settings, message] of REFUSED) {
  Deno.test(`MODE=match refuses ${name}`, async () => {
    writeFileSync(join(folder.path, "x"), "");
    const { code, stdout, stderr } = await runMatch(
      settings((file) => join(folder.path, file)),
    );
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(JSON.parse(stderr).error, message);
  });
}

Deno.test("MODE=match fails if the database is empty", async () => {
  const { code, stdout, stderr } = await runMatch(
    { DB_PATH: join(folder.path, "nowhere") },
    "endereco\nRua A\n",
  );
  assertEquals([code, stdout], [1, ""]);
  assertStringIncludes(
    stderr,
    "it is empty; import the DNE or the CNEFE with MODE=seed",
  );
});
