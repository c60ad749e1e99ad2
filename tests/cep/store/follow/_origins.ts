/** Origins of each kind, and instances that follow them. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AddressOrigin } from "../../../../cep/store/follow/address_origin.ts";
import { FolderSource } from "../../../../cep/store/follow/folder_source.ts";
import {
  Follower,
  type FollowerOptions,
  type Origin,
} from "../../../../cep/store/follow/follower.ts";
import { HttpSource } from "../../../../cep/store/follow/http_source.ts";
import { PrimaryOrigin } from "../../../../cep/store/follow/primary_origin.ts";
import { parseManifestAddress } from "../../../../cep/store/follow/release_url.ts";
import { ReleaseDirectory } from "../../../../cep/store/release_directory.ts";
import { CapturingLogger } from "../../_logger.ts";
import { ReleaseFolder } from "../../_release_folder.ts";
import { cepsOf, OpenedStore } from "../../_stores.ts";
import { FilePrimary } from "../_primary.ts";
import { entries, fill } from "../_release.ts";
import { ReleaseServer, respond } from "./_release_server.ts";
import { Publisher } from "./_scene.ts";

/** Origin that a test can change. */
interface TestOrigin {
  /** Makes a release with these CEPs the current one. */
  publish(...ceps: readonly string[]): Promise<unknown>;
  /** Cuts the origin off, or brings it back. */
  cut(isAway: boolean): void;
  /** Creates the origin as a process sees it. */
  open(): Origin;
}

/** Opens an origin of each kind. */
const KINDS: Readonly<
  Record<string, (stack: AsyncDisposableStack) => Promise<TestOrigin>>
> = {
  async "a primary"(stack) {
    const primary = stack.use(await FilePrimary.open());
    return {
      publish: (...ceps) => fill(primary.store, entries(...ceps)),
      cut: (isAway) => primary.away = isAway ? new Error("cut off") : undefined,
      open: () => new PrimaryOrigin(primary, new CapturingLogger()),
    };
  },
  async "an address"(stack) {
    const publisher = stack.use(new Publisher());
    const server = stack.use(await ReleaseServer.start(publisher.path));
    const address = parseManifestAddress(server.url)!;
    return {
      publish: (...ceps) => publisher.publish(...ceps),
      cut(isAway) {
        if (!isAway) server.faults.clear();
        else server.faults.set("manifest.json", respond(503));
      },
      open: () => new AddressOrigin({ source: new HttpSource(address, fetch) }),
    };
  },
  "a folder"(stack) {
    const publisher = stack.use(new Publisher());
    const path = join(publisher.path, "manifest.json");
    let manifest = "";
    return Promise.resolve({
      publish: (...ceps) => publisher.publish(...ceps),
      cut(isAway) {
        if (!isAway) return publisher.writeManifest(manifest);
        manifest = readFileSync(path, "utf8");
        rmSync(path);
      },
      open() {
        const address = parseManifestAddress(publisher.path)!;
        return new AddressOrigin({ source: new FolderSource(address) });
      },
    });
  },
};

/** Origin, and the folder of instances that follow it. */
export class FollowScene implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly origin: TestOrigin;
  readonly folder: ReleaseFolder;
  readonly log = new CapturingLogger();
  readonly follower: Follower;

  private constructor(stack: AsyncDisposableStack, origin: TestOrigin) {
    this.#stack = stack;
    this.origin = origin;
    this.folder = stack.use(new ReleaseFolder());
    this.follower = this.follow();
  }

  static async open(kind: keyof typeof KINDS): Promise<FollowScene> {
    const stack = new AsyncDisposableStack();
    return new FollowScene(stack, await KINDS[kind]!(stack));
  }

  /** Creates an instance in the folder, which polls when it is told to. */
  follow(options: Partial<FollowerOptions> = {}): Follower {
    return new Follower({
      origin: this.origin.open(),
      directory: new ReleaseDirectory(this.folder.path),
      holder: "the test",
      logger: this.log,
      pollMs: 1000,
      ...options,
    });
  }

  /** Number of releases that all instances have taken. */
  get taken(): number {
    return this.log.entries
      .filter(({ message }) => message === "Took a new release").length;
  }

  /** CEPs that a store answers from the folder. */
  async ceps(): Promise<string[]> {
    await using opened = await OpenedStore.open({ path: this.folder.path });
    return await cepsOf(opened.store);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.follower.stop();
    await this.#stack.disposeAsync();
  }
}

/** Defines a test of a follower for each kind of origin. */
export function testFollower(
  name: string,
  body: (scene: FollowScene) => Promise<void>,
): void {
  for (const kind of Object.keys(KINDS)) {
    Deno.test(`Follower of ${kind} ${name}`, async () => {
      await using scene = await FollowScene.open(kind);
      await body(scene);
    });
  }
}
