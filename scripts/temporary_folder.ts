/** Folders for a while. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is removed, with all in it, at the end of the block. */
export class TemporaryFolder implements AsyncDisposable {
  private constructor(
    /** Where it is. */
    readonly path: string,
  ) {}

  /**
   * Makes an empty one.
   *
   * @param name What its name begins with.
   * @param parent What it stands in.
   */
  static async make(
    name: string,
    parent: string = tmpdir(),
  ): Promise<TemporaryFolder> {
    return new TemporaryFolder(await mkdtemp(join(parent, `${name}-`)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // It may have been moved to where it stays.
    await rm(this.path, { recursive: true, force: true });
  }
}
