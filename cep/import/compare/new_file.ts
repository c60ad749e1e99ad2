import { existsSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { reasonOf } from "../../util/reason_of.ts";

/** Error of a file that cannot be written. */
export class OutputError extends Error {
  /** Always `OutputError`. */
  override readonly name = "OutputError";
}

export type Write = (text: string) => Promise<void>;

/**
 * Writes a new file. Until the end, it has the name with `.part` added.
 *
 * @param write Writes the content.
 * @throws {OutputError} If either file exists, e.g. that of an interrupted run,
 * or cannot be written.
 */
export async function writeNewFile<T>(
  path: string,
  write: (write: Write) => Promise<T>,
): Promise<T> {
  const part = `${path}.part`;
  if (existsSync(path)) {
    throw new OutputError(`Cannot write "${path}": it exists; remove it`);
  }
  if (existsSync(part)) {
    throw new OutputError(
      `Cannot write "${path}": "${part}" exists, perhaps of an interrupted ` +
        "run; remove it",
    );
  }
  // Another run may have begun in between.
  const file = await attempt(path, () => open(part, "wx"));
  try {
    const result = await write((text) => append(path, file, text));
    await attempt(path, async () => {
      await file.close();
      await rename(part, path);
    });
    return result;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(part, { force: true }).catch(() => {});
    throw error;
  }
}

function append(path: string, file: FileHandle, text: string): Promise<void> {
  return attempt(path, () => file.appendFile(text));
}

async function attempt<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw new OutputError(`Cannot write "${path}": ${reasonOf(cause)}`, {
      cause,
    });
  }
}
