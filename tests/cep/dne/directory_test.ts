import { assert, assertEquals, assertRejects } from "@std/assert";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import {
  type Directory,
  DirectoryError,
  openDirectory,
} from "../../../cep/dne/directory.ts";
import { REQUIRED_FILES } from "../../../cep/dne/layout.ts";
import { outputOf } from "../../program.ts";
import {
  encode,
  type Files,
  latin1,
  LINES,
  TempDirectory,
  writeDirectory,
} from "../_fixtures.ts";

const NAMES = REQUIRED_FILES.map(({ name }) => name);
const WINDOWS = process.platform === "win32";
/** Whether names that differ in case only are two files, as a rule. */
const KEEPS_CASES_APART = process.platform === "linux";

async function open(files: Files): Promise<Directory> {
  using directory = new TempDirectory();
  writeDirectory(directory.path, files);
  return await openDirectory(directory.path);
}

/** What is wrong with a directory, as it is told with the folder's path. */
async function problemsOf(
  path: string,
  told = path,
): Promise<readonly string[]> {
  const error = await assertRejects(() => openDirectory(path), DirectoryError);
  const prefix = `Cannot import directory "${told}": `;
  assertEquals(error.message, prefix + error.problems.join("; "));
  return error.problems;
}

async function problemsWith(files: Files): Promise<readonly string[]> {
  using directory = new TempDirectory();
  writeDirectory(directory.path, files);
  return await problemsOf(directory.path);
}

/** The names of all required files in lower case, with their lines. */
const LOWER_CASE: Files = Object.fromEntries(
  NAMES.map((name) => [name.toLowerCase(), LINES[name] ?? []]),
);

Deno.test("openDirectory finds the required files in the order of import", async () => {
  const { files } = await open({});
  const found = files.map(({ size: _, read: _read, ...file }) => file);
  assertEquals(found, [...REQUIRED_FILES]);
});

Deno.test("openDirectory tells the size of each file", async () => {
  const { files } = await open({ "LOG_CPC.TXT": latin1("São") });
  const sizes = Object.fromEntries(files.map(({ name, size }) => [name, size]));
  assertEquals(sizes["LOG_CPC.TXT"], 3);
  assertEquals(sizes["LOG_LOGRADOURO_TO.TXT"], 0);
});

Deno.test("openDirectory gives each file to be read, more than once", async () => {
  using directory = new TempDirectory();
  const bytes = encode(Array(10_000).fill("Praça das Três Irmãs"));
  writeDirectory(directory.path, { "LOG_LOCALIDADE.TXT": bytes });
  const { files: [file] } = await openDirectory(directory.path);
  for (let time = 0; time < 2; time++) {
    const content: Uint8Array<ArrayBuffer>[] = [];
    // A chunk is good until the next one is asked for.
    for await (const chunk of file!.read()) content.push(chunk.slice());
    assert(content.length > 1);
    const read = await new Blob(content).bytes();
    assertEquals(read.length, bytes.length);
    assertEquals(read.every((byte, i) => byte === bytes[i]), true);
  }
});

Deno.test("openDirectory lets a file go that is not read to its end", async () => {
  using directory = new TempDirectory();
  writeDirectory(directory.path);
  const { files: [file] } = await openDirectory(directory.path);
  // The sanitizers notice what stays open.
  for await (const chunk of file!.read()) {
    assertEquals(chunk.length, file!.size);
    break;
  }
});

Deno.test("openDirectory finds names in lower case and calls them by the upper", async () => {
  const { files } = await open(LOWER_CASE);
  assertEquals(files.map(({ name }) => name), NAMES);
});

Deno.test("openDirectory finds names in mixed case", async () => {
  const { files } = await open({
    "Log_Cpc.txt": LINES["LOG_CPC.TXT"]!,
    "LOG_LOGRADOURO_SP.txt": LINES["LOG_LOGRADOURO_SP.TXT"]!,
  });
  assertEquals(files.map(({ name }) => name), NAMES);
});

Deno.test("openDirectory passes over files that it does not need", async () => {
  const { files } = await open({
    "LOG_NUM_SEC.TXT": new TextEncoder().encode("é"),
    "LOG_LOGRADOURO_XX.TXT": ["x"],
    "LOG_CPC.TXT.BAK": ["x"],
  });
  assertEquals(files.map(({ name }) => name), NAMES);
});

