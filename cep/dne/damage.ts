/**
 * The signs of a damaged directory, which must not replace a good one.
 *
 * @module
 */
import type { Release } from "../store/store.ts";
import { REQUIRED_FILES } from "./layout.ts";
import type { FileReport } from "./report.ts";

/** Shares of a directory that may be wrong, in percent. */
export interface Tolerance {
  /** Rejected lines of a file. */
  readonly maxRejectedPercent: number;
  /** Lines of a file with a reference that leads nowhere. */
  readonly maxDanglingPercent: number;
  /** Codes that the present release has and the new one lacks. */
  readonly maxShrinkPercent: number;
}

/** An import before it is published. */
export interface Imported {
  /** One a file. */
  readonly files: readonly FileReport[];
  /** States that have localities coded by street. */
  readonly statesCodedByStreet: ReadonlySet<string>;
  /** The release that is to be replaced. */
  readonly present: Release | undefined;
}

/** Finds what is wrong beyond what is tolerated: one sentence a sign. */
export function findDamage(imported: Imported, tolerance: Tolerance): string[] {
  return [
    ...findRejected(imported, tolerance),
    ...findEmptyStates(imported, tolerance),
    ...findDangling(imported, tolerance),
    ...findShrunk(imported, tolerance),
    ...(sumCodes(imported) === 0 ? ["the files hold no code"] : []),
  ];
}

function findRejected(
  { files }: Imported,
  { maxRejectedPercent: max }: Tolerance,
): string[] {
  return files
    .filter(({ rejected, lines }) => rejected * 100 > lines * max)
    .map(({ file, rejected, lines }) =>
      `${file}: ${rejected} of ${lines} lines were rejected ` +
      `(SEED_MAX_REJECTED_PERCENT allows ${max}%)`
    );
}

function findEmptyStates(
  { files, statesCodedByStreet }: Imported,
  { maxDanglingPercent: max }: Tolerance,
): string[] {
  if (max === 100) return [];
  const empty = new Set(
    files.filter(({ lines }) => lines === 0).map(({ file }) => file),
  );
  return REQUIRED_FILES
    .filter(({ name, uf }) =>
      uf !== undefined && statesCodedByStreet.has(uf) && empty.has(name)
    )
    .map(({ name, uf }) =>
      `${name} is empty, and ${uf} has localities coded by street ` +
      `(SEED_MAX_DANGLING_PERCENT=100 allows it)`
    );
}

function findDangling(
  { files }: Imported,
  { maxDanglingPercent: max }: Tolerance,
): string[] {
  return files
    .filter(({ dangling, lines }) => dangling * 100 > lines * max)
    .map(({ file, dangling, lines }) =>
      `${file}: ${dangling} of ${lines} lines refer to a locality, ` +
      "neighbourhood or municipality that is in no file " +
      `(SEED_MAX_DANGLING_PERCENT allows ${max}%)`
    );
}

function findShrunk(
  imported: Imported,
  { maxShrinkPercent: max }: Tolerance,
): string[] {
  const { files, present } = imported;
  if (present === undefined) return [];
  const codesOf = new Map(files.map(({ file, codes }) => [file, codes]));
  const counts: [what: string, before: number, after: number][] = [
    ["the directory", present.totalCeps, sumCodes(imported)],
    ...Object.entries(present.totalByFile).map((
      [file, before],
    ): [string, number, number] => [file, before, codesOf.get(file) ?? 0]),
  ];
  return counts
    .filter(([, before, after]) => (before - after) * 100 > before * max)
    .map(([what, before, after]) =>
      `${what} has ${after} codes, the present release ${before} ` +
      `(SEED_MAX_SHRINK_PERCENT allows ${max}% less)`
    );
}

function sumCodes({ files }: Imported): number {
  return files.reduce((sum, { codes }) => sum + codes, 0);
}
