import { parseManifestAddress } from "../store/follow/release_url.ts";
import { type Kind, mustBe } from "./setting.ts";

/** Address or path of a folder of releases, `""` for none. */
export const releaseUrl: Kind<string> = {
  values: {
    en: "a path, or an `https:` or `file:` address without a user name; " +
      "`http:` only on loopback",
    pt: "caminho ou endereço `https:` ou `file:`, sem nome de usuário; " +
      "`http:` só em loopback",
  },
  parse: (text) => text,
  check: (value) =>
    typeof value === "string" &&
      (value === "" || parseManifestAddress(value) !== undefined)
      ? undefined
      : mustBe(releaseUrl.values),
};

/** Lists what is wrong with the settings of releases, one message each. */
export function releaseConflicts(
  { mode, exportFormat, releaseUrl, databasePath, databaseUrl }: Record<
    string,
    unknown
  >,
): string[] {
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
