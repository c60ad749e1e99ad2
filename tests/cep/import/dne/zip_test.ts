import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { Buffer } from "node:buffer";
import {
  closeSync,
  mkdirSync,
  openSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  type Directory,
  openDirectory,
} from "../../../../cep/import/dne/source.ts";
import { DirectoryError } from "../../../../cep/import/errors.ts";
import { REQUIRED_FILES } from "../../../../cep/import/dne/layout.ts";
import { seed, type SeedProgress } from "../../../../cep/import/seed.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";
import { encode, latin1, LINES, streets } from "../../_directory.ts";
import { CapturingLogger } from "../../_logger.ts";
import { contentOf, OpenedStore } from "../../_stores.ts";
import { type Member, zip, type ZipOptions } from "../../_zip.ts";

const SP = "LOG_LOGRADOURO_SP.TXT";
const CPC = "LOG_CPC.TXT";
const README = latin1("DNE versão 25041\r\n");

interface Variant extends ZipOptions {
  /** Folder of the text files, with a slash. */
  readonly folder?: string;
  /** Stores the members instead of deflating them. */
  readonly stored?: boolean;
  /** Members that replace those of the same name, or are added. */
  readonly members?: readonly Member[];
  /** Content of LEIAME.TXT, `null` for none. */
  readonly readme?: Uint8Array | null;
}

/** Returns the members of a zip file of the small DNE. */
function membersOf({
  folder = "Delimitado/",
  stored = false,
  members = [],
  readme = README,
}: Variant): Member[] {
  const all = new Map<string, Member>();
  if (readme) {
    all.set("LEIAME.TXT", { name: "LEIAME.TXT", content: readme, stored });
  }
  all.set("Fixo/DNE_GU_UF.TXT", {
    name: "Fixo/DNE_GU_UF.TXT",
    content: latin1("x"),
  });
  for (const { name: file } of REQUIRED_FILES) {
    const name = folder + file;
    all.set(name, { name, content: encode(LINES[file] ?? []), stored });
  }
  for (const member of members) all.set(member.name, member);
  return [...all.values()];
}

/** Returns a zip file of the small DNE. */
function dne(variant: Variant = {}): Uint8Array<ArrayBuffer> {
  return zip(membersOf(variant), variant);
}

/** Returns a zip file of base and changes, as Correios delivers it. */
function outer(
  { stored = false, base = dne({ readme: null }) }: {
    readonly stored?: boolean;
    readonly base?: Uint8Array;
  } = {},
): Uint8Array<ArrayBuffer> {
  const changes = zip([
    { name: "Delimitado/DELTA_LOG_CPC.TXT", content: new Uint8Array() },
  ]);
  return zip([
    { name: "eDNE_Delta_Basico_25041.zip", content: changes, stored },
    { name: "eDNE_Basico_25041.zip", content: base, stored },
  ]);
}

/** Writes a file and calls back with its path. */
async function withFile<T>(
  name: string,
  content: Uint8Array,
  use: (path: string, folder: string) => Promise<T>,
): Promise<T> {
  using folder = new TemporaryFolder();
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return await use(path, folder.path);
}

/** Reads the files of a directory. */
async function readAll({ files }: Directory): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  for (const file of files) {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    // A chunk is valid until the next one is read.
    for await (const chunk of file.read()) chunks.push(chunk.slice());
    const content = await new Blob(chunks).bytes();
    assertEquals(content.length, file.size, file.name);
    contents.set(file.name, content);
  }
  return contents;
}

const CONTENTS = new Map<string, Uint8Array>(
  REQUIRED_FILES.map(({ name }) => [name, encode(LINES[name] ?? [])]),
);

