/** Imports to a file system that is full. */
import { assert, assertEquals } from "@std/assert";
import { rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { outputOf } from "../../../scripts/process.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { type Fault, OLD } from "./_fault.ts";

/** File system in memory, removed at the end of the block. */
export class SmallDisk implements AsyncDisposable {
  readonly #folder = new TemporaryFolder();
  /** Folder of its files. */
  readonly path: string = this.#folder.path;

  /** Mounts a file system. Resolves with `undefined` if that is not allowed. */
  static async mount(): Promise<SmallDisk | undefined> {
    const disk = new SmallDisk();
    const command = [
      "mount",
      "-t",
      "tmpfs",
      "-o",
      "size=20m",
      "tmpfs",
    ] as const;
    const { code } = await outputOf([...command, disk.path])
      .catch(() => ({ code: 1 }));
    if (code === 0) return disk;
    disk.#folder[Symbol.dispose]();
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The driver keeps files open until garbage collection.
    await outputOf(["umount", "--lazy", this.path]);
    this.#folder[Symbol.dispose]();
  }
}

/** Shares of the release that the disk has space for. */
const SHARES = [0, 0.5, 0.9];

/** Disks that are full. */
export const SMALL_DISKS: readonly Fault[] = SHARES.map((share) => ({
  step: `disk with space for ${share * 100} %`,
  fault: "full file system",
  outcomes: OLD,
  skip: process.getuid?.() === 0 && process.platform === "linux"
    ? undefined
    : "needs root on Linux",
  onSmallDisk: true,
  async apply(scene) {
    const filler = join(scene.database, "filler");
    const { bavail, bsize } = statfsSync(scene.database);
    const left = Math.floor(share * statSync(scene.file).size);
    writeFileSync(filler, new Uint8Array(Math.max(bavail * bsize - left, 0)));
    const failing = scene.start();
    const { code } = await failing.end();
    rmSync(filler);
    assertEquals(code, 1, JSON.stringify(failing.lines));
    const error = String(failing.lines.at(-1)?.["error"]);
    assert(error.startsWith("Cannot write the database: "), error);
  },
}));
