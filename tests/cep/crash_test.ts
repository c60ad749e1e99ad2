/** Imports by whole processes that are killed, refused or out of space. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { REQUIRED_FILES } from "../../cep/dne/layout.ts";
import { seed } from "../../cep/dne/seed.ts";
import { type Address, openStore, type Store } from "../../cep/store/mod.ts";
import { generate } from "../../scripts/generate_dne.ts";
import {
  cepCommand,
  type Child,
  type Command,
  type Ended,
  endOf,
  type Environment,
  kill,
  start,
} from "../program.ts";
import {
  CapturingLogger,
  contentOf,
  seedFiles,
  TempDirectory,
  writeDirectory,
} from "./_fixtures.ts";
import {
  HALTED,
  haltingCommand,
  type HaltingImport,
  HOLDER,
  STEPS,
} from "./_halting_import.ts";

const NAMES = REQUIRED_FILES.map(({ name }) => name);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SAMPLE = join(ROOT, "samples", "dne");
const WINDOWS = process.platform === "win32";

/** What a database answers, by every record's text too. */
async function checkedContentOf(store: Store) {
  const content = await contentOf(store);
  assertEquals(content.records.length, content.release?.totalCeps);
  for (const record of content.records) {
    const body = await store.findJson(record.cep);
    assertEquals(body?.json, JSON.stringify(record));
  }
  return content;
}

let sample: Promise<readonly Address[]> | undefined;

/** The records of the sample. */
function recordsOfSample(): Promise<readonly Address[]> {
  return sample ??= (async () => {
    const store = await openStore({ path: ":memory:" });
    try {
      await seedSample(store);
      return (await checkedContentOf(store)).records;
    } finally {
      await store.close();
    }
  })();
}

async function seedSample(store: Store): Promise<void> {
  await seed({ store, directory: SAMPLE, logger: new CapturingLogger() });
}

/** A database with the small directory in it. */
class Scene implements AsyncDisposable {
  readonly #directory = new TempDirectory();
  readonly #imports: Import[] = [];
  readonly database: string = join(this.#directory.path, "data");
  readonly raw: string = join(this.#directory.path, "dne");

  static async make(): Promise<Scene> {
    const scene = new Scene();
    await scene.#withStore(seedFiles);
    return scene;
  }

  async #withStore<T>(action: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore({ path: this.database });
    try {
      return await action(store);
    } finally {
      await store.close();
    }
  }

  /** What the database answers now. */
  content(): ReturnType<typeof contentOf> {
    return this.#withStore(checkedContentOf);
  }

  /** What an operator sees in the directory. */
  names(): string[] {
    return readdirSync(this.database).sort();
  }

  /** Starts `MODE=seed`. */
  seed(env: Environment = {}, prefix: readonly string[] = []): Import {
    const [program, ...args] = [...prefix, ...cepCommand()];
    return this.#start([program!, ...args], {
      MODE: "seed",
      DB_PATH: this.database,
      DB_RAW_PATH: this.raw,
      ...env,
    });
  }

  /** Starts an import of the sample, and waits until it has halted. */
  async halt(options: Pick<HaltingImport, "step" | "likeWindows">) {
    const { database } = this;
    const halting = this.#start(
      haltingCommand({ database, raw: SAMPLE, ...options }),
      {},
    );
    await halting.prints(HALTED);
    return halting;
  }

  #start(command: Command, env: Environment): Import {
    const started = new Import(command, env);
    this.#imports.push(started);
    return started;
  }

  /** Checks that the next import succeeds without help and clears up. */
  async importNext(): Promise<void> {
    await this.#withStore(async (store) => {
      await seedSample(store);
      const { records } = await checkedContentOf(store);
      assertEquals(records, await recordsOfSample());
    });
    const [file, lock, ...more] = this.names();
    assertMatch(file!, /^cep(-\d+)?\.db$/);
    assertEquals([lock, more], ["seed.lock", []]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // They have all ended, unless the test has failed.
    for (const it of this.#imports) await it.kill();
    this.#directory[Symbol.dispose]();
  }
}

type LogLine = Record<string, unknown>;

/** An import in a process of its own, and what it prints. */
class Import {
  readonly #child: Child;
  readonly #ended: Promise<Ended>;
  readonly #lines: AsyncGenerator<string>;