const READABLE: readonly [
  name: string,
  file: string,
  content: () => Uint8Array,
  version: string,
][] = [
  ["deflated members", "dne.zip", () => dne(), "25041"],
  ["stored members", "dne.zip", () => dne({ stored: true }), "25041"],
  ["members of ZIP64", "dne.zip", () => dne({ zip64: true }), "25041"],
  ["text files at the top", "dne.zip", () => dne({ folder: "" }), "25041"],
  [
    "a folder DELIMITADO",
    "x.zip",
    () => dne({ folder: "DELIMITADO/" }),
    "25041",
  ],
  [
    "backslashes in paths",
    "x.zip",
    () => dne({ folder: "Delimitado\\" }),
    "25041",
  ],
  [
    "one folder around all members",
    "x.zip",
    () =>
      zip(
        membersOf({}).map((member) => ({
          ...member,
          name: `eDNE/${member.name}`,
        })),
      ),
    "25041",
  ],
  [
    "attributes of macOS",
    "x.zip",
    () =>
      dne({
        members: [{
          name: `__MACOSX/Delimitado/._${CPC}`,
          content: latin1("\0"),
        }],
      }),
    "25041",
  ],
  ["a name in capitals", "DNE.ZIP", () => dne(), "25041"],
  ["a name without an extension", "dne", () => dne(), "25041"],
  [
    "its version in its name",
    "eDNE_Basico_25042.zip",
    () => dne({ readme: null }),
    "25042",
  ],
  [
    "its version in its name, numbered by a browser",
    "eDNE_Basico_2504 (1).zip",
    () => dne({ readme: null }),
    "2504",
  ],
  ["no version", "dne.zip", () => dne({ readme: null }), ""],
  [
    "a damaged LEIAME.TXT",
    "eDNE_Basico_25042.zip",
    () =>
      dne({
        members: [{ name: "LEIAME.TXT", content: README, fields: { crc: 1 } }],
      }),
    "25042",
  ],
  ["two deflated zip files", "eDNE_Basico.zip", () => outer(), "25041"],
  [
    "two stored zip files",
    "eDNE_Basico.zip",
    () => outer({ stored: true }),
    "25041",
  ],
  [
    "one zip file of another name",
    "eDNE_Basico.zip",
    () => zip([{ name: "base.ZIP", content: dne() }]),
    "25041",
  ],
];

for (const [name, file, content, version] of READABLE) {
  Deno.test(`openDirectory reads a zip file with ${name}`, async () => {
    await withFile(file, content(), async (path) => {
      const directory = await openDirectory(path);
      assertEquals(directory.version, version);
      assertEquals(await readAll(directory), CONTENTS);
    });
  });
}

Deno.test("openDirectory reads the zip file in a folder", async () => {
  await withFile("eDNE_Basico_25042.zip", dne(), async (_, folder) => {
    mkdirSync(join(folder, "old"));
    writeFileSync(join(folder, "eDNE_Delta_Basico_25042.zip"), "");
    writeFileSync(join(folder, "LEIAME.TXT"), latin1("DNE versão 24011"));
    const directory = await openDirectory(folder);
    assertEquals(directory.version, "25041");
    assertEquals(await readAll(directory), CONTENTS);
  });
});

Deno.test("openDirectory prefers text files in a folder to a zip file", async () => {
  await withFile("eDNE_Basico_25042.zip", dne(), async (_, folder) => {
    writeFileSync(join(folder, CPC), "");
    const error = await assertRejects(
      () => openDirectory(folder),
      DirectoryError,
    );
    assertEquals(error.problems[0], "LOG_LOCALIDADE.TXT is missing");
  });
});

Deno.test("openDirectory reads members of many chunks", async () => {
  const content = encode(streets(20_000));
  for (const stored of [false, true]) {
    const members = [{ name: `Delimitado/${SP}`, content, stored }];
    await withFile("x.zip", outer({ base: dne({ members }) }), async (path) => {
      const contents = await readAll(await openDirectory(path));
      assertEquals(contents.get(SP)!.length, content.length);
      assert(contents.get(SP)!.every((byte, i) => byte === content[i]));
    });
  }
});

