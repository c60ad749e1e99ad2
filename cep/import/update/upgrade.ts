import type { PresentRows, Staging, Writer } from "../../store/store.ts";
import { NextRelease } from "./next_release.ts";
import { damagedRelease, readableRows, rebuild } from "./rebuild.ts";
import { countByFile } from "../dne/report.ts";
import { DatabaseError } from "../../release/errors.ts";

/** Options of {@linkcode upgrade}. */
export interface UpgradeOptions {
  /** Database whose release is rewritten. */
  readonly store: Writer;
  /** Name of this upgrade, shown to imports that run meanwhile. */
  readonly holder: string;
  /** Aborts the upgrade; the current release stays in use. */
  readonly signal?: AbortSignal;
  /** Called with the progress while the new release is written. */
  readonly onProgress?: (
    progress: { readonly codes: number; readonly totalCodes: number },
  ) => void;
}

/** Report of an upgrade. */
export interface UpgradeReport {
  /** False if the release has the tables of this version already. */
  readonly changed: boolean;
  /** CEPs of the release. */
  readonly ceps: number;
  /** Version of the DNE, `""` if unknown. */
  readonly dneVersion: string;
  /** Time of the import, which an upgrade does not change. */
  readonly seededAt: string;
}

/**
 * Rewrites the release of an older version of this program with the tables of
 * this one, like an update without a delta. Data, history and the time of the
 * import stay. If that fails, the file stays as it is.
 *
 * @throws {SeedError} If the rows of the release cannot be read.
 * @throws {DatabaseError} If the database is empty or cannot be written, or if
 * an import is running.
 */
export async function upgrade(
  { store, holder, signal, onProgress = () => {} }: UpgradeOptions,
): Promise<UpgradeReport> {
  const staging = await store.stage(holder);
  try {
    const { present } = staging;
    if (present === undefined || staging.rows === undefined) {
      throw new DatabaseError(
        "Cannot upgrade: the database has no release that can be read; " +
          "import the DNE or the CNEFE with MODE=seed",
      );
    }
    const { totalCeps: ceps, dneVersion, seededAt } = present;
    const report = { ceps, dneVersion, seededAt };
    if (staging.presentState === "complete") {
      await staging.discard();
      return { changed: false, ...report };
    }
    const rows = withoutMissingTables(staging);
    const damage = await rows.findDamage();
    if (damage !== undefined) throw damagedRelease(damage);
    const { files } = await rebuild({
      staging,
      rows,
      next: await NextRelease.from(rows),
      onCodes(codes) {
        signal?.throwIfAborted();
        onProgress({ codes, totalCodes: ceps });
      },
    });
    signal?.throwIfAborted();
    await staging.publish({
      dneVersion,
      seededAt,
      totalByFile: countByFile(files),
      optionalFiles: present.optionalFiles,
      sources: present.sources,
    }, report);
    return { changed: true, ...report };
  } catch (error) {
    // If this fails, too, the next import removes the leftovers.
    await staging.discard().catch(() => {});
    throw error;
  }
}

/** Returns the rows of a release whose version may lack the CNEFE's tables. */
function withoutMissingTables({ rows, present }: Staging): PresentRows {
  const readable = readableRows(rows!);
  if (present!.sources.includes("cnefe")) return readable;
  return { ...readable, census: noRows };
}

async function* noRows(): AsyncGenerator<never> {}
