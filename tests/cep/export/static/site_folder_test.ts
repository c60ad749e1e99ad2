import { assertEquals, assertRejects } from "@std/assert";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import {
  SiteError,
  SiteFolder,
} from "../../../../cep/export/static/site_folder.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";

/** Folder whose files are given by path and text. */
class Site extends TemporaryFolder {
  constructor(files: Readonly<Record<string, string>> = {}) {
    super();
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.path, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  /** Sorted paths of the files. */
  files(): string[] {
    return readdirSync(this.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name).slice(this.path.length + 1)
          .replaceAll("\\", "/")
      ).sort();
  }
}

const PART = ".carteiro-01234567-89ab-cdef-0123-456789abcdef.part";

Deno.test("SiteFolder.open creates a folder", async () => {
  using site = new Site();
  const path = join(site.path, "a", "b");
  await SiteFolder.open(path);
  assertEquals(readdirSync(path), []);
});

Deno.test("SiteFolder writes files, and removes those that it did not write", async () => {
  using site = new Site({
    "manifest.json": '{"formato":1}',
    "cep/01310.json": "old",
    "cep/99999.json": "gone",
    "estados.json": "same",
    "estados/SP/municipios.json": "gone",
    "municipios/3550308.json": "gone",
    [PART]: "unfinished",
  });
  const folder = await SiteFolder.open(site.path);
  assertEquals(await folder.write("cep/01310.json", "new"), true);
  assertEquals(await folder.write("cep/01311.json", "ção"), true);
  assertEquals(await folder.write("estados.json", "same"), false);
  assertEquals(await folder.write("manifest.json", "{}"), true);
  // Nothing is removed before the end.
  assertEquals(site.read("cep/99999.json"), "gone");
  assertEquals(await folder.removeOthers(), 3);
  assertEquals(site.files(), [
    "cep/01310.json",
    "cep/01311.json",
    "estados.json",
    "manifest.json",
  ]);
  assertEquals(site.read("cep/01310.json"), "new");
  assertEquals(site.read("cep/01311.json"), "ção");
});

Deno.test("SiteFolder keeps the modification time of a file with the same content", async () => {
  using site = new Site({ "cep/01310.json": "same" });
  const path = join(site.path, "cep/01310.json");
  const before = statSync(path, { bigint: true });
  const folder = await SiteFolder.open(site.path);
  assertEquals(await folder.write("cep/01310.json", "same"), false);
  const { ino, mtimeNs } = statSync(path, { bigint: true });
  assertEquals([ino, mtimeNs], [before.ino, before.mtimeNs]);
});

Deno.test("SiteFolder.open accepts an export that was interrupted before the manifest", async () => {
  using site = new Site({ "cep/01310.json": "{}", [PART]: "unfin" });
  const folder = await SiteFolder.open(site.path);
  assertEquals(site.files(), ["cep/01310.json"]);
  assertEquals(await folder.write("cep/01310.json", "{}"), false);
});

const FOREIGN: Readonly<Record<string, string>> = {
  "index.html": "<html>",
  ".git/HEAD": "ref",
  "cep.db": "SQLite format 3",
  "cep/index.html": "<html>",
  "cep/1310.json": "{}",
  "cep/01310.json.bak": "{}",
  "cep/01310.json/x": "{}",
  "cep/old/01310.json": "{}",
  "municipios/355030.json": "{}",
  "estados/sp/municipios.json": "{}",
  "other/01310.json": "{}",
  "a.part": "",
};

for (const [name, text] of Object.entries(FOREIGN)) {
  Deno.test(`SiteFolder.open refuses a folder with ${name}`, async () => {
    using site = new Site({ "manifest.json": '{"formato":1}', [name]: text });
    const before = site.files();
    const error = await assertRejects(
      () => SiteFolder.open(site.path),
      SiteError,
      "choose an empty folder",
    );
    assertEquals(
      error.message.startsWith(`Cannot export to "${site.path}": it contains`),
      true,
      error.message,
    );
    assertEquals(site.files(), before);
  });
}

for (const text of ["", "{", "null", "[]", "{}", '{"formato":"1"}', '"x"']) {
  Deno.test(`SiteFolder.open refuses a folder whose manifest.json is ${JSON.stringify(text)}`, async () => {
    using site = new Site({ "manifest.json": text });
    await assertRejects(
      () => SiteFolder.open(site.path),
      SiteError,
      "its manifest.json is not of a static export",
    );
  });
}

Deno.test({
  name: "SiteFolder.open refuses a link in place of a folder",
  ignore: process.platform === "win32",
  async fn() {
    using elsewhere = new Site({ "01310.json": "{}" });
    using site = new Site();
    symlinkSync(elsewhere.path, join(site.path, "cep"));
    await assertRejects(() => SiteFolder.open(site.path), SiteError, '"cep"');
  },
});

Deno.test("SiteFolder.open refuses a file", async () => {
  using site = new Site({ file: "" });
  const path = join(site.path, "file");
  const { message } = await assertRejects(
    () => SiteFolder.open(path),
    SiteError,
  );
  assertEquals(message.startsWith(`Cannot export to "${path}": `), true);
});

Deno.test("SiteFolder.write names the file that it cannot write, and leaves no part", async () => {
  using site = new Site();
  const folder = await SiteFolder.open(site.path);
  mkdirSync(join(site.path, "estados.json"));
  const { message } = await assertRejects(
    () => folder.write("estados.json", "{}"),
    SiteError,
  );
  const path = join(site.path, "estados.json");
  assertEquals(message.startsWith(`Cannot write "${path}": `), true, message);
  assertEquals(site.files(), []);
});
