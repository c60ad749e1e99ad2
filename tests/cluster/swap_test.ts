/** New releases while several instances answer. */
import { assert } from "@std/assert";
import { openStore } from "../../cep/store/mod.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import {
  CODES,
  importVersion,
  recordsOf,
  updateTo,
  type Version,
} from "./_data.ts";
import { Instance } from "./_instance.ts";
import { Sqld } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";

const test = await testsWith("sqld");

/** CEPs that one request asks for. */
const ASKED = 50;

/** Asks an instance for records, and checks each answer, until it is ended. */
class Reader {
  /** Answers that had only records of the old data, or of the new data. */
  readonly counts = { old: 0, new: 0 };
  #isEnded = false;
  readonly #running: Promise<void>;

  constructor(
    readonly instance: Instance,
    readonly from: Version,
    readonly to: Version,
  ) {
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    const old = await recordsOf(this.from);
    const next = await recordsOf(this.to);
    let isNew = false;
    for (let i = 0; !this.#isEnded; i++) {
      const start = (i * 7) % (CODES.length - ASKED);
      const codes = CODES.slice(start, start + ASKED);
      const answers = await this.instance.read(codes);
      answers.forEach((answer, i) => {
        const cep = codes[i]!;
        const [was, is] = [old.get(cep), next.get(cep)];
        if (was === is) return assert(answer === is, answer);
        assert(answer === was || answer === is, answer);
        // An instance never goes back to the old data.
        assert(!isNew || answer === is, `old after new: ${answer}`);
        isNew ||= answer === is;
      });
      this.counts[isNew ? "new" : "old"]++;
    }
  }

  /** Ends the requests, and throws if an answer was wrong. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#running;
  }
}

for (const snapshot of ["true", "false"]) {
  const where = snapshot === "true" ? "from memory" : "by queries";
  test(`three instances answer ${where} from the old or the new data while an import and an update are published`, async () => {
    await using primary = await Sqld.start();
    await using follower = await Sqld.start({ primary });
    using folder = new TemporaryFolder();
    const store = await openStore({ url: primary.url });
    await importVersion(store, "one");
    const env = { API_SNAPSHOT: snapshot };
    await using remote = await Instance.start({ ...env, DB_URL: primary.url });
    await using far = await Instance.start({ ...env, DB_URL: follower.url });
    await using near = await Instance.start({
      ...env,
      DB_URL: primary.url,
      DB_PATH: folder.path,
      DB_SYNC_SECONDS: "1",
    });
    const instances = [remote, far, near];
    for (const it of instances) await it.awaitVersion("one");
    const steps = [
      ["one", "two", updateTo],
      ["two", "three", importVersion],
    ] as const;
    for (const [from, to, change] of steps) {
      const readers = instances.map((it) => new Reader(it, from, to));
      await change(store, to);
      for (const it of instances) await it.awaitVersion(to);
      for (const reader of readers) {
        await reader.end();
        assert(reader.counts.old > 0 && reader.counts.new > 0);
      }
    }
    await store.close();
  });
}
