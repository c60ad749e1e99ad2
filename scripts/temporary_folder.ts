import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Folder that is removed, with its content, at the end of the block. */
export class TemporaryFolder implements Disposable {
  /** Absolute path. */
  readonly path: string;

  /**
   * Makes an empty folder.
   *
   * @param name Beginning of its name.
   * @param parent Folder to make it in.
   */
  constructor(name = "carteiro", parent: string = tmpdir()) {
    this.path = mkdtempSync(join(parent, `${name}-`));
  }

  [Symbol.dispose](): void {
    // The folder may have been moved.
    rmSync(this.path, { recursive: true, force: true });
  }
}