Deno.test("openDirectory closes a zip file that is not read to its end", async () => {
  const content = encode(streets(20_000));
  for (const stored of [false, true]) {
    const members = [{ name: `Delimitado/${SP}`, content, stored }];
    await withFile("x.zip", dne({ members }), async (path) => {
      const { files } = await openDirectory(path);
      const file = files.find(({ name }) => name === SP)!;
      // The resource sanitizer reports a file that stays open.
      for await (const chunk of file.read()) {
        assert(chunk.length < file.size);
        break;
      }
    });
  }
});

function manyMembers(count: number): Member[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `Fixo/${i}`,
    content: new Uint8Array(),
    stored: true,
  }));
}

const text = (fields: Member["fields"]): Variant => ({
  members: [{
    name: `Delimitado/${CPC}`,
    content: encode(LINES[CPC]!),
    ...(fields === undefined ? {} : { fields }),
  }],
});

const named = (name: string): Variant => ({
  members: [{ name, content: latin1("x") }],
});

/** Replaces the name of a member in the directory of a zip file. */
function renamed(
  content: Uint8Array<ArrayBuffer>,
  from: string,
  to: string,
): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(content.buffer);
  bytes.write(to, bytes.lastIndexOf(from), "latin1");
  return content;
}

const ZEROS = new Uint8Array(20 * 2 ** 20);

const NOT_READABLE = "it cannot be read as a zip file: ";