for (const folder of ["Delimitado", "DELIMITADO", "delimitado"]) {
  Deno.test(`openDirectory takes the folder above ${folder} as it is`, async () => {
    using directory = new TempDirectory();
    writeDirectory(join(directory.path, folder));
    mkdirSync(join(directory.path, "Fixo"));
    const { files } = await openDirectory(directory.path);
    assertEquals(files.map(({ name }) => name), NAMES);
    assert(files[0]!.size > 0);
  });
}

Deno.test("openDirectory prefers files in the folder to those in Delimitado", async () => {
  using directory = new TempDirectory();
  writeDirectory(directory.path, { "LOG_LOCALIDADE.TXT": null });
  writeDirectory(join(directory.path, "Delimitado"));
  assertEquals(await problemsOf(directory.path), [
    "LOG_LOCALIDADE.TXT is missing",
  ]);
});

Deno.test("openDirectory names what is missing in Delimitado with its path", async () => {
  using directory = new TempDirectory();
  const inner = join(directory.path, "Delimitado");
  writeDirectory(inner, { "LOG_CPC.TXT": null });
  assertEquals(await problemsOf(directory.path, inner), [
    "LOG_CPC.TXT is missing",
  ]);
});

Deno.test("openDirectory names the absolute path of a relative one", async () => {
  const path = join("cep-test-nowhere", "dne");
  assertEquals(await problemsOf(path, resolve(path)), ["it does not exist"]);
});

Deno.test("openDirectory names all of three files that are missing", async () => {
  const problems = await problemsWith({
    "LOG_BAIRRO.TXT": null,
    "LOG_LOGRADOURO_RR.TXT": null,
    "LOG_CPC.TXT": null,
  });
  assertEquals(problems, [
    "LOG_BAIRRO.TXT is missing",
    "LOG_LOGRADOURO_RR.TXT is missing",
    "LOG_CPC.TXT is missing",
  ]);
});

const ZIP_FILES = "it holds zip files; extract them and name the folder of " +
  "the text files";
const DELTA = "it holds changes (DELTA_LOG_*.TXT); a whole directory is needed";
const STRANGE = "it holds no text file of the DNE, such as LOG_LOCALIDADE.TXT";

/** Folders without a file that is needed: what they hold, what is told. */
const STRANGERS: readonly [
  name: string,
  files: readonly string[],
  folder: string,
  problem: string,
][] = [
  ["an empty folder", [], "", STRANGE],
  ["a folder of other files", ["foto.jpg", "LOG_NUM_SEC.TXT"], "", STRANGE],
  ["a folder of fixed-width files", ["Fixo/DNE_GU_UF.TXT"], "", STRANGE],
  [
    "a folder of zip files",
    ["eDNE_Basico_25041.zip", "eDNE_Delta_Basico_25041.ZIP"],
    "",
    ZIP_FILES,
  ],
  [
    "a folder of changes",
    ["DELTA_LOG_LOCALIDADE.TXT", "DELTA_LOG_CPC.TXT"],
    "",
    DELTA,
  ],
  ["a folder of changes in lower case", ["delta_log_cpc.txt"], "", DELTA],
  [
    "the folder above a Delimitado of changes",
    ["Delimitado/DELTA_LOG_CPC.TXT"],
    "Delimitado",
    DELTA,
  ],
  [
    "the folder above an empty Delimitado",
    ["Delimitado/x"],
    "Delimitado",
    STRANGE,
  ],
];

for (const [name, files, folder, problem] of STRANGERS) {
  Deno.test(`openDirectory tells in one line of ${name}`, async () => {
    using directory = new TempDirectory();
    for (const file of files) {
      const path = join(directory.path, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "x");
    }
    const told = join(directory.path, folder);
    assertEquals(await problemsOf(directory.path, told), [problem]);
  });
}

/** Paths that are no folder. */
const NO_FOLDERS: readonly [name: string, file: string, problem: string][] = [
  [
    "a zip file",
    "eDNE_Basico.zip",
    "it is a zip file; extract it and name the folder of its text files",
  ],
  [
    "a zip file in capitals",
    "EDNE.ZIP",
    "it is a zip file; extract it and name the folder of its text files",
  ],
  ["a text file", "LOG_LOCALIDADE.TXT", "it is not a folder"],
];

