import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "../../util/reason_of.ts";
import { bytesOfFile, readFileChunks } from "./bytes.ts";
import { type Container, openZip, type ZipLimits } from "./zip.ts";
import { DirectoryError } from "../errors.ts";

/**
 * Opens a folder, or a zip file as if it were one.
 *
 * @param limits Limits of zip files.
 * @throws {DirectoryError} If there is neither, or if it cannot be read.
 */
export async function openPath(
  path: string,
  limits: ZipLimits = {},
): Promise<Container> {
  try {
    return toContainer(path, await readdir(path), limits);
  } catch (cause) {
    switch ((cause as { code?: string }).code) {
      case "ENOTDIR":
        return await openZipFile(path, limits);
      case "ENOENT":
        throw new DirectoryError(path, ["it does not exist"], { cause });
      default:
        throw new DirectoryError(path, [reasonOf(cause)], { cause });
    }
  }
}

function toContainer(
  path: string,
  names: readonly string[],
  limits: ZipLimits,
): Container {
  return {
    path,
    names,
    file: (name) => ({
      name,
      measure: () => sizeOf(join(path, name)),
      read: () => readFileChunks(join(path, name)),
    }),
    openFolder: (name) => openPath(join(path, name), limits),
    openZip: (name) => openPath(join(path, name), limits),
  };
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error("it is not a file");
  return found.size;
}

async function openZipFile(
  path: string,
  limits: ZipLimits,
): Promise<Container> {
  let size: number;
  try {
    size = await sizeOf(path);
    if (!await beginsAsZip(path)) {
      throw new Error("it is neither a folder nor a zip file");
    }
  } catch (cause) {
    throw new DirectoryError(path, [reasonOf(cause)], { cause });
  }
  return await openZip(bytesOfFile(path, size), path, limits);
}

/** True for a file that is named or begins like a zip file. */
async function beginsAsZip(path: string): Promise<boolean> {
  if (path.toLowerCase().endsWith(".zip")) return true;
  const handle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(2));
    return bytesRead === 2 && buffer[0] === 0x50 && buffer[1] === 0x4B;
  } finally {
    await handle.close();
  }
}
