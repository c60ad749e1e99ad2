import { assertEquals, assertRejects } from "@std/assert";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { DirectoryError } from "../../../../cep/import/errors.ts";
import {
  openFiles,
  openSource,
  type SourceKind,
} from "../../../../cep/import/dne/source.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";
import { latin1 } from "../../_directory.ts";
import { zip } from "../../_zip.ts";

const BASE = "LOG_CPC.TXT";
const DELTA = "DELTA_LOG_CPC.TXT";

function zipOf(...names: string[]): Uint8Array {
  return zip(names.map((name) => ({ name, content: latin1(name) })));
}

const BASE_ZIP = zipOf(`Delimitado/${BASE}`);
const DELTA_ZIP = zipOf(`Delimitado/${DELTA}`);
const BOTH = zip([
  { name: "eDNE_Basico_25041.zip", content: BASE_ZIP },
  { name: "eDNE_Delta_Basico_25042.zip", content: DELTA_ZIP },
]);

/** Folders, with the folder of the text files of each kind, and the version. */
const FOUND: readonly [
  name: string,
  files: Readonly<Record<string, Uint8Array>>,
  kind: SourceKind,
  path: string,
  version: string,
][] = [
  ["base files", { [BASE]: latin1("") }, "base", "", ""],
  ["delta files", { [DELTA]: latin1("") }, "delta", "", ""],
  [
    "delta files in lower case in a folder delimitado",
    { [`delimitado/${DELTA.toLowerCase()}`]: latin1("") },
    "delta",
    "delimitado",
    "",
  ],
  [
    "base files beside delta files",
    { [BASE]: latin1(""), [DELTA]: latin1("") },
    "base",
    "",
    "",
  ],
  [
    "the base of a zip file of two",
    { "eDNE_Basico.zip": BOTH },
    "base",
    "eDNE_Basico.zip/eDNE_Basico_25041.zip/Delimitado",
    "25041",
  ],
  [
    "the delta of a zip file of two",
    { "eDNE_Basico.zip": BOTH },
    "delta",
    "eDNE_Basico.zip/eDNE_Delta_Basico_25042.zip/Delimitado",
    "25042",
  ],
  [
    "the base zip file of two",
    {
      "eDNE_Basico_25041.zip": BASE_ZIP,
      "eDNE_Delta_Basico_25042.zip": DELTA_ZIP,
    },
    "base",
    "eDNE_Basico_25041.zip/Delimitado",
    "25041",
  ],
  [
    "the delta zip file of two",
    {
      "eDNE_Basico_25041.zip": BASE_ZIP,
      "eDNE_Delta_Basico_25042.zip": DELTA_ZIP,
    },
    "delta",
    "eDNE_Delta_Basico_25042.zip/Delimitado",
    "25042",
  ],
  [
    "a delta zip file beside base files in Delimitado",
    {
      [`Delimitado/${BASE}`]: latin1(""),
      "eDNE_Delta_Basico_25042.zip": DELTA_ZIP,
    },
    "delta",
    "eDNE_Delta_Basico_25042.zip/Delimitado",
    "25042",
  ],
  [
    "a delta zip file beside base files",
    { [BASE]: latin1(""), "eDNE_Delta_Basico_2504.zip": DELTA_ZIP },
    "delta",
    "eDNE_Delta_Basico_2504.zip/Delimitado",
    "2504",
  ],
  [
    "a base zip file beside delta files in Delimitado",
    {
      [`Delimitado/${DELTA}`]: latin1(""),
      "eDNE.zip": BASE_ZIP,
      "._eDNE.zip": latin1(""),
    },
    "base",
    "eDNE.zip/Delimitado",
    "",
  ],
];

/** Writes files and calls back with their folder. */
async function withFiles<T>(
  files: Readonly<Record<string, Uint8Array>>,
  use: (path: string) => Promise<T>,
): Promise<T> {
  using folder = new TemporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return await use(folder.path);
}

for (const [name, files, kind, path, version] of FOUND) {
  Deno.test(`openSource finds ${name}`, async () => {
    await withFiles(files, async (folder) => {
      const source = await openSource(folder, kind);
      const found = relative(folder, source.path).replaceAll("\\", "/");
      assertEquals([found, source.version], [path, version]);
      const wanted = kind === "base" ? BASE : DELTA;
      const opened = await openFiles(
        source,
        [{ name: wanted }, { name: "LOG_BAIRRO.TXT" }],
        ({ name }) => name !== wanted,
      );
      assertEquals(opened.map(({ name }) => name), [wanted]);
    });
  });
}

const REFUSED: readonly [
  name: string,
  files: Readonly<Record<string, Uint8Array>>,
  kind: SourceKind,
  path: string,
  problem: string,
][] = [
  [
    "base files",
    { [BASE]: latin1("") },
    "delta",
    "",
    "it contains the complete DNE, not delta files (DELTA_LOG_*.TXT); " +
    "import it with MODE=seed",
  ],
  [
    "the zip file of a base",
    { "eDNE_Basico_25041.zip": BASE_ZIP },
    "delta",
    "eDNE_Basico_25041.zip/Delimitado",
    "it contains the complete DNE, not delta files (DELTA_LOG_*.TXT); " +
    "import it with MODE=seed",
  ],
  [
    "other files",
    { "x.txt": latin1("") },
    "delta",
    "",
    "it contains no delta file (DELTA_LOG_*.TXT)",
  ],
  [
    "several deltas",
    {
      "eDNE_Basico_25041.zip": BASE_ZIP,
      "eDNE_Delta_Basico_25042.zip": DELTA_ZIP,
      "eDNE_Delta_Basico_25051.zip": DELTA_ZIP,
    },
    "delta",
    "",
    "it contains several zip files: eDNE_Delta_Basico_25042.zip, " +
    "eDNE_Delta_Basico_25051.zip; set DB_RAW_PATH to one",
  ],
  [
    "the zip file of a delta",
    { "eDNE_Delta_Basico_25042.zip": DELTA_ZIP },
    "base",
    "eDNE_Delta_Basico_25042.zip/Delimitado",
    "it contains delta files (DELTA_LOG_*.TXT); import the complete DNE",
  ],
];

for (const [name, files, kind, path, problem] of REFUSED) {
  Deno.test(`openSource refuses ${name} as ${kind}`, async () => {
    await withFiles(files, async (folder) => {
      const { message } = await assertRejects(
        () => openSource(folder, kind),
        DirectoryError,
      );
      const named = path === "" ? folder : `${folder}/${path}`;
      assertEquals(
        message,
        `Cannot import the DNE from "${named}": ${problem}`,
      );
    });
  });
}