for (const [name, file, problem] of NO_FOLDERS) {
  Deno.test(`openDirectory tells in one line of ${name}`, async () => {
    using directory = new TempDirectory();
    const path = join(directory.path, file);
    writeFileSync(path, "");
    assertEquals(await problemsOf(path), [problem]);
  });
}

Deno.test("openDirectory tells of a file in the place of Delimitado", async () => {
  using directory = new TempDirectory();
  const path = join(directory.path, "Delimitado");
  writeFileSync(path, "");
  assertEquals(await problemsOf(directory.path, path), ["it is not a folder"]);
});

Deno.test("openDirectory refuses a directory that does not exist", async () => {
  using directory = new TempDirectory();
  const problems = await problemsOf(join(directory.path, "nowhere"));
  assertEquals(problems, ["it does not exist"]);
});

Deno.test("openDirectory refuses a directory that bears a file's name", async () => {
  using directory = new TempDirectory();
  writeDirectory(directory.path, { "LOG_CPC.TXT": null });
  mkdirSync(join(directory.path, "LOG_CPC.TXT"));
  const [problem = "", ...more] = await problemsOf(directory.path);
  assertEquals(more, []);
  assertEquals(problem.startsWith("LOG_CPC.TXT cannot be read, "), true);
});

Deno.test({
  name: "openDirectory refuses a link that leads nowhere",
  ignore: WINDOWS,
  async fn() {
    using directory = new TempDirectory();
    writeDirectory(directory.path, { "LOG_CPC.TXT": null });
    symlinkSync(
      join(directory.path, "nowhere"),
      join(directory.path, "LOG_CPC.TXT"),
    );
    const [problem = "", ...more] = await problemsOf(directory.path);
    assertEquals(more, []);
    assertEquals(problem.startsWith("LOG_CPC.TXT cannot be read, "), true);
  },
});

Deno.test({
  name: "openDirectory refuses a pipe without waiting for its other end",
  ignore: WINDOWS,
  async fn() {
    using directory = new TempDirectory();
    writeDirectory(directory.path, { "LOG_CPC.TXT": null });
    const pipe = join(directory.path, "LOG_CPC.TXT");
    assertEquals((await outputOf(["mkfifo", pipe])).code, 0);
    assertEquals(await problemsOf(directory.path), [
      "LOG_CPC.TXT cannot be read, it is not a file",
    ]);
  },
});

Deno.test({
  name: "openDirectory follows a link to a file",
  ignore: WINDOWS,
  async fn() {
    using directory = new TempDirectory();
    writeDirectory(directory.path, { "LOG_CPC.TXT": null });
    writeFileSync(join(directory.path, "elsewhere"), "four");
    symlinkSync(
      join(directory.path, "elsewhere"),
      join(directory.path, "LOG_CPC.TXT"),
    );
    const { files } = await openDirectory(directory.path);
    assertEquals(files.at(-1)?.size, 4);
  },
});

const ENCODINGS: readonly [name: string, Uint8Array, problem: string][] = [
  [
    "UTF-8",
    new TextEncoder().encode("1@SP@1@São João@\r\n"),
    "LOG_BAIRRO.TXT is not ISO-8859-1, it is UTF-8",
  ],
  [
    "a byte between 0x80 and 0x9F",
    latin1("1@SP@1@S\x9Do Jo\x9Do@\r\n"),
    "LOG_BAIRRO.TXT is not ISO-8859-1, it holds the byte 0x9D",
  ],
  [
    "UTF-8 beyond the first chunk",
    new TextEncoder().encode(
      "1@SP@1@Centro@\r\n".repeat(50_000) + "2@SP@1@São João@\r\n",
    ),
    "LOG_BAIRRO.TXT is not ISO-8859-1, it is UTF-8",
  ],
];

for (const [name, bytes, problem] of ENCODINGS) {
  Deno.test(`openDirectory refuses by name a file with ${name}`, async () => {
    assertEquals(await problemsWith({ "LOG_BAIRRO.TXT": bytes }), [problem]);
  });
}

