import { assert, assertEquals, assertRejects } from "@std/assert";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import {
  type Directory,
  openDirectory,
} from "../../../../cep/import/dne/source.ts";
import { DirectoryError } from "../../../../cep/import/errors.ts";
import {
  FILES,
  isOptional,
  REQUIRED_FILES,
} from "../../../../cep/import/dne/layout.ts";
import { outputOf } from "../../../_program.ts";
import {
  encode,
  type Files,
  latin1,
  LINES,
  writeDirectory,
} from "../../_directory.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";

const NAMES = REQUIRED_FILES.map(({ name }) => name);
const WINDOWS = process.platform === "win32";
/** True if names that differ only in letter case are two files. */
const KEEPS_CASES_APART = process.platform === "linux";

async function open(files: Files): Promise<Directory> {
  using directory = new TemporaryFolder();
  writeDirectory(directory.path, files);
  return await openDirectory(directory.path);
}

/**
 * Returns the problems of a folder, and checks that the message has its path.
 */
async function problemsOf(
  path: string,
  named = path,
): Promise<readonly string[]> {
  const error = await assertRejects(() => openDirectory(path), DirectoryError);
  const prefix = `Cannot import the DNE from "${named}": `;
  assertEquals(error.message, prefix + error.problems.join("; "));
  return error.problems;
}

async function problemsWith(files: Files): Promise<readonly string[]> {
  using directory = new TemporaryFolder();
  writeDirectory(directory.path, files);
  return await problemsOf(directory.path);
}

/** Names of all required files in lower case, with their lines. */
const LOWER_CASE: Files = Object.fromEntries(
  NAMES.map((name) => [name.toLowerCase(), LINES[name] ?? []]),
);

Deno.test("openDirectory finds the required files in the order of import", async () => {
  const { files } = await open({});
  const found = files.map(({ size: _, read: _read, ...file }) => file);
  assertEquals(found, [...REQUIRED_FILES]);
});

Deno.test("openDirectory returns the size of each file", async () => {
  const { files } = await open({ "LOG_CPC.TXT": latin1("São") });
  const sizes = Object.fromEntries(files.map(({ name, size }) => [name, size]));
  assertEquals(sizes["LOG_CPC.TXT"], 3);
  assertEquals(sizes["LOG_LOGRADOURO_TO.TXT"], 0);
});

Deno.test("openDirectory returns files that can be read more than once", async () => {
  using directory = new TemporaryFolder();
  const bytes = encode(Array(10_000).fill("Praça das Três Irmãs"));
  writeDirectory(directory.path, { "LOG_LOCALIDADE.TXT": bytes });
  const { files: [file] } = await openDirectory(directory.path);
  for (let time = 0; time < 2; time++) {
    const content: Uint8Array<ArrayBuffer>[] = [];
    // A chunk is valid until the next one is read.
    for await (const chunk of file!.read()) content.push(chunk.slice());
    assert(content.length > 1);
    const read = await new Blob(content).bytes();
    assertEquals(read.length, bytes.length);
    assertEquals(read.every((byte, i) => byte === bytes[i]), true);
  }
});

Deno.test("openDirectory closes a file that is not read to its end", async () => {
  using directory = new TemporaryFolder();
  writeDirectory(directory.path);
  const { files: [file] } = await openDirectory(directory.path);
  // The resource sanitizer reports a file that stays open.
  for await (const chunk of file!.read()) {
    assertEquals(chunk.length, file!.size);
    break;
  }
});

Deno.test("openDirectory finds file names in lower case and returns them in upper case", async () => {
  const { files } = await open(LOWER_CASE);
  assertEquals(files.map(({ name }) => name), NAMES);
});

Deno.test("openDirectory ignores other files", async () => {
  const { files } = await open({
    "ECT_PAIS.TXT": new TextEncoder().encode("é"),
    "LOG_LOGRADOURO_XX.TXT": ["x"],
    "LOG_CPC.TXT.BAK": ["x"],
  });
  assertEquals(files.map(({ name }) => name), NAMES);
});

Deno.test("openDirectory finds optional files in the order of import", async () => {
  const optional = FILES.filter(isOptional);
  const { files } = await open(
    Object.fromEntries(optional.map(({ name }) => [name.toLowerCase(), []])),
  );
  assertEquals(files.map(({ name }) => name), FILES.map(({ name }) => name));
});

Deno.test("openDirectory refuses an optional file in UTF-8", async () => {
  const bytes = new TextEncoder().encode("1@1@São João");
  assertEquals(await problemsWith({ "LOG_VAR_BAI.TXT": bytes }), [
    "LOG_VAR_BAI.TXT is not ISO-8859-1: it is UTF-8",
  ]);
});

for (const folder of ["Delimitado", "DELIMITADO", "delimitado"]) {
  Deno.test(`openDirectory reads the subfolder ${folder}`, async () => {
    using directory = new TemporaryFolder();
    writeDirectory(join(directory.path, folder));
    mkdirSync(join(directory.path, "Fixo"));
    const { files } = await openDirectory(directory.path);
    assertEquals(files.map(({ name }) => name), NAMES);
    assert(files[0]!.size > 0);
  });
}