/** Zip files, with the path in the message after that of the zip file. */
const REFUSED: readonly [
  name: string,
  content: () => Uint8Array,
  path: string,
  problem: string,
][] = [
  [
    "zeros instead of a zip file",
    () => new Uint8Array(100_000),
    "",
    NOT_READABLE + "End of central directory record signature not found. " +
    "Either not a zip file, or file is truncated.",
  ],
  [
    "a zip file cut in half",
    () => dne().subarray(0, 2000),
    "",
    NOT_READABLE + "End of central directory record signature not found. " +
    "Either not a zip file, or file is truncated.",
  ],
  [
    "a zip file without its beginning",
    () => dne().subarray(500),
    "",
    NOT_READABLE + "unexpected EOF",
  ],
  [
    "fewer members in its end than in its directory",
    () => zip(membersOf({}), { count: 4 }),
    "",
    NOT_READABLE + "its directory is damaged: it has more members than the 4 " +
    "at its end",
  ],
  [
    "a member that its directory does not name",
    () => renamed(dne(), CPC, CPC.replace(".TXT", ".TXX")),
    "",
    NOT_READABLE + `its directory is damaged: the member "Delimitado/` +
    `LOG_CPC.TXX" has another name in its own header`,
  ],
  [
    "an empty zip file",
    () => zip([]),
    "",
    "it contains no text file of the DNE, such as LOG_LOCALIDADE.TXT",
  ],
  [
    "a zip file of changes",
    () => zip([{ name: "DELTA_LOG_CPC.TXT", content: new Uint8Array() }]),
    "",
    "it contains delta files (DELTA_LOG_*.TXT); import the complete DNE",
  ],
  [
    "a member with a climbing path",
    () => dne(named("../../etc/passwd")),
    "",
    NOT_READABLE + "invalid relative path: ../../etc/passwd",
  ],
  [
    "a member with a climbing path of backslashes",
    () => dne(named("Delimitado\\..\\..\\x")),
    "",
    NOT_READABLE + "invalid relative path: Delimitado/../../x",
  ],
  [
    "a member with an absolute path",
    () => dne(named("/etc/passwd")),
    "",
    NOT_READABLE + "absolute path: /etc/passwd",
  ],
  [
    "a member with a drive letter",
    () => dne(named("C:\\x")),
    "",
    NOT_READABLE + "absolute path: C:/x",
  ],
  [
    "10,000 members",
    () => zip([...membersOf({}), ...manyMembers(10_000)]),
    "",
    NOT_READABLE + "it has 10034 members, more than 1000",
  ],
  [
    "fewer members than it says",
    () => zip(membersOf({}), { count: 60 }),
    "",
    NOT_READABLE,
  ],
  [
    "two members of one name",
    () => zip([...membersOf({}), ...membersOf({})]),
    "",
    NOT_READABLE + 'it has two members "LEIAME.TXT"',
  ],
  [
    "two members whose names differ in letter case",
    () => dne(named("Delimitado/log_cpc.txt")),
    "/Delimitado",
    "LOG_CPC.TXT exists more than once: LOG_CPC.TXT, log_cpc.txt",
  ],
  [
    "a member of zeros",
    () => dne({ members: [{ name: "Delimitado/x", content: ZEROS }] }),
    "",
    NOT_READABLE + 'its member "Delimitado/x" would grow from ',
  ],
  [
    "members that share their bytes",
    () =>
      dne({
        members: Array.from({ length: 30 }, (_, i) => ({
          name: `Delimitado/${i}`,
          content: latin1("x"),
          fields: { packed: 2 ** 20, size: 16 * 2 ** 20 },
        })),
      }),
    "",
    NOT_READABLE + "it would grow from ",
  ],
  [
    "a member that is larger than it says",
    () => dne(text({ size: 10 })),
    "/Delimitado",
    "LOG_CPC.TXT cannot be read: it contains more than the 10 bytes in its header",
  ],
  [
    "a member that is smaller than it says",
    () => dne(text({ size: 1000 })),
    "/Delimitado",
    "LOG_CPC.TXT cannot be read: it contains 56 bytes instead of the 1000 in its header",
  ],
  [
    "a member with a wrong CRC-32",
    () => dne(text({ crc: 0xABC })),
    "/Delimitado",
    "LOG_CPC.TXT cannot be read: it is damaged: its CRC-32 is ",
  ],
  [
    "a stored member with a wrong CRC-32",
    () =>
      dne({
        members: [{
          name: `Delimitado/${CPC}`,
          content: latin1("x"),
          stored: true,
          fields: { crc: 0 },
        }],
      }),
    "/Delimitado",
    "LOG_CPC.TXT cannot be read: it is damaged: its CRC-32 is 8cdc1683 instead of 00000000",
  ],
  [
    "a stored member of two sizes",
    () =>
      dne({
        members: [{
          name: `Delimitado/${CPC}`,
          content: latin1("x"),
          stored: true,
          fields: { size: 2 },
        }],
      }),
    "",
    NOT_READABLE +
    "compressed/uncompressed size mismatch for stored file: 1 != 2",
  ],
  [
    "a member that is not deflated",
    () =>
      dne({
        members: [{
          name: `Delimitado/${CPC}`,
          content: latin1("\xFF".repeat(54)),
          stored: true,
          fields: { method: 8 },
        }],
      }),
    "/Delimitado",
    "LOG_CPC.TXT cannot be read: ",
  ],
  [
    "a member that ends early",
    () => dne(text({ packed: 10 })),
    "/Delimitado",
    "LOG_CPC.TXT cannot be read: unexpected end of file",
  ],
  [
    "a member beyond the end of the zip file",
    () => dne(text({ packed: 100_000 })),
    "/Delimitado",
    "LOG_CPC.TXT cannot be read: file data overflows file bounds: ",
  ],
  [
    "a member without a header",
    () => dne(text({ position: 7 })),
    "/Delimitado",
    "LOG_CPC.TXT cannot be read: invalid local file header signature: 0x",
  ],
  [
    "an encrypted member",
    () => dne(text({ flags: 1 })),
    "/Delimitado",
    "LOG_CPC.TXT cannot be read: it is encrypted",
  ],
  [
    "a member of strong encryption",
    () => dne(text({ flags: 0x41 })),
    "",
    NOT_READABLE + "strong encryption is not supported",
  ],
  [
    "a member compressed by LZMA",
    () => dne(text({ method: 14 })),
    "/Delimitado",
    "LOG_CPC.TXT cannot be read: its compression method 14 is not supported, only deflate is",
  ],
  [
    "a folder with the name of a text file",
    () => {
      const members = membersOf({})
        .filter(({ name }) => name !== `Delimitado/${CPC}`);
      return zip([...members, {
        name: `Delimitado/${CPC}/x`,
        content: latin1("x"),
      }]);
    },
    "/Delimitado",
    "LOG_CPC.TXT cannot be read: it is not a file",
  ],
  [
    "a text file in UTF-8",
    () =>
      dne({
        members: [{
          name: `Delimitado/${CPC}`,
          content: new TextEncoder().encode("São"),
        }],
      }),
    "/Delimitado",
    "LOG_CPC.TXT is not ISO-8859-1: it is UTF-8",
  ],
  [
    "zip files of several releases",
    () =>
      zip([
        { name: "eDNE_Basico_25041.zip", content: dne() },
        { name: "eDNE_Basico_25042.zip", content: dne() },
      ]),
    "",
    "it contains several zip files: eDNE_Basico_25041.zip, " +
    "eDNE_Basico_25042.zip; set DB_RAW_PATH to one",
  ],
  [
    "a zip file in a zip file in a zip file",
    () => zip([{ name: "a.zip", content: outer() }]),
    "/a.zip/eDNE_Basico_25041.zip",
    "it is a zip file in a zip file in a zip file; extract the outer one",
  ],
  [
    "an encrypted zip file in it",
    () => zip([{ name: "a.zip", content: dne(), fields: { flags: 1 } }]),
    "/a.zip",
    "it is encrypted",
  ],
  [
    "a zip file in it with a wrong CRC-32",
    () => zip([{ name: "a.zip", content: dne(), fields: { crc: 1 } }]),
    "/a.zip",
    "it is damaged: its CRC-32 is ",
  ],
  [
    "a text file named as a zip file in it",
    () => zip([{ name: "a.zip", content: latin1("x"), stored: true }]),
    "/a.zip",
    NOT_READABLE + "End of central directory record signature not found. " +
    "Either not a zip file, or file is truncated.",
  ],
  [
    "a damaged member in a zip file in it",
    () => outer({ base: dne(text({ crc: 1 })) }),
    "/eDNE_Basico_25041.zip/Delimitado",
    "LOG_CPC.TXT cannot be read: it is damaged: its CRC-32 is ",
  ],
];

