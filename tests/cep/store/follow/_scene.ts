/** Folder of releases, and an instance that takes them. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FolderSource } from "../../../../cep/store/follow/folder_source.ts";
import { HttpSource } from "../../../../cep/store/follow/http_source.ts";
import type { ReleaseManifest } from "../../../../cep/store/follow/manifest.ts";
import {
  type AddressOptions,
  AddressOrigin,
} from "../../../../cep/store/follow/address_origin.ts";
import {
  Follower,
  type FollowerOptions,
} from "../../../../cep/store/follow/follower.ts";
import { writeReleaseFolder } from "../../../../cep/store/follow/release_folder.ts";
import { parseManifestAddress } from "../../../../cep/store/follow/release_url.ts";
import { ReleaseDirectory } from "../../../../cep/store/release_directory.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";
import { CapturingLogger } from "../../_logger.ts";
import { ReleaseFolder } from "../../_release_folder.ts";
import { cepsOf, OpenedStore } from "../../_stores.ts";
import { entries, fill } from "../_release.ts";
import { ReleaseServer } from "./_release_server.ts";

/** Publisher of releases: a database, and the folder that it exports to. */
export class Publisher implements Disposable {
  readonly #database = new ReleaseFolder("publisher");
  readonly #folder = new TemporaryFolder("releases");
  /** Imports so far. */
  #imports = "";

  /** Folder of the releases. */
  get path(): string {
    return this.#folder.path;
  }

  /** Imports these CEPs, and exports the release. */
  async publish(...ceps: readonly string[]): Promise<ReleaseManifest> {
    this.#imports += `${ceps};`;
    await this.#database.prepare(
      this.#imports,
      (store) => fill(store, entries(...ceps)),
    );
    return await this.export();
  }

  /** Exports the release again. */
  export(): Promise<ReleaseManifest> {
    return writeReleaseFolder(this.path, this.#database.file);
  }

  /** Replaces members of the manifest. */
  lie(changes: Readonly<Record<string, unknown>>): void {
    this.writeManifest(JSON.stringify({ ...this.manifest(), ...changes }));
  }

  writeManifest(text: string): void {
    writeFileSync(join(this.path, "manifest.json"), text);
  }

  manifest(): ReleaseManifest {
    return JSON.parse(readFileSync(join(this.path, "manifest.json"), "utf8"));
  }

  /** Sorted names of the files. */
  names(): string[] {
    return readdirSync(this.path).sort();
  }

  [Symbol.dispose](): void {
    this.#database[Symbol.dispose]();
    this.#folder[Symbol.dispose]();
  }
}

type Options = Partial<FollowerOptions & AddressOptions>;

/** Publisher with a server, and an instance that follows it poll by poll. */
export class Scene implements AsyncDisposable {
  readonly publisher: Publisher;
  readonly folder = new TemporaryFolder("follower");
  readonly log = new CapturingLogger();
  readonly server: ReleaseServer;
  readonly follower: Follower;

  private constructor(
    server: ReleaseServer,
    publisher: Publisher,
    options: Options,
  ) {
    this.server = server;
    this.publisher = publisher;
    this.follower = this.follow(options);
  }

  static async open(options: Options = {}): Promise<Scene> {
    const publisher = new Publisher();
    const server = await ReleaseServer.start(publisher.path);
    return new Scene(server, publisher, options);
  }

  /** Makes an instance in the same folder. */
  follow(options: Options = {}): Follower {
    const address = parseManifestAddress(this.server.url)!;
    const source = new HttpSource(address, fetch);
    return new Follower({
      origin: new AddressOrigin({ source, ...options }),
      directory: new ReleaseDirectory(this.folder.path),
      holder: "the test",
      logger: this.log,
      pollMs: 1000,
      ...options,
    });
  }

  /** Source of the folder without the server. */
  folderSource(): FolderSource {
    return new FolderSource(parseManifestAddress(this.publisher.path)!);
  }

  /** Polls until the release of the manifest is taken. */
  async sync(): Promise<void> {
    for (let i = 0; i < 20; i++) {
      await this.follower.poll();
      const { syncedAt, error } = this.follower.freshness();
      if (syncedAt !== null && error === undefined) return;
    }
    throw new Error(`Cannot sync: ${this.follower.freshness().error}`);
  }

  /** CEPs that a store answers from the folder of the instance. */
  async ceps(): Promise<string[]> {
    await using opened = await OpenedStore.open({ path: this.folder.path });
    return await cepsOf(opened.store);
  }

  /** Sorted names of the files of the instance, without the lock. */
  names(): string[] {
    return readdirSync(this.folder.path).sort()
      .filter((name) => name !== "seed.lock");
  }

  /** Failures in the log. */
  errors(): unknown[] {
    return this.log.at("error").map(({ error }) => error);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.follower.stop();
    await this.server[Symbol.asyncDispose]();
    this.publisher[Symbol.dispose]();
    this.folder[Symbol.dispose]();
  }
}
