/** Store on a real libSQL server. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createClient } from "@libsql/client/http";
import { update } from "../../cep/import/update/update.ts";
import { seed } from "../../cep/import/seed.ts";
import { DatabaseError, openStore, type Store } from "../../cep/store/mod.ts";
import { openRemoteStore, UnreachableError } from "../../cep/store/remote.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { SAMPLE, SAMPLE_DELTA } from "../_sample.ts";
import { CapturingLogger } from "../cep/_logger.ts";
import { contentOf } from "../cep/_stores.ts";
import { SAO_PAULO, writeSources } from "../cep/import/_both.ts";
import { CODES, importVersion } from "./_data.ts";
import { Instance } from "./_instance.ts";
import { Sqld, SqldKeys } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";

const test = await testsWith("sqld");

/** Reads everything that a store knows, without times and ids. */
async function knowledgeOf(store: Store): Promise<unknown> {
  const { records } = await contentOf(store);
  const gazetteer = (await store.gazetteer())!;
  const municipalities = ["SP", "RJ", "AC"].flatMap((uf) =>
    gazetteer.municipalities(uf)
  );
  const search = { text: "avenida", limit: 50 };
  const ceps = records.slice(0, 40).map(({ cep }) => cep);
  const { id: _id, seededAt: _time, ...facts } = (await store.release())!;
  return {
    facts,
    records,
    municipalities,
    neighbourhoods: await Promise.all(
      municipalities.map((it) => gazetteer.neighbourhoods(it)),
    ),
    list: await store.list("0131", 100),
    found: (await store.search(search))!.data,
    byDigits: (await store.search({ text: "01310", limit: 50 }))!.data,
    census: await Promise.all(["01310100", "01001000", "99999999"].map(
      async (cep) => (await store.census(cep))!.row,
    )),
    histories: await Promise.all(ceps.map(async (cep) => {
      const history = (await store.history(cep))!;
      return [history.isCurrent, history.changes.length];
    })),
  };
}

test("a store on a server knows what a store in memory knows, after an import and an update", async () => {
  await using server = await Sqld.start();
  const logger = new CapturingLogger();
  const local = await openStore({ path: ":memory:", logger });
  const remote = await openStore({ url: server.url, logger });
  const queries = await openStore({ url: server.url, snapshot: false, logger });
  const updateSample = (store: Store) =>
    update({ store, directory: SAMPLE_DELTA, force: true, logger });
  using folder = new TemporaryFolder();
  const { cnefe = [] } = writeSources(folder.path, { cnefe: SAO_PAULO });
  const importSample = (store: Store) =>
    seed({ store, directory: SAMPLE, cnefe, logger });
  for (const importInto of [importSample, updateSample]) {
    await importInto(local);
    await importInto(remote);
    const known = await knowledgeOf(local);
    assertEquals(await knowledgeOf(remote), known);
    const opened = await openStore({ url: server.url, logger });
    assertEquals(await knowledgeOf(opened), known);
    await opened.close();
  }
  const { id } = (await remote.release())!;
  for (let n = 1; (await queries.release())?.id !== id; n++) {
    await logger.logged("Opened a new release", n);
  }
  assertEquals(await knowledgeOf(queries), await knowledgeOf(local));
  for (const store of [local, remote, queries]) await store.close();
});

test("a store reads with a token that may only read, and imports with another", async () => {
  const keys = new SqldKeys();
  await using server = await Sqld.start({ keys });
  const { url } = server;
  const logger = new CapturingLogger();
  const [reading, writing] = [await keys.sign("ro"), await keys.sign("rw")];
  const writer = await openStore({ url, authToken: writing, logger });
  await importVersion(writer, "one");
  const reader = await openStore({
    url,
    authToken: reading,
    snapshot: false,
    logger,
  });
  const found = await Promise.all(
    CODES.slice(0, 99).map((cep) => reader.findJson(cep)),
  );
  assert(found.every((it) => it !== undefined));
  const error = await assertRejects(() => reader.stage("test"), DatabaseError);
  assert(!error.message.includes(reading), error.message);
  await writer.close();
  await reader.close();
});

test("MODE=listen starts while the server is away, and answers when it is back", async () => {
  await using server = await Sqld.start();
  const { url } = server;
  const store = await openStore({ url, logger: new CapturingLogger() });
  await importVersion(store, "one");
  await store.close();
  await server.stop();
  await using instance = await Instance.start({ DB_URL: url });
  const { status, headers, body } = await instance.ask(`/cep/${CODES[0]}`);
  assertEquals([status, body.code], [503, "database_not_ready"]);
  assert(Number(headers.get("retry-after")) > 0);
  assertEquals((await instance.ask("/healthcheck")).status, 503);
  assertEquals((await instance.ask("/livez")).status, 200);
  await server.restart();
  await instance.awaitVersion("one");
  assertEquals((await instance.ask("/healthcheck")).status, 200);
});

test("a store takes a client instead of a URL", async () => {
  await using server = await Sqld.start();
  const { url } = server;
  const writer = await openStore({ url, logger: new CapturingLogger() });
  await importVersion(writer, "one");
  const client = createClient({ url });
  const store = await openRemoteStore({
    client,
    poll: "read",
    pollMs: 0,
    snapshot: false,
    search: false,
    logger: new CapturingLogger(),
  });
  assert(await store.findJson(CODES[0]!));
  await importVersion(writer, "two");
  const [before, after] = [await writer.release(), await store.release()];
  assertEquals(after, before);
  await server.stop();
  await assertRejects(
    async () => await store.findJson(CODES[0]!),
    UnreachableError,
  );
  await store.close();
  await writer.close();
});
