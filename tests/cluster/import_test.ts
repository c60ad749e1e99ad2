/** Imports into a primary, by processes that are killed or refused. */
import { update } from "../../cep/import/update/update.ts";
import { openStore, type Store } from "../../cep/store/mod.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { codeCommand, moduleUrl } from "../_program.ts";
import { SAMPLE, SAMPLE_DELTA } from "../_sample.ts";
import { CapturingLogger } from "../cep/_logger.ts";
import { Process, run } from "../cep/_process.ts";
import { seedSample } from "../cep/_seeding.ts";
import { contentOf, OpenedStore } from "../cep/_stores.ts";
import { within } from "../cep/_within.ts";
import { CODES, importVersion, recordsOf, writeVersion } from "./_data.ts";
import { Instance } from "./_instance.ts";
import { Link } from "./_link.ts";
import { query, Sqld, SqldKeys } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";

const test = await testsWith("sqld");

/** Opens a store for the block of an action. */
async function withStore<T>(
  url: string,
  action: (store: Store) => Promise<T>,
): Promise<T> {
  const logger = new CapturingLogger();
  const store = await openStore({ url, logger });
  try {
    return await action(store);
  } finally {
    await store.close();
  }
}

test("MODE=seed and MODE=update write the sample into the primary, and both servers answer from it", async () => {
  await using primary = await Sqld.start();
  await using replica = await Sqld.start({ primary });
  await using oracle = await OpenedStore.inMemory();
  const env = { DB_URL: primary.url };
  await using far = await Instance.start({ DB_URL: replica.url });
  await using near = await Instance.start(env);
  const steps = [
    { MODE: "seed", DB_RAW_PATH: SAMPLE },
    { MODE: "update", DB_RAW_PATH: SAMPLE_DELTA },
  ];
  for (const step of steps) {
    const { code, lines } = await run({ ...env, ...step });
    assertEquals(code, 0, JSON.stringify(lines));
    if (step.MODE === "seed") await seedSample(oracle.store);
    else {
      const logger = new CapturingLogger();
      await update({ store: oracle.store, directory: SAMPLE_DELTA, logger });
    }
    const { records, release } = await contentOf(oracle.store);
    assert(records.length > 1000);
    for (const instance of [near, far]) {
      await instance.awaitAnswer(
        "/healthcheck",
        ({ body }) => body.data?.dne_version === release?.dneVersion,
      );
      for (let i = 0; i < records.length; i += 1000) {
        const page = records.slice(i, i + 1000);
        assertEquals(
          await instance.read(page.map(({ cep }) => cep)),
          page.map((record) => JSON.stringify(record)),
        );
      }
    }
  }
});

test("an instance of a sqld replica that is cut off answers from the last data, and follows again", async () => {
  await using primary = await Sqld.start();
  await using link = await Link.open(primary.replicationPort);
  await using replica = await Sqld.start({ primary, primaryUrl: link.url });
  await withStore(primary.url, (store) => importVersion(store, "one"));
  await using far = await Instance.start({ DB_URL: replica.url });
  await far.awaitVersion("one");
  link.cut();
  await withStore(primary.url, (store) => importVersion(store, "two"));
  const one = await recordsOf("one");
  for (const cep of CODES.slice(0, 50)) {
    const { status, body } = await far.ask(`/cep/${cep}`);
    assertEquals([status, JSON.stringify(body)], [200, one.get(cep)]);
  }
  link.mend();
  await far.awaitVersion("two");
});

test("MODE=seed killed at some byte leaves the old data, and the next import removes the rest", async (t) => {
  await using primary = await Sqld.start();
  const { url } = primary;
  await withStore(url, (store) => importVersion(store, "one"));
  using raw = new TemporaryFolder();
  const files = writeVersion(raw.path, "two");
  for (const bytes of [1_000, 5_000, 8_000]) {
    await t.step(`after ${bytes} bytes of answers`, async () => {
      await using link = await Link.open(primary.port);
      link.hold(bytes);
      await using seeding = Process.main({
        MODE: "seed",
        DB_URL: link.url,
        ...files,
      });
      await within("the hold", link.held);
      seeding.kill("SIGKILL");
      assertEquals((await seeding.end()).signal, "SIGKILL");
      const left = await withStore(url, contentOf);
      const records = await recordsOf("one");
      assertEquals(
        left.records.map((it) => JSON.stringify(it)),
        [...records.values()],
      );
      await query(url, "UPDATE carteiro_release SET lease_until = 0");
      await withStore(url, (store) => importVersion(store, "one"));
      const tables = await query(
        url,
        "SELECT name FROM sqlite_master WHERE name LIKE 'localidade_%'",
      );
      assertEquals(tables.length, 2);
    });
  }
});

for (const mode of ["listen", "seed"]) {
  test(`MODE=${mode} with a wrong token exits with code 1, and shows the token nowhere`, async () => {
    const keys = new SqldKeys();
    await using primary = await Sqld.start({ keys });
    const forged = await new SqldKeys().sign("rw");
    const readOnly = mode === "seed" ? [await keys.sign("ro")] : [];
    for (const token of [forged, "x", ...readOnly]) {
      const { code, lines, stderr } = await run({
        MODE: mode,
        DB_URL: primary.url,
        DB_AUTH_TOKEN: token,
        DB_RAW_PATH: SAMPLE,
        API_PORT: "0",
      });
      assertEquals(code, 1);
      assertMatch(`${lines.at(-1)!.error}`, /^Cannot \w+ the database/);
      const shown = JSON.stringify(lines) + stderr;
      if (token === forged) {
        assertMatch(shown, /it refuses the token of DB_AUTH_TOKEN/);
      }
      if (token === "x") continue;
      for (const secret of [token, token.split(".")[2]!]) {
        assertEquals(shown.includes(secret), false);
      }
    }
  });
}

test("MODE=seed whose clock is a day ahead holds its lease by the clock of the server", async () => {
  await using primary = await Sqld.start();
  const { url } = primary;
  // It halts after it has taken the lease.
  await using seeding = Process.start(codeCommand(`
    import { openStore } from ${JSON.stringify(moduleUrl("cep/store/mod.ts"))};
    const Real = Date;
    const DAY = 86_400_000;
    globalThis.Date = class extends Real {
      constructor(...args) {
        super(...args.length > 0 ? args : [Real.now() + DAY]);
      }
      static now() {
        return Real.now() + DAY;
      }
    };
    const store = await openStore({ url: ${JSON.stringify(url)} });
    await store.stage("the import from tomorrow");
    console.log("staged");
  `));
  await seeding.logged("staged");
  const [[left] = []] = await query(
    url,
    "SELECT lease_until - unixepoch('subsec') FROM carteiro_release",
  );
  assert(Number(left) > 0 && Number(left) <= 60, `${left}`);
  await withStore(url, async (store) => {
    const refused = await store.stage("another").catch((error) => error);
    assertMatch(refused.message, /running \(the import from tomorrow\)/);
    seeding.kill("SIGKILL");
    await query(url, "UPDATE carteiro_release SET lease_until = 0");
    await importVersion(store, "two");
  });
});
