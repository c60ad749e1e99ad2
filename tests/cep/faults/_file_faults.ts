/** Files that are torn, overwritten or removed. */
import { assert } from "@std/assert";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { type Fault, OLD } from "./_fault.ts";

type Tear = (path: string, size: number) => void;

const PAGE = 8192;

/** Ways to tear a file. */
const TEARS: readonly [name: string, tear: Tear][] = [
  ["cut to 0 bytes", (path) => truncateSync(path)],
  ["cut to 1 byte", (path) => truncateSync(path, 1)],
  ["cut within the header", (path) => truncateSync(path, 60)],
  ["cut after the header", (path) => truncateSync(path, 100)],
  ["cut after the first page", (path) => truncateSync(path, PAGE)],
  ["cut within a page", (path, size) => truncateSync(path, size / 2 + 7)],
  [
    "cut between pages",
    (path, size) => truncateSync(path, Math.floor(size / 2 / PAGE) * PAGE),
  ],
  ["cut by one page", (path, size) => truncateSync(path, size - PAGE)],
  ["cut by one byte", (path, size) => truncateSync(path, size - 1)],
  [
    "one byte more",
    (path) => writeFileSync(path, new Uint8Array(1), { flag: "a" }),
  ],
  [
    "zeros instead of its end",
    (path, size) => overwrite(path, size / 2, new Uint8Array(size / 2)),
  ],
  ["zeros", (path, size) => writeFileSync(path, new Uint8Array(size))],
];

function overwrite(path: string, start: number, bytes: Uint8Array): void {
  const content = readFileSync(path);
  content.set(bytes.subarray(0, content.length - start), Math.floor(start));
  writeFileSync(path, content);
}

/** Release files that are torn while the service is not running. */
export const TORN_RELEASES: readonly Fault[] = TEARS.map(([fault, tear]) => ({
  step: "release on disk",
  fault,
  outcomes: ["503", "degraded"],
  apply(scene) {
    // The running service keeps the whole file open.
    const copy = `${scene.file}.copy`;
    copyFileSync(scene.file, copy);
    tear(copy, statSync(copy).size);
    renameSync(copy, scene.file);
    return Promise.resolve();
  },
}));

/** Files of the lock that are torn by a crash of the machine. */
export const TORN_LOCKS: readonly Fault[] = TEARS.map(([fault, tear]) => ({
  step: "lock on disk",
  fault,
  outcomes: OLD,
  apply(scene) {
    const lock = join(scene.database, "seed.lock");
    tear(lock, statSync(lock).size);
    return Promise.resolve();
  },
}));

/** Files that an interrupted import leaves. */
export const LEFTOVERS: readonly Fault[] = [
  {
    step: "folder of the database",
    fault: "leftovers of three imports",
    outcomes: OLD,
    apply(scene) {
      for (let i = 0; i < 3; i++) {
        const name = `cep-${crypto.randomUUID()}.building`;
        writeFileSync(join(scene.database, name), new Uint8Array(i * 5000));
      }
      return Promise.resolve();
    },
  },
  {
    step: "folder of the database",
    fault: "lock removed",
    outcomes: OLD,
    apply(scene) {
      rmSync(join(scene.database, "seed.lock"));
      return Promise.resolve();
    },
  },
  {
    step: "folder of the database",
    fault: "release removed",
    outcomes: ["503"],
    apply(scene) {
      rmSync(scene.file);
      return Promise.resolve();
    },
  },
  {
    step: "folder of the database",
    fault: "folder removed",
    outcomes: ["503"],
    apply(scene) {
      rmSync(scene.database, { recursive: true });
      return Promise.resolve();
    },
  },
];

type Spoil = (folder: string, name: string) => void;

/** Ways to spoil one file of the input. */
const SPOILS: readonly [fault: string, spoil: Spoil][] = [
  ["cut in its last line", (folder, name) => {
    const path = join(folder, name);
    const text = readFileSync(path, "latin1").trimEnd();
    const start = text.lastIndexOf("\n") + 1;
    truncateSync(path, start + ((text.length - start) >> 1));
  }],
  ["overwritten by zeros", (folder, name) => {
    const path = join(folder, name);
    writeFileSync(path, new Uint8Array(statSync(path).size));
  }],
  ["another file", (folder, name) => {
    const other = readdirSync(folder).find((it) =>
      it.endsWith(".TXT") && it.slice(0, -6) !== name.slice(0, -6) &&
      statSync(join(folder, it)).size > 500
    );
    copyFileSync(join(folder, other!), join(folder, name));
  }],
  ["a folder", (folder, name) => {
    rmSync(join(folder, name));
    mkdirSync(join(folder, name));
  }],
];

/** Inputs with one file spoiled. */
export const SPOILED_INPUTS: readonly Fault[] = SPOILS.map((
  [fault, spoil],
) => ({
  step: "input, each file in turn",
  fault,
  outcomes: OLD,
  async apply(scene) {
    const names = readdirSync(scene.raw).filter((name) =>
      // A cut within the text that ends a line of LOG_VAR_* cannot be noticed.
      /^(DELTA_)?LOG_(?!VAR_).*\.TXT$/.test(name) &&
      statSync(join(scene.raw, name)).size > 500
    );
    assert(names.length > 0);
    for (const name of names) {
      using folder = new TemporaryFolder();
      const raw = join(folder.path, "raw");
      cpSync(scene.raw, raw, { recursive: true });
      for (const it of readdirSync(raw)) chmodSync(join(raw, it), 0o644);
      spoil(raw, name);
      await scene.fail({ raw });
    }
  },
}));
