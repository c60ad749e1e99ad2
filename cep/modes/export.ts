/**
 * `MODE=export`: writes all records of the current release.
 *
 * @module
 */
import process from "node:process";
import type { Config } from "../config.ts";
import { writeStream } from "../export/write_stream.ts";
import { defaultLogger, type Logger } from "../logger.ts";
import { SiteFolder } from "../static/site_folder.ts";
import { writeSite } from "../static/write_site.ts";
import { DatabaseError, type Store } from "../store/mod.ts";
import { openDatabase } from "./open_database.ts";

/** Writes all records to the standard output, or to `EXPORT_PATH`. */
export async function runExport(config: Config): Promise<void> {
  const logger = defaultLogger();
  // Records are read in order, for which queries are fast and small in memory.
  const options = { ...config, snapshot: false, search: false };
  const store = await openDatabase(options, logger);
  const run = config.exportFormat === "static" ? exportSite : exportStream;
  try {
    await run(store, config, logger);
  } finally {
    await store.close();
  }
}

async function exportStream(
  store: Store,
  config: Config,
  logger: Logger,
): Promise<void> {
  const dump = await store.dump() ?? refuseEmpty(config);
  const { records, complete } = await writeStream({
    dump,
    format: config.exportFormat === "csv" ? "csv" : "ndjson",
    output: process.stdout,
  });
  // The reader of a pipe may need only the first lines: `| head`.
  if (complete) logger.info("Exported records", { records });
}

async function exportSite(
  store: Store,
  config: Config,
  logger: Logger,
): Promise<void> {
  const { exportPath } = config;
  if (await store.release() === undefined) refuseEmpty(config);
  const folder = await SiteFolder.open(exportPath);
  const report = await writeSite(store, folder);
  logger.info("Exported static site", { ...report, EXPORT_PATH: exportPath });
}

function refuseEmpty({ databasePath }: Config): never {
  throw new DatabaseError(
    `Cannot export database "${databasePath}": it is empty; import the DNE ` +
      "with MODE=seed",
  );
}