for (const [name, content, inner, problem] of REFUSED) {
  Deno.test(`openDirectory refuses a zip file with ${name}`, async () => {
    await withFile("eDNE.zip", content(), async (path) => {
      const error = await assertRejects(
        () => openDirectory(path),
        DirectoryError,
      );
      const found = `Cannot import the DNE from "${path}${inner}": `;
      assertEquals(error.message.slice(0, found.length), found);
      assertEquals(error.problems.length, 1, error.message);
      const [reason = ""] = error.problems;
      assertEquals(reason.slice(0, problem.length), problem);
    });
  });
}

Deno.test("openDirectory lists every damaged member", async () => {
  const names = ["LOG_BAIRRO.TXT", SP, CPC];
  const members = names.map((file) => ({
    name: `Delimitado/${file}`,
    content: encode(LINES[file]!),
    fields: { crc: 1 },
  }));
  await withFile("x.zip", dne({ members }), async (path) => {
    const { problems } = await assertRejects(
      () => openDirectory(path),
      DirectoryError,
    );
    assertEquals(problems.map((it: string) => it.split(" ")[0]), names);
  });
});

/** Sparse zip files whose sizes pass the check of ratios. */
const LARGE: readonly [
  name: string,
  members: readonly Member[],
  inner: string,
  problem: string,
][] = [
  [
    "that would grow to more than 4 GB",
    [0, 1].map((i) => ({
      name: `Fixo/${i}`,
      content: latin1("x"),
      fields: { packed: 60e6, size: 2.5e9 },
    })),
    "",
    NOT_READABLE + "it would grow to 5000000000 bytes, more than 4294967296",
  ],
  [
    "with a compressed zip file that does not fit into memory",
    [{
      name: "a.zip",
      content: latin1("x"),
      fields: { packed: 60e6, size: 600e6 },
    }],
    "/a.zip",
    "it is compressed, and its 600000000 bytes do not fit into memory " +
    "(536870912); extract it",
  ],
];

