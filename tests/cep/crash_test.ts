/** Imports by whole processes that are killed, refused or out of space. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Readable } from "node:stream";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { Address } from "../../cep/address.ts";
import { REQUIRED_FILES } from "../../cep/dne/layout.ts";
import { openStore, type Release } from "../../cep/store/mod.ts";
import { generate } from "../../scripts/generate_dne.ts";
import {
  cepCommand,
  type Child,
  type Ended,
  endOf,
  type Environment,
  kill,
  start,
} from "../program.ts";
import {
  CODES,
  encode,
  seedFiles,
  TempDirectory,
  writeDirectory,
} from "./_fixtures.ts";

const NAMES = REQUIRED_FILES.map(({ name }) => name);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SAMPLE = join(ROOT, "samples", "dne");
const ROWS = 60_000;
const WINDOWS = process.platform === "win32";

/**
 * More log lines than a pipe holds: on Deno an import of a file with so many bad
 * lines stands still in the middle of it until its output is read on. Node
 * would go on, and has to be halted.
 */
const STALLING_LINES = Array(10_000).fill("not a row");
const ALLOW_ALL = { SEED_MAX_REJECTED_PERCENT: "100" };

/** The required files of a large directory by name, generated once. */
let generated: Map<string, Uint8Array<ArrayBuffer>[]> | undefined;

function generatedFiles(): Map<string, Uint8Array<ArrayBuffer>[]> {
  if (generated !== undefined) return generated;
  generated = new Map(NAMES.map((name) => [name, []]));
  for (const { name, chunk } of generate({ rows: ROWS, seed: 1 })) {
    generated.get(name)?.push(chunk);
  }
  return generated;
}

