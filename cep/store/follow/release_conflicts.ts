import type { Config } from "../../settings/config.ts";

/** Lists what is wrong with the settings of releases, one message each. */
export function releaseConflicts(config: Partial<Config>): string[] {
  const { mode, exportFormat, releaseUrl, databasePath, databaseUrl } = config;
  const problems: string[] = [];
  if (releaseUrl && databaseUrl) {
    problems.push("RELEASE_URL: must not be set together with DB_URL");
  }
  if (releaseUrl && databasePath === ":memory:") {
    problems.push("RELEASE_URL: needs a folder in DB_PATH, not :memory:");
  }
  // A replica has a file.
  const isRemote = databaseUrl && !databasePath;
  if (mode === "export" && exportFormat === "release" && isRemote) {
    problems.push("EXPORT_FORMAT=release: needs DB_PATH, too, with DB_URL");
  }
  return problems;
}