Deno.test("openDirectory refuses by name every file of a directory in UTF-8", async () => {
  const bytes = new TextEncoder().encode("São João");
  const problems = await problemsWith(
    Object.fromEntries(NAMES.map((name) => [name, bytes])),
  );
  assertEquals(
    problems,
    NAMES.map((name) => `${name} is not ISO-8859-1, it is UTF-8`),
  );
});

Deno.test("openDirectory names a file of lower case as it is written", async () => {
  const bytes = new TextEncoder().encode("São");
  assertEquals(await problemsWith({ "log_bairro.txt": bytes }), [
    "log_bairro.txt is not ISO-8859-1, it is UTF-8",
  ]);
});

Deno.test({
  name: "openDirectory refuses two files that differ in case only",
  ignore: !KEEPS_CASES_APART,
  async fn() {
    using directory = new TempDirectory();
    writeDirectory(directory.path);
    writeFileSync(join(directory.path, "log_cpc.txt"), "");
    const [problem = "", ...more] = await problemsOf(directory.path);
    assertEquals(more, []);
    assertEquals(problem.startsWith("LOG_CPC.TXT is there twice: "), true);
    assertEquals(problem.includes("log_cpc.txt"), true);
  },
});

Deno.test("openDirectory lists problems of every kind together", async () => {
  using directory = new TempDirectory();
  writeDirectory(directory.path, {
    "LOG_LOCALIDADE.TXT": null,
    "LOG_LOGRADOURO_AC.TXT": new TextEncoder().encode("Três"),
    "LOG_CPC.TXT": null,
  });
  mkdirSync(join(directory.path, "LOG_CPC.TXT"));
  const problems = await problemsOf(directory.path);
  assertEquals(problems.map((problem) => problem.split(" ")[0]), [
    "LOG_LOCALIDADE.TXT",
    "LOG_LOGRADOURO_AC.TXT",
    "LOG_CPC.TXT",
  ]);
});

const README = latin1(
  "Diretório Nacional de Endereços\r\nDNE versão 25041\r\n",
);

const VERSIONS: readonly [
  name: string,
  folder: string,
  files: Readonly<Record<string, Uint8Array>>,
  version: string,
][] = [
  ["beside the files", "dne", { "dne/LEIAME.TXT": README }, "25041"],
  [
    "beside the folder Delimitado",
    "Delimitado",
    { "LEIAME.TXT": README },
    "25041",
  ],
  [
    "beside a folder delimitado in lower case",
    "delimitado",
    { "LEIAME.TXT": README },
    "25041",
  ],
  [
    "in the folder rather than beside it",
    "Delimitado",
    { "Delimitado/LEIAME.TXT": README, "LEIAME.TXT": latin1("versão 1") },
    "25041",
  ],
  [
    "beside the folder where the one in it tells none",
    "Delimitado",
    { "Delimitado/LEIAME.TXT": latin1("Leia!"), "LEIAME.TXT": README },
    "25041",
  ],
  [
    "without an accent, with a colon",
    "dne",
    { "dne/LEIAME.TXT": latin1("VERSAO: 2510") },
    "2510",
  ],
  ["in lower case", "dne", { "dne/leiame.txt": README }, "25041"],
  ["nowhere", "dne", {}, ""],
  [
    "nowhere, for a folder of another name",
    "dne",
    { "LEIAME.TXT": README },
    "",
  ],
  [
    "nowhere, for the file tells none",
    "dne",
    { "dne/LEIAME.TXT": latin1("Leia!") },
    "",
  ],
];

for (const [name, folder, files, expected] of VERSIONS) {
  Deno.test(`openDirectory finds the version ${name}`, async () => {
    using directory = new TempDirectory();
    const path = join(directory.path, folder);
    writeDirectory(path);
    for (const [file, bytes] of Object.entries(files)) {
      writeFileSync(join(directory.path, file), bytes);
    }
    const { version } = await openDirectory(path);
    assertEquals(version, expected);
  });
}

Deno.test("openDirectory finds the version in the folder above Delimitado", async () => {
  using directory = new TempDirectory();
  writeDirectory(join(directory.path, "Delimitado"));
  writeFileSync(join(directory.path, "LEIAME.TXT"), README);
  const { version } = await openDirectory(directory.path);
  assertEquals(version, "25041");
});
