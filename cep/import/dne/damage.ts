import type { Release } from "../../store/store.ts";
import { FILES, REQUIRED_FILES } from "./layout.ts";
import type { FileReport } from "./report.ts";
import { SeedError } from "./seed_error.ts";

/** Damage that an import accepts, in percent. */
export interface Tolerance {
  /** Rejected lines of a file. */
  readonly maxRejectedPercent: number;
  /** Lines of a file with a dangling reference. */
  readonly maxDanglingPercent: number;
  /** CEPs of the current release that the new one lacks. */
  readonly maxShrinkPercent: number;
}

/** Completes the damage that an import accepts with the defaults. */
export function toTolerance(options: Partial<Tolerance>): Tolerance {
  const {
    maxRejectedPercent = 1,
    maxDanglingPercent = 1,
    maxShrinkPercent = 5,
  } = options;
  return { maxRejectedPercent, maxDanglingPercent, maxShrinkPercent };
}

/**
 * Refuses an import or an update with findings.
 *
 * @throws {SeedError} If there are any.
 */
export function refuseDamage(
  action: "import" | "update",
  findings: readonly string[],
): void {
  if (findings.length > 0) {
    throw new SeedError(`Cannot ${action}: ${findings.join("; ")}`);
  }
}

/** Import that has not been published yet. */
export interface Imported {
  /** One report per file. */
  readonly files: readonly FileReport[];
  /** States that have localities coded by street. */
  readonly statesCodedByStreet: ReadonlySet<string>;
  /** Current release, `undefined` without one. */
  readonly present: Release | undefined;
  /**
   * CEPs of other sources than these files.
   *
   * @default {0}
   */
  readonly otherCeps?: number;
}

/**
 * Finds the damage that exceeds the tolerance.
 *
 * @returns One message per file or rule that exceeds it.
 */
export function findDamage(imported: Imported, tolerance: Tolerance): string[] {
  return [
    ...findRejected(imported, tolerance),
    ...findEmptyStates(imported, tolerance),
    ...findDangling(imported, tolerance),
    ...findShrunk(imported, tolerance),
    ...findEmpty(imported),
  ];
}

function findEmpty(imported: Imported): string[] {
  const { files } = imported;
  const isEmpty = files.every(({ codes }) => codes === 0) &&
    (files.length > 0 || sumCeps(imported) === 0);
  return isEmpty ? ["the files contain no CEP"] : [];
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
      `${name} is empty although ${uf} has localities coded by street ` +
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
      `${file}: ${dangling} of ${lines} lines refer to an unknown locality, ` +
      "neighbourhood or municipality " +
      `(SEED_MAX_DANGLING_PERCENT allows ${max}%)`
    );
}

function findShrunk(
  imported: Imported,
  { maxShrinkPercent: max }: Tolerance,
): string[] {
  const { files, present } = imported;
  if (present === undefined) return [];
  const cepsOf = new Map(files.map(({ file, codes }) => [file, codes]));
  const ofFiles = Object.entries(present.totalByFile)
    // CEPs move from another source to the DNE.
    .filter(([file]) => NAMES.has(file))
    .map(([file, before]): Shrinkable => [file, before, cepsOf.get(file) ?? 0]);
  return describeShrunk([
    ["the new release", present.totalCeps, sumCeps(imported)],
    ...ofFiles,
  ], max);
}

const NAMES: ReadonlySet<string> = new Set(FILES.map(({ name }) => name));

/** Numbers of CEPs in a file or another part of two releases. */
export type Shrinkable = readonly [part: string, before: number, after: number];

/** True for a part that has fewer CEPs than the percentage allows. */
export function isShrunk(
  [, before, after]: Shrinkable,
  maxShrinkPercent: number,
): boolean {
  return (before - after) * 100 > before * maxShrinkPercent;
}

/**
 * Describes the parts that have fewer CEPs than the percentage allows.
 *
 * @param counted Noun of what is counted.
 */
export function describeShrunk(
  parts: readonly Shrinkable[],
  maxShrinkPercent: number,
  counted: string = "CEPs",
): string[] {
  return parts
    .filter((it) => isShrunk(it, maxShrinkPercent))
    .map(([part, before, after]) =>
      `${part} has ${after} ${counted}, the current release ${before} ` +
      `(SEED_MAX_SHRINK_PERCENT allows ${maxShrinkPercent}% fewer)`
    );
}

function sumCeps({ files, otherCeps = 0 }: Imported): number {
  return files.reduce((sum, { codes }) => sum + codes, otherCeps);
}
