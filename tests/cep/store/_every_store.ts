/** Tests of every kind of store. */
import type { OpenStoreOptions, Store } from "../../../cep/store/mod.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { OpenedStore } from "../_stores.ts";

/** Options of each kind of store. */
const KINDS: readonly (readonly [
  name: string,
  options: Partial<OpenStoreOptions>,
])[] = [
  ["in a folder", {}],
  ["in a folder, without a snapshot", { snapshot: false }],
  ["in memory", { path: ":memory:" }],
  ["in memory, without a snapshot", { path: ":memory:", snapshot: false }],
  ["on a server", { url: "fake" }],
  ["on a server, without a snapshot", { url: "fake", snapshot: false }],
];

/** Defines a test for each kind of store. */
export function testStore(
  name: string,
  body: (store: Store, options: OpenStoreOptions) => Promise<void>,
): void {
  for (const [kind, options] of KINDS) {
    Deno.test(`${name} (${kind})`, async () => {
      using folder = new TemporaryFolder();
      const { url, ...others } = options;
      await using opened = url === undefined
        ? await OpenedStore.open({ path: folder.path, ...options })
        : await OpenedStore.onServer(others);
      await body(opened.store, options);
    });
  }
}
