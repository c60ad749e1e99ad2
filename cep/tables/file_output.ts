import { createReadStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { TableError } from "./columns.ts";
import type { EarlierAnswers } from "./continuation.ts";

/** Options of {@linkcode FileOutput.open}. */
interface FileOutputOptions {
  /** Path of the input, if it is a file. */
  readonly input: string | undefined;
  /** Continues an existing file, which is an error otherwise. */
  readonly resume: boolean;
}

/** File of answers. */
export class FileOutput implements EarlierAnswers {
  readonly #path: string;
  readonly #file: FileHandle;
  /** True for a file that was created here. */
  readonly #isNew: boolean;

  private constructor(path: string, file: FileHandle, isNew: boolean) {
    this.#path = path;
    this.#file = file;
    this.#isNew = isNew;
  }

  /**
   * Opens a file.
   *
   * @throws {TableError} If it exists, or is the input.
   */
  static async open(
    path: string,
    { input, resume }: FileOutputOptions,
  ): Promise<FileOutput> {
    if (path === input) {
      throw new TableError(`Cannot write "${path}": it is the input`);
    }
    try {
      return new FileOutput(path, await open(path, "ax"), true);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (resume) return new FileOutput(path, await open(path, "a"), false);
      throw new TableError(
        `Cannot write "${path}": it exists; continue it with ` +
          "MATCH_RESUME=true, or remove it",
      );
    }
  }

  /** Appends text. */
  readonly write = async (text: string): Promise<void> => {
    await this.#file.appendFile(text);
  };

  read(): AsyncIterable<Uint8Array> {
    return createReadStream(this.#path);
  }

  async truncate(bytes: number): Promise<void> {
    await this.#file.truncate(bytes);
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#file.close();
  }

  /**
   * Closes the file after an error, and removes one that was created in vain: it
   * would keep the next run from writing.
   */
  async abandon(): Promise<void> {
    const { size } = await this.#file.stat();
    await this.close();
    if (this.#isNew && size === 0) await rm(this.#path);
  }
}
