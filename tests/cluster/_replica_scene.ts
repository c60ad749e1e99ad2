import { openStore, type Store } from "../../cep/store/mod.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { Instance } from "./_instance.ts";
import { Link } from "./_link.ts";
import { Sqld } from "./_sqld.ts";

/** Files of a replica. */
export const FILES: readonly string[] = ["cep.db", "replica.sync", "seed.lock"];

/** Primary, and a link to it that replicas use. */
export class Scene implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly folder: TemporaryFolder = this.#stack.use(new TemporaryFolder());

  private constructor(readonly primary: Sqld, readonly link: Link) {
    this.#stack.use(primary);
    this.#stack.use(link);
  }

  static async open(): Promise<Scene> {
    const primary = await Sqld.start();
    return new Scene(primary, await Link.open(primary.port));
  }

  /** Starts an instance with a replica. */
  start(
    env: Record<string, string> = {},
    prefix: readonly string[] = [],
  ): Promise<Instance> {
    return Instance.start({
      DB_URL: this.link.url,
      DB_PATH: this.folder.path,
      DB_SYNC_SECONDS: "1",
      ...env,
    }, prefix);
  }

  /** Opens a store on the primary. */
  async store(): Promise<Store> {
    const store = await openStore({ url: this.primary.url });
    this.#stack.defer(() => store.close());
    return store;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