Deno.test("openDirectory prefers files in the folder to files in Delimitado", async () => {
  using directory = new TemporaryFolder();
  writeDirectory(directory.path, { "LOG_LOCALIDADE.TXT": null });
  writeDirectory(join(directory.path, "Delimitado"));
  assertEquals(await problemsOf(directory.path), [
    "LOG_LOCALIDADE.TXT is missing",
  ]);
});

Deno.test("openDirectory reports a file that is missing in Delimitado with that path", async () => {
  using directory = new TemporaryFolder();
  const inner = join(directory.path, "Delimitado");
  writeDirectory(inner, { "LOG_CPC.TXT": null });
  assertEquals(await problemsOf(directory.path, inner), [
    "LOG_CPC.TXT is missing",
  ]);
});

Deno.test("openDirectory reports a relative path as absolute", async () => {
  const path = join("cep-test-nowhere", "dne");
  assertEquals(await problemsOf(path, resolve(path)), ["it does not exist"]);
});

Deno.test("openDirectory lists every missing file", async () => {
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

const DELTA =
  "it contains delta files (DELTA_LOG_*.TXT); import the complete DNE";
const NO_FILES =
  "it contains no text file of the DNE, such as LOG_LOCALIDADE.TXT";

/** Folders without a required file: files, folder in the message, problem. */
const OTHER_FOLDERS: readonly [
  name: string,
  files: readonly string[],
  folder: string,
  problem: string,
][] = [
  ["an empty folder", [], "", NO_FILES],
  ["a folder of other files", ["foto.jpg", "LOG_NUM_SEC.TXT"], "", NO_FILES],
  ["a folder of fixed-width files", ["Fixo/DNE_GU_UF.TXT"], "", NO_FILES],
  [
    "a folder of zip files of several releases",
    ["eDNE_Basico_25041.zip", "eDNE_Basico_25042.ZIP"],
    "",
    "it contains several zip files: eDNE_Basico_25041.zip, " +
    "eDNE_Basico_25042.ZIP; set DB_RAW_PATH to one",
  ],
  [
    "a folder of changes",
    ["DELTA_LOG_LOCALIDADE.TXT", "DELTA_LOG_CPC.TXT"],
    "",
    DELTA,
  ],
  ["a folder of changes in lower case", ["delta_log_cpc.txt"], "", DELTA],
  [
    "a folder of changes in Delimitado",
    ["Delimitado/DELTA_LOG_CPC.TXT"],
    "Delimitado",
    DELTA,
  ],
  [
    "a folder of other files in Delimitado",
    ["Delimitado/x"],
    "Delimitado",
    NO_FILES,
  ],
];

for (const [name, files, folder, problem] of OTHER_FOLDERS) {
  Deno.test(`openDirectory refuses ${name} with one problem`, async () => {
    using directory = new TemporaryFolder();
    for (const file of files) {
      const path = join(directory.path, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "x");
    }
    const named = join(directory.path, folder);
    assertEquals(await problemsOf(directory.path, named), [problem]);
  });
}

const NO_END = "it cannot be read as a zip file: End of central directory " +
  "record signature not found. Either not a zip file, or file is truncated.";

/** Paths of files. */
const FILE_PATHS: readonly [name: string, file: string, problem: string][] = [
  ["an empty file named as a zip file", "eDNE_Basico.zip", NO_END],
  ["an empty file named as a zip file in capitals", "EDNE.ZIP", NO_END],
  [
    "a text file",
    "LOG_LOCALIDADE.TXT",
    "it is neither a folder nor a zip file",
  ],
];

for (const [name, file, problem] of FILE_PATHS) {
  Deno.test(`openDirectory refuses ${name} with one problem`, async () => {
    using directory = new TemporaryFolder();
    const path = join(directory.path, file);
    writeFileSync(path, "");
    assertEquals(await problemsOf(path), [problem]);
  });
}

Deno.test("openDirectory refuses a folder that does not exist", async () => {
  using directory = new TemporaryFolder();
  const problems = await problemsOf(join(directory.path, "nowhere"));
  assertEquals(problems, ["it does not exist"]);
});

Deno.test("openDirectory refuses a folder with the name of a required file", async () => {
  using directory = new TemporaryFolder();
  writeDirectory(directory.path, { "LOG_CPC.TXT": null });
  mkdirSync(join(directory.path, "LOG_CPC.TXT"));
  const [problem = "", ...more] = await problemsOf(directory.path);
  assertEquals(more, []);
  assertEquals(problem.startsWith("LOG_CPC.TXT cannot be read: "), true);
});

Deno.test({
  name: "openDirectory refuses a dangling symbolic link",
  ignore: WINDOWS,
  async fn() {
    using directory = new TemporaryFolder();
    writeDirectory(directory.path, { "LOG_CPC.TXT": null });
    symlinkSync(
      join(directory.path, "nowhere"),
      join(directory.path, "LOG_CPC.TXT"),
    );
    const [problem = "", ...more] = await problemsOf(directory.path);
    assertEquals(more, []);
    assertEquals(problem.startsWith("LOG_CPC.TXT cannot be read: "), true);
  },
});

Deno.test({
  name: "openDirectory refuses a pipe without waiting for its writer",
  ignore: WINDOWS,
  async fn() {
    using directory = new TemporaryFolder();
    writeDirectory(directory.path, { "LOG_CPC.TXT": null });
    const pipe = join(directory.path, "LOG_CPC.TXT");
    assertEquals((await outputOf(["mkfifo", pipe])).code, 0);
    assertEquals(await problemsOf(directory.path), [
      "LOG_CPC.TXT cannot be read: it is not a file",
    ]);
  },
});

Deno.test({
  name: "openDirectory follows a symbolic link",
  ignore: WINDOWS,
  async fn() {
    using directory = new TemporaryFolder();
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
    "LOG_BAIRRO.TXT is not ISO-8859-1: it is UTF-8",
  ],
  [
    "a byte between 0x80 and 0x9F",
    latin1("1@SP@1@S\x9Do Jo\x9Do@\r\n"),
    "LOG_BAIRRO.TXT is not ISO-8859-1: it contains the byte 0x9D",
  ],
  [
    "UTF-8 beyond the first chunk",
    new TextEncoder().encode(
      "1@SP@1@Centro@\r\n".repeat(50_000) + "2@SP@1@São João@\r\n",
    ),
    "LOG_BAIRRO.TXT is not ISO-8859-1: it is UTF-8",
  ],
];

for (const [name, bytes, problem] of ENCODINGS) {
  Deno.test(`openDirectory refuses a file with ${name}, and reports its name`, async () => {
    assertEquals(await problemsWith({ "LOG_BAIRRO.TXT": bytes }), [problem]);
  });
}

Deno.test({
  name:
    "openDirectory refuses two files whose names differ only in letter case",
  ignore: !KEEPS_CASES_APART,
  async fn() {
    using directory = new TemporaryFolder();
    writeDirectory(directory.path);
    writeFileSync(join(directory.path, "log_cpc.txt"), "");
    const [problem = "", ...more] = await problemsOf(directory.path);
    assertEquals(more, []);
    assertEquals(
      problem.startsWith("LOG_CPC.TXT exists more than once: "),
      true,
    );
    assertEquals(problem.includes("log_cpc.txt"), true);
  },
});

Deno.test("openDirectory lists problems of every kind together", async () => {
  using directory = new TemporaryFolder();
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
  [
    "the version beside the files",
    "dne",
    { "dne/LEIAME.TXT": README },
    "25041",
  ],
  [
    "the version beside the folder Delimitado",
    "Delimitado",
    { "LEIAME.TXT": README },
    "25041",
  ],
  [
    "the version beside a folder delimitado",
    "delimitado",
    { "LEIAME.TXT": README },
    "25041",
  ],
  [
    "the version in the folder rather than beside it",
    "Delimitado",
    { "Delimitado/LEIAME.TXT": README, "LEIAME.TXT": latin1("versão 1") },
    "25041",
  ],
  [
    "the version beside the folder if the file in it has none",
    "Delimitado",
    { "Delimitado/LEIAME.TXT": latin1("Leia!"), "LEIAME.TXT": README },
    "25041",
  ],
  [
    "the version after VERSAO and a colon",
    "dne",
    { "dne/LEIAME.TXT": latin1("VERSAO: 2510") },
    "2510",
  ],
  [
    "the version in a file leiame.txt",
    "dne",
    { "dne/leiame.txt": README },
    "25041",
  ],
  ["no version without LEIAME.TXT", "dne", {}, ""],
  ["the version in the name of the folder", "eDNE_Basico_2504", {}, "2504"],
  [
    "the version in the name of the folder above Delimitado",
    "eDNE_Basico_25041/Delimitado",
    {},
    "25041",
  ],
  [
    "the version in LEIAME.TXT rather than in the name of the folder",
    "eDNE_Basico_25042",
    { "eDNE_Basico_25042/LEIAME.TXT": README },
    "25041",
  ],
  ["no version in another number of a folder", "eDNE_Basico_v2", {}, ""],
  [
    "no version beside a folder of another name",
    "dne",
    { "LEIAME.TXT": README },
    "",
  ],
  [
    "no version in a file without one",
    "dne",
    { "dne/LEIAME.TXT": latin1("Leia!") },
    "",
  ],
];

for (const [name, folder, files, expected] of VERSIONS) {
  Deno.test(`openDirectory finds ${name}`, async () => {
    using directory = new TemporaryFolder();
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
  using directory = new TemporaryFolder();
  writeDirectory(join(directory.path, "Delimitado"));
  writeFileSync(join(directory.path, "LEIAME.TXT"), README);
  const { version } = await openDirectory(directory.path);
  assertEquals(version, "25041");
});
