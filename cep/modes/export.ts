import process from "node:process";
import type { Config } from "../settings/config.ts";
import { writeStream } from "../export/write_stream.ts";
import { defaultLogger, type Logger } from "../util/logger.ts";
import { writeReleaseFolder } from "../store/follow/release_folder.ts";
import { SiteFolder } from "../export/static/site_folder.ts";
import { writeSite } from "../export/static/write_site.ts";
import { DatabaseError, type Store } from "../store/mod.ts";
import { ReleaseDirectory } from "../store/release_directory.ts";
import { databaseName, isReplica, openDatabase } from "./open_database.ts";

/** Writes all records to the standard output, or to `EXPORT_PATH`. */
export async function runExport(config: Config): Promise<void> {
  const logger = defaultLogger();
  if (config.exportFormat === "release") {
    return await exportRelease(config, logger);
  }
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

async function exportRelease(config: Config, logger: Logger): Promise<void> {
  const { databasePath, exportPath } = config;
  if (isReplica(config)) await syncReplica(config, logger);
  const file = await new ReleaseDirectory(databasePath).current() ??
    refuseEmpty(config);
  const manifest = await writeReleaseFolder(exportPath, file.path);
  logger.info("Exported release", { ...manifest, EXPORT_PATH: exportPath });
}

/**
 * Copies the release of the primary.
 *
 * @throws {DatabaseError} If it cannot be copied.
 */
async function syncReplica(config: Config, logger: Logger): Promise<void> {
  const options = { ...config, snapshot: false, search: false };
  const store = await openDatabase(options, logger);
  try {
    const error = store.freshness?.()?.error;
    if (error === undefined) return;
    // The folder may be that of a replica that was left behind.
    throw new DatabaseError(
      `Cannot export database "${databaseName(config)}": ${error}`,
    );
  } finally {
    await store.close();
  }
}

function refuseEmpty(config: Config): never {
  throw new DatabaseError(
    `Cannot export database "${
      databaseName(config)
    }": it is empty; import the DNE ` +
      "or the CNEFE with MODE=seed",
  );
}
