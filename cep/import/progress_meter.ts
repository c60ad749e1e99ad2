import type { SeedProgress } from "./options.ts";

/** Facts that change in the course of an import. */
type Changes = Partial<Pick<SeedProgress, "file" | "bytes" | "codes">>;

/** Reports what an import has done so far. */
export class ProgressMeter {
  readonly #report: (progress: SeedProgress) => void;
  #progress: SeedProgress;

  /** Begins at zero. */
  constructor(
    totalBytes: number,
    report: (progress: SeedProgress) => void,
  ) {
    this.#report = report;
    this.#progress = { file: "", bytes: 0, totalBytes, codes: 0, done: false };
  }

  /** Bytes that were read so far. */
  get bytes(): number {
    return this.#progress.bytes;
  }

  /** Reports progress. */
  update(changes: Changes): void {
    this.#progress = { ...this.#progress, ...changes };
    this.#report(this.#progress);
  }

  /** Reports the end. */
  end(): void {
    this.#report({ ...this.#progress, done: true });
  }
}
