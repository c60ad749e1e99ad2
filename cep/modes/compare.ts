import { resolve } from "node:path";
import process from "node:process";
import {
  type Agreement,
  agreementPercent,
  compareRelease,
  type Comparison,
} from "../import/compare/compare_release.ts";
import { type Write, writeNewFile } from "../import/compare/new_file.ts";
import type { Config } from "../settings/config.ts";
import { defaultLogger } from "../util/logger.ts";
import { DatabaseError, type Dump } from "../store/mod.ts";
import { OutputClosed, streamWriter } from "../util/stream_writer.ts";
import { databaseName, openDatabase } from "./open_database.ts";

/** Compares the sources of the current release. */
export async function runCompare(config: Config): Promise<void> {
  const logger = defaultLogger();
  const { compareOutput } = config;
  const isStandard = compareOutput === "-";
  // Rows are read in order, for which queries are fast and small in memory.
  const options = { ...config, snapshot: false, search: false };
  const store = await openDatabase(options, logger);
  try {
    const dump = requireBoth(await store.dump(), config);
    const compare = (write: Write) =>
      compareRelease({ records: dump.pages, census: dump.census }, write);
    const { byState, total }: Comparison = isStandard
      ? await compare(streamWriter(process.stdout))
      : await writeNewFile(resolve(compareOutput), compare);
    for (const [uf, agreement] of byState) {
      logger.info("Compared state", { uf, ...figuresOf(agreement) });
    }
    logger.info("Compared DNE and CNEFE", {
      ...figuresOf(total),
      ...(isStandard ? {} : { COMPARE_OUTPUT: resolve(compareOutput) }),
    });
  } catch (error) {
    // The reader of a pipe may need only the first lines: `| head`.
    if (!(error instanceof OutputClosed)) throw error;
  } finally {
    await store.close();
  }
}

function figuresOf(agreement: Agreement) {
  return { ...agreement, agreementPercent: agreementPercent(agreement) };
}

/** @throws {DatabaseError} If the release lacks one of the sources. */
function requireBoth(dump: Dump | undefined, config: Config): Dump {
  const name = databaseName(config);
  if (dump === undefined) {
    throw new DatabaseError(
      `Cannot compare the sources of database "${name}": it is empty; import ` +
        "the DNE and the CNEFE with MODE=seed",
    );
  }
  const { sources } = dump.release;
  if (!sources.includes("dne") || !sources.includes("cnefe")) {
    const [missing, setting] = sources.includes("dne")
      ? ["CNEFE", "CNEFE_PATH"]
      : ["DNE", "DB_RAW_PATH"];
    throw new DatabaseError(
      `Cannot compare the sources of database "${name}": it was imported ` +
        `without the ${missing}; import both with MODE=seed and ${setting}`,
    );
  }
  return dump;
}