/** A database with the small directory in it, and a large one to import. */
class Scene implements AsyncDisposable {
  readonly #directory = new TempDirectory();
  readonly #seedings: Seeding[] = [];
  readonly database: string = join(this.#directory.path, "data");
  readonly raw: string = join(this.#directory.path, "dne");

  static async make(): Promise<Scene> {
    const scene = new Scene();
    const store = await openStore({ path: scene.database });
    try {
      await seedFiles(store);
    } finally {
      await store.close();
    }
    return scene;
  }

  /** Writes the large directory; an import stalls in the file named. */
  writeLarge(stallsIn?: string): void {
    mkdirSync(this.raw, { recursive: true });
    for (const [name, chunks] of generatedFiles()) {
      const path = join(this.raw, name);
      writeFileSync(path, "");
      for (const chunk of chunks) writeFileSync(path, chunk, { flag: "a" });
      if (name !== stallsIn) continue;
      writeFileSync(path, encode(STALLING_LINES), { flag: "a" });
    }
  }

  /** What the database answers now. */
  async content(): Promise<Content> {
    const store = await openStore({ path: this.database });
    try {
      return {
        release: await store.release(),
        addresses: await Promise.all(CODES.map((cep) => store.find(cep))),
        totals: await Promise.all(
          [..."0123456789"].map(async (digit) =>
            (await store.list(digit, 1)).total
          ),
        ),
      };
    } finally {
      await store.close();
    }
  }

  query(sql: string): unknown[] {
    const database = new DatabaseSync(join(this.database, "cep.db"));
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  }

  /** Starts an import. */
  spawn(env: Environment = {}): Seeding {
    return this.#start([], env);
  }

  /** Starts an import whose files cannot become larger. */
  spawnLimited(blocks: number): Seeding {
    // A write beyond the limit fails then, as on a full disk, where it would
    // otherwise end the process.
    const shell = `trap "" XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
    return this.#start(["sh", "-c", shell], {});
  }

  #start(prefix: string[], env: Environment): Seeding {
    const seeding = new Seeding(prefix, {
      DB_PATH: this.database,
      DB_RAW_PATH: this.raw,
      ...env,
    });
    this.#seedings.push(seeding);
    return seeding;
  }

  /** Checks that an import of the large directory succeeds. */
  async seedLarge(): Promise<void> {
    this.writeLarge();
    const { code, log } = await this.spawn().finish();
    assertEquals(code, 0, JSON.stringify(log.at(-1)));
    assertEquals(log.at(-1)?.message, "Imported directory");
    const { release, totals } = await this.content();
    assertEquals(release?.totalCeps, log.at(-1)?.ceps);
    assertEquals(sum(totals), release?.totalCeps);
    assert(sum(totals) > ROWS);
    assertEquals(
      this.query("SELECT name FROM sqlite_master WHERE name LIKE 'staging%'"),
      [],
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // They have all ended, unless the test has failed.
    for (const seeding of this.#seedings) await seeding.kill();
    this.#directory[Symbol.dispose]();
  }
}

interface Content {
  release: Release | undefined;
  addresses: (Address | undefined)[];
  totals: number[];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

type LogLine = Record<string, unknown>;

/** An import in a process of its own, and its log. */
class Seeding {
  readonly #child: Child;
  readonly #ended: Promise<Ended>;
  readonly #log: AsyncGenerator<LogLine>;

  constructor(prefix: string[], env: Environment) {
    const [program, ...args] = [...prefix, ...cepCommand()];
    this.#child = start([program!, ...args], { MODE: "seed", ...env });
    this.#child.stdin.end();
    this.#child.stderr.pipe(process.stderr, { end: false });
    this.#ended = endOf(this.#child);
    this.#log = readLog(this.#child.stdout);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Reads the log up to a message about a file. */
  async logged(message: string, file: string): Promise<void> {
    const seen: unknown[] = [];
    while (true) {
      const { value, done } = await this.#log.next();
      if (done) {
        throw new Error(`Never logged: ${message} ${file}, but ${seen}`);
      }
      seen.push(`${value.message} ${value.file ?? value.error}`);
      if (value.message === message && value.file === file) return;
    }
  }

  /** Has the process do nothing more; Windows does not know that. */
  halt(): void {
    if (!WINDOWS) kill(this.#child, "SIGSTOP");
  }

  /** Ends a halt. */
  goOn(): void {
    if (!WINDOWS) kill(this.#child, "SIGCONT");
  }

  /** Reads the log to its end. */
  async finish(): Promise<{ code: number | null; log: LogLine[] }> {
    const log = await Array.fromAsync(this.#log);
    const { code } = await this.#ended;
    return { code, log };
  }

  /** Ends the process at once, and tells whether it had not ended before. */
  async kill(): Promise<boolean> {
    kill(this.#child, "SIGKILL");
    await this.#log.return(undefined);
    this.#child.stdout.destroy();
    return (await this.#ended).signal === "SIGKILL";
  }
}

async function* readLog(stdout: Readable): AsyncGenerator<LogLine> {
  let rest = "";
  for await (const text of stdout.setEncoding("utf8")) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

Deno.test("MODE=seed ends with 0 and logs a summary of each file", async () => {
  await using scene = await Scene.make();
  const { code, log } = await scene.spawn({ DB_RAW_PATH: SAMPLE }).finish();
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
  assertEquals((await scene.content()).release?.totalCeps, last?.ceps);
});

for (const file of ["LOG_BAIRRO.TXT", "LOG_LOGRADOURO_SP.TXT", "LOG_CPC.TXT"]) {
  Deno.test(`MODE=seed killed while it reads ${file} leaves the old data, and the next is fine`, async () => {
    await using scene = await Scene.make();
    const before = await scene.content();
    scene.writeLarge(file);
    const seeding = scene.spawn(ALLOW_ALL);
    await seeding.logged("Rejected line", file);
    assert(await seeding.kill());
    assertEquals(await scene.content(), before);
    await scene.seedLarge();
  });
}

Deno.test("MODE=seed killed about the swap leaves the old data or has the new, and the next is fine", async () => {
  await using scene = await Scene.make();
  const before = await scene.content();
  scene.writeLarge();
  const seeding = scene.spawn();
  await seeding.logged("Imported file", "LOG_CPC.TXT");
  await seeding.kill();
  const after = await scene.content();
  if (after.release?.id === before.release?.id) {
    assertEquals(after, before);
  } else {
    assert(sum(after.totals) > ROWS);
    assertEquals(sum(after.totals), after.release?.totalCeps);
  }
  await scene.seedLarge();
});

Deno.test("MODE=seed refuses while another process imports, and names it", async () => {
  await using scene = await Scene.make();
  const before = await scene.content();
  scene.writeLarge("LOG_LOGRADOURO_SP.TXT");
  const first = scene.spawn(ALLOW_ALL);
  await first.logged("Rejected line", "LOG_LOGRADOURO_SP.TXT");
  first.halt();

  const second = await scene.spawn({ DB_RAW_PATH: SAMPLE }).finish();
  assertEquals(second.code, 1);
  assertEquals(second.log.length, 1);
  assertStringIncludes(
    String(second.log[0]?.error),
    `another import is running (process ${first.pid} on `,
  );
  assertEquals(await scene.content(), before);

  first.goOn();
  const { code, log } = await first.finish();
  assertEquals(code, 0);
  const { release } = await scene.content();
  assertEquals(release?.totalCeps, log.at(-1)?.ceps);
});

// In blocks of 512 or 1024 bytes, as the shell has it.
const LIMITS: readonly [name: string, blocks: number][] = [
  ["from the start", 256],
  ["in the middle", 4096],
];

for (const [name, blocks] of LIMITS) {
  Deno.test({
    name:
      `MODE=seed out of disk space ${name} ends with 1, leaves the old data, and the next is fine`,
    ignore: WINDOWS,
    async fn() {
      await using scene = await Scene.make();
      const before = await scene.content();
      scene.writeLarge();
      const { code, log } = await scene.spawnLimited(blocks).finish();
      assertEquals(code, 1);
      assertEquals(log.at(-1)?.level, "ERROR");
      assertStringIncludes(
        String(log.at(-1)?.error),
        "Cannot write the database: ",
      );
      assertEquals(await scene.content(), before);
      await scene.seedLarge();
      // Without the limit the file becomes larger than it.
      const { size } = statSync(join(scene.database, "cep.db"));
      assert(size > blocks * 1024);
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
  const { code, log } = await scene.spawn().finish();
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
  const { code, log } = await scene.spawn().finish();
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
  const { code, log } = await scene.spawn(env).finish();
  assertEquals(code, 1);
  assertEquals(log.length, 1);
  assertStringIncludes(
    String(log[0]?.error),
    `Cannot open database "${file}": `,
  );
});
