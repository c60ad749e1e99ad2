import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeSync,
} from "node:fs";
import type { Chunk } from "../generate_dne/text_file.ts";
import { ZipFile } from "./zip_file.ts";

/** Writes the files and returns the number of bytes of each CSV, by name. */
export function writeFiles(
  out: string,
  chunks: Iterable<Chunk>,
  zip: boolean,
): Map<string, number> {
  mkdirSync(out, { recursive: true });
  const foreign = readdirSync(out).find((name) =>
    !/^\d\d_[A-Z]{2}\.(?:csv|zip)$/.test(name)
  );
  if (foreign !== undefined) {
    throw new Error(
      `Cannot write to "${out}": it contains "${foreign}", and only files ` +
        "such as 35_SP.csv are allowed",
    );
  }
  const sizes = new Map<string, number>();
  let output: Output | undefined;
  let current: string | undefined;
  try {
    for (const { name, chunk } of chunks) {
      if (name !== current) {
        output?.finish();
        output = zip ? openZip(out, name) : openCsv(`${out}/${name}`);
        current = name;
      }
      output!.write(chunk);
      sizes.set(name, (sizes.get(name) ?? 0) + chunk.length);
    }
    output?.finish();
  } catch (error) {
    output?.discard();
    throw error;
  }
  return sizes;
}

/** File that is being written. */
interface Output {
  write(chunk: Uint8Array): void;
  finish(): void;
  discard(): void;
}

function openZip(out: string, name: string): Output {
  const path = `${out}/${name.replace(/csv$/, "zip")}`;
  // As IBGE's file of this state.
  return new ZipFile(path, name, name === "35_SP.csv");
}

function openCsv(path: string): Output {
  const file = openSync(path, "w");
  const finish = () => closeSync(file);
  return {
    write: (chunk) => void writeSync(file, chunk),
    finish,
    discard: finish,
  };
}