  constructor(command: Command, env: Environment) {
    this.#child = start(command, env);
    this.#child.stderr.pipe(process.stderr, { end: false });
    this.#ended = endOf(this.#child);
    this.#lines = readLines(this.#child.stdout);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Reads lines up to one that holds a text. */
  async prints(text: string): Promise<void> {
    const seen: string[] = [];
    while (true) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`Never printed "${text}", but ${seen}`);
      if (value.includes(text)) return;
      seen.push(value);
    }
  }

  /** Ends a halt. */
  goOn(): void {
    this.#child.stdin.end("\n");
  }

  /** Reads the log to its end. */
  async finish(): Promise<{ code: number | null; log: LogLine[] }> {
    this.#child.stdin.end();
    const lines = await Array.fromAsync(this.#lines);
    const { code } = await this.#ended;
    return { code, log: lines.map((line) => JSON.parse(line)) };
  }

  /** Ends the process at once, and tells whether it had not ended before. */
  async kill(): Promise<boolean> {
    kill(this.#child, "SIGKILL");
    await this.#lines.return(undefined);
    this.#child.stdout.destroy();
    this.#child.stdin.destroy();
    return (await this.#ended).signal === "SIGKILL";
  }
}

async function* readLines(stdout: Readable): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stdout.setEncoding("utf8")) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

Deno.test("MODE=seed ends with 0 and logs a summary of each file", async () => {
  await using scene = await Scene.make();
  const { code, log } = await scene.seed({ DB_RAW_PATH: SAMPLE }).finish();
  assertEquals(code, 0);
  const summaries = log.slice(0, -1);
  assertEquals(summaries.map(({ file }) => file), NAMES);
  for (
    const { message, level, lines, stored, duplicates, rejected } of summaries
  ) {
    assertEquals([message, level], ["Imported file", "INFO"]);
    assertEquals(stored, lines);
    assertEquals([duplicates, rejected], [0, 0]);
  }
  const last = log.at(-1);
  assertEquals(last?.message, "Imported directory");
  const { release, records } = await scene.content();
  assertEquals(release?.totalCeps, last?.ceps);
  assertEquals(records, await recordsOfSample());
});

for (const step of STEPS) {
  for (const likeWindows of [false, true]) {
    // Before the rename both systems do the same.
    if (likeWindows && !step.endsWith("the rename")) continue;
    const where = step + (likeWindows ? " as Windows does it" : "");
    const isPublished = step === "after the rename";
    const answers = isPublished ? "has the new data" : "leaves the old data";
    Deno.test(`an import killed ${where} ${answers}, and the next is fine`, async () => {
      await using scene = await Scene.make();
      const before = await scene.content();
      const halted = await scene.halt({ step, likeWindows });
      assert(await halted.kill());
      const after = await scene.content();
      if (isPublished) assertEquals(after.records, await recordsOfSample());
      else assertEquals(after, before);
      const left = scene.names().filter((name) => name.endsWith(".building"));
      // Windows needs a copy, as it does not rename what is open.
      assert(left.length <= (likeWindows ? 2 : 1), left.join());
      await scene.importNext();
    });
  }
}

Deno.test("MODE=seed killed about the end leaves the old data or has the new, and the next is fine", async () => {
  await using scene = await Scene.make();
  const before = await scene.content();
  const seeding = scene.seed({ DB_RAW_PATH: SAMPLE });
  await seeding.prints("LOG_CPC.TXT");
  await seeding.kill();
  const after = await scene.content();
  if (after.release?.id === before.release?.id) assertEquals(after, before);
  else assertEquals(after.records, await recordsOfSample());
  await scene.importNext();
});

Deno.test("MODE=seed refuses while another process imports, and names it", async () => {
  await using scene = await Scene.make();
  const before = await scene.content();
  const first = await scene.halt({ step: "after a thousand entries" });
  const { code, log } = await scene.seed({ DB_RAW_PATH: SAMPLE }).finish();
  assertEquals(code, 1);
  assertEquals(
    log.map(({ error }) => error),
    [`Cannot import: another import is running (${HOLDER})`],
  );
  assertEquals(await scene.content(), before);
  first.goOn();
  assertEquals((await first.finish()).code, 0);
  assertEquals((await scene.content()).records, await recordsOfSample());
});

Deno.test("MODE=seed gives a second import its process, host and time", async () => {
  await using scene = await Scene.make();
  const seeding = scene.seed({ DB_RAW_PATH: SAMPLE });
  assertEquals((await seeding.finish()).code, 0);
  const lock = new DatabaseSync(join(scene.database, "seed.lock"));
  const name = lock.prepare("SELECT name FROM holder").get()?.name;
  lock.close();
  assertMatch(
    String(name),
    new RegExp(`^process ${seeding.pid} on .+, since \\d{4}-.+Z$`),
  );
});

/** A directory whose import writes all the time, not at its end alone. */
const LARGE_ROWS = 100_000;

let large: Promise<{ files: Map<string, Uint8Array[]>; size: number }>;

/** The large directory, and the size of the database it makes. */
function makeLarge(): typeof large {
  large ??= (async () => {
    const files = new Map<string, Uint8Array[]>(
      NAMES.map((name) => [name, []]),
    );
    for (const { name, chunk } of generate({ rows: LARGE_ROWS, seed: 1 })) {
      files.get(name)?.push(chunk);
    }
    await using scene = await Scene.make();
    writeFiles(scene.raw, files);
    const { code } = await scene.seed().finish();
    assertEquals(code, 0);
    return { files, size: statSync(join(scene.database, "cep.db")).size };
  })();
  return large;
}

function writeFiles(path: string, files: Map<string, Uint8Array[]>): void {
  mkdirSync(path, { recursive: true });
  for (const [name, chunks] of files) {
    writeFileSync(join(path, name), "");
    for (const chunk of chunks) {
      writeFileSync(join(path, name), chunk, { flag: "a" });
    }
  }
}

/** Shares of the database that fit on the disk. */
const FITTING = [0, 0.01, 0.3, 0.6, 0.9, 0.999];

for (const share of FITTING) {
  Deno.test({
    name: `MODE=seed on a disk that ${share * 100} % of the database fit on ` +
      "ends with 1, leaves the old data, and the next is fine",
    ignore: WINDOWS,
    async fn() {
      const { files, size } = await makeLarge();
      await using scene = await Scene.make();
      const before = await scene.content();
      writeFiles(scene.raw, files);
      // Files cannot become larger than so many blocks of 512 bytes. A write
      // beyond that fails, as on a full disk, where it would otherwise end the
      // process.
      const blocks = Math.floor(share * size / 512);
      const shell = `trap "" XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
      const seeding = scene.seed({}, ["sh", "-c", shell]);
      const { code, log } = await seeding.finish();
      assertEquals(code, 1);
      assertEquals(log.at(-1)?.level, "ERROR");
      assertStringIncludes(
        String(log.at(-1)?.error),
        "Cannot write the database: ",
      );
      assertEquals(await scene.content(), before);
      assertEquals(scene.names(), ["cep.db", "seed.lock"]);
      await scene.importNext();
    },
  });
}

Deno.test("MODE=seed ends with 1 and names all files that are missing", async () => {
  await using scene = await Scene.make();
  const before = await scene.content();
  const missing = ["LOG_BAIRRO.TXT", "LOG_LOGRADOURO_RR.TXT", "LOG_CPC.TXT"];
  writeDirectory(
    scene.raw,
    Object.fromEntries(missing.map((name) => [name, null])),
  );
  const { code, log } = await scene.seed().finish();
  assertEquals(code, 1);
  assertEquals(log.length, 1);
  assertEquals(log[0]?.level, "ERROR");
  assertEquals(
    log[0]?.error,
    `Cannot import directory "${scene.raw}": ` +
      missing.map((name) => `${name} is missing`).join("; "),
  );
  assertEquals(await scene.content(), before);
});

Deno.test("MODE=seed ends with 1 for a directory that does not exist", async () => {
  await using scene = await Scene.make();
  const before = await scene.content();
  const { code, log } = await scene.seed().finish();
  assertEquals(code, 1);
  assertEquals(
    log.map(({ error }) => error),
    [`Cannot import directory "${scene.raw}": it does not exist`],
  );
  assertEquals(await scene.content(), before);
});

Deno.test("MODE=seed ends with 1 for a database file that is none", async () => {
  using directory = new TempDirectory();
  const file = join(directory.path, "cep.db");
  writeFileSync(file, "This is not a database.\n".repeat(100));
  await using scene = await Scene.make();
  const env = { DB_PATH: directory.path, DB_RAW_PATH: SAMPLE };
  const { code, log } = await scene.seed(env).finish();
  assertEquals(code, 1);
  assertEquals(
    log.map(({ error }) => error),
    [
      `Cannot import into "${directory.path}": "${file}" is not a database of ` +
      "this program; set DB_PATH to another directory",
    ],
  );
});
