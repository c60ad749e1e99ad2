import { basename } from "node:path";
import type { Container, SourceFile } from "../files/container.ts";

/** Bytes of LEIAME.TXT that are searched. */
const MAX_BYTES = 65_536;

/**
 * Name of a release: `eDNE_Basico_25041.zip` is the first one of April 2025,
 * `eDNE_Basico_2504.zip` that of a month. A browser may have numbered it.
 */
const NAME = /^eDNE_(?:.+_)?(\d{4,5})(?: ?\(\d+\))?(?:\.zip)?$/i;

/**
 * Finds the version in LEIAME.TXT or in the name of a folder or zip file, from
 * the innermost one outwards.
 *
 * @param folders Folders and zip files of a release, the outermost one first.
 * @returns The version, `""` if unknown.
 */
export async function readVersion(
  folders: readonly Container[],
): Promise<string> {
  for (const folder of folders.toReversed()) {
    const version = await findInReadme(folder) ??
      NAME.exec(basename(folder.path))?.[1];
    if (version !== undefined) return version;
  }
  return "";
}

async function findInReadme(folder: Container): Promise<string | undefined> {
  const name = folder.names.find((it) => it.toUpperCase() === "LEIAME.TXT");
  if (name === undefined) return undefined;
  try {
    const text = await readStart(folder.file(name));
    return /vers[aã]o:?\s+(\d{4,})\b/i.exec(text)?.[1];
  } catch {
    return undefined; // LEIAME.TXT is optional.
  }
}

async function readStart(file: SourceFile): Promise<string> {
  const decoder = new TextDecoder("iso-8859-1");
  let text = "";
  for await (const chunk of file.read()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= MAX_BYTES) break;
  }
  return text;
}
