/** Several queries of one release. */
import { assertEquals, assertRejects } from "@std/assert";
import {
  DatabaseError,
  type ReleaseReader,
  type Store,
} from "../../../cep/store/store.ts";
import { OpenedStore } from "../_stores.ts";
import { testStore } from "./_every_store.ts";
import { entry, fill } from "./_release.ts";

/** Fills a store with a street of one name at two CEPs. */
async function publish(store: Store, name: string): Promise<void> {
  await fill(store, [
    entry("70002900", { street: name }),
    entry("01310100", { street: name }),
  ]);
}

/** Returns the name of the street at a CEP. */
async function streetAt(
  release: ReleaseReader,
  cep: string,
): Promise<string | undefined> {
  return (await release.find(cep))?.logradouro;
}

testStore(
  "Store.read returns undefined before the first import",
  async (store) => {
    assertEquals(await store.read(({ facts }) => facts), undefined);
  },
);

testStore("Store.read throws the error of its action", async (store) => {
  await publish(store, "da Independência");
  const error = new TypeError("not of the database");
  const actions = [
    () => Promise.reject(error),
    () => {
      throw error;
    },
  ];
  for (const action of actions) {
    const thrown = await assertRejects(async () => await store.read(action));
    assertEquals(thrown, error);
  }
});

testStore(
  "Store.read reads from one release while another one replaces it",
  async (store) => {
    await publish(store, "da Independência");
    let isReplaced = false;
    const [first, second] = (await store.read(async (release) => {
      const first = await streetAt(release, "01310100");
      if (!isReplaced) await publish(store, "7 (Sul)");
      isReplaced = true;
      return [first, await streetAt(release, "70002900")];
    }))!;
    assertEquals(first, second);
    assertEquals(
      await store.read((release) => streetAt(release, "70002900")),
      "Rua 7 (Sul)",
    );
  },
);

testStore(
  "Store.read repeats an action that the end of its release has failed",
  async (store) => {
    await publish(store, "da Independência");
    let times = 0;
    const page = await store.read(async (release) => {
      if (times++ === 0) await publish(store, "7 (Sul)");
      return await release.search({ text: "rua 7 (sul)", limit: 1 });
    });
    assertEquals(page?.data.map(({ cep }) => cep), ["01310100"]);
    assertEquals(times, 2);
  },
);

testStore(
  "Store.read gives up an action that fails with each of three releases",
  async (store) => {
    await publish(store, "da Independência");
    let times = 0;
    await assertRejects(
      async () =>
        await store.read(async () => {
          times++;
          await publish(store, `${times} de Maio`);
          throw new TypeError(`failed ${times} times`);
        }),
      TypeError,
      "failed 3 times",
    );
  },
);

testStore(
  "Store.read wraps a failure of the database, and no other",
  async (store) => {
    await publish(store, "da Independência");
    const search = { text: "rua", limit: 1, after: ["?"] };
    await assertRejects(
      async () => await store.read((release) => release.search(search)),
      RangeError,
    );
    await store.close();
    await assertRejects(
      async () => await store.read((release) => release.find("01310100")),
      DatabaseError,
      "it is closed",
    );
  },
);

for (const isSynchronous of [true, false]) {
  const kind = isSynchronous ? "in memory" : "on a server, without a snapshot";
  Deno.test(`Store.read is ${isSynchronous ? "" : "not "}synchronous ${kind}`, async () => {
    await using opened = isSynchronous
      ? await OpenedStore.open({ path: ":memory:" })
      : await OpenedStore.onServer({ snapshot: false });
    const { store } = opened;
    await publish(store, "da Independência");
    const found = store.read((release) => release.findJson("70002900"));
    assertEquals(found instanceof Promise, !isSynchronous);
    assertEquals((await found)?.fromMemory, isSynchronous);
  });
}