for (const [name, members, inner, problem] of LARGE) {
  Deno.test(`openDirectory refuses a zip file ${name}`, async () => {
    using folder = new TemporaryFolder();
    const path = join(folder.path, "x.zip");
    const before = 64e6;
    const file = openSync(path, "w");
    const content = zip(members, { before, zip64: true });
    writeSync(file, content, 0, content.length, before);
    closeSync(file);
    const error = await assertRejects(
      () => openDirectory(path),
      DirectoryError,
    );
    assertEquals(
      error.message,
      `Cannot import the DNE from "${path}${inner}": ${problem}`,
    );
  });
}

Deno.test("openDirectory refuses a mangled zip file or reads it right", async () => {
  const whole = {
    deflated: dne(),
    stored: dne({ stored: true }),
    outer: outer(),
  };
  const change = fc.record({
    of: fc.constantFrom<keyof typeof whole>("deflated", "stored", "outer"),
    // Most damage is in the headers at the end.
    bytes: fc.array(
      fc.record({
        fromEnd: fc.oneof(fc.nat(10_000), fc.nat(3000), fc.nat(30)),
        value: fc.nat(255),
      }),
      { maxLength: 3 },
    ),
    cut: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(3000)),
    before: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(40)),
  });
  using folder = new TemporaryFolder();
  const path = join(folder.path, "x.zip");
  await fc.assert(
    fc.asyncProperty(change, async (change) => {
      const mangled = whole[change.of].slice(
        change.before,
        whole[change.of].length - change.cut,
      );
      for (const { fromEnd, value } of change.bytes) {
        if (fromEnd < mangled.length) {
          mangled[mangled.length - 1 - fromEnd] = value;
        }
      }
      writeFileSync(path, mangled);
      try {
        assertEquals(await readAll(await openDirectory(path)), CONTENTS);
      } catch (error) {
        assert(error instanceof DirectoryError, String(error));
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("seed imports the same from a zip file as from a folder", async () => {
  await using expected = await OpenedStore.inMemory({});
  await using opened = await OpenedStore.inMemory();
  const steps: SeedProgress[] = [];
  await withFile("eDNE_Basico.zip", outer(), async (directory) => {
    const report = await seed({
      store: opened.store,
      directory,
      logger: new CapturingLogger(),
      onProgress: (step) => steps.push(step),
    });
    assertEquals(report.dneVersion, "25041");
  });
  assertEquals(
    (await contentOf(opened.store)).records,
    (await contentOf(expected.store)).records,
  );
  const sizes = [...CONTENTS.values()].map(({ length }) => length);
  const total = sizes.reduce((sum, size) => sum + size);
  assertEquals(steps.at(-1)?.bytes, total);
  assertEquals(new Set(steps.map((it) => it.totalBytes)), new Set([total]));
});

Deno.test("seed leaves the old data if a zip file changes while it is read", async () => {
  await using opened = await OpenedStore.inMemory({});
  const before = await contentOf(opened.store);
  await withFile("x.zip", dne(), async (path) => {
    const error = await assertRejects(
      () =>
        seed({
          store: opened.store,
          directory: path,
          logger: new CapturingLogger(),
          onFile: ({ file }) => {
            if (file === SP) writeFileSync(path, new Uint8Array(100_000));
          },
        }),
      DirectoryError,
    );
    assertEquals(
      error.message,
      `Cannot import the DNE from "${path}/Delimitado": ` +
        "LOG_LOGRADOURO_TO.TXT cannot be read: " +
        "invalid local file header signature: 0x0",
    );
  });
  assertEquals(await contentOf(opened.store), before);
});

Deno.test("seed stores dneVersion instead of the version of the zip file", async () => {
  await using opened = await OpenedStore.inMemory();
  await withFile("eDNE_Basico_25042.zip", dne(), async (directory) => {
    const logger = new CapturingLogger();
    const { store } = opened;
    await seed({ store, directory, logger, dneVersion: "26012" });
    assertEquals((await store.release())?.dneVersion, "26012");
    await seed({ store, directory, logger, dneVersion: "" });
    assertEquals((await store.release())?.dneVersion, "25041");
  });
});
