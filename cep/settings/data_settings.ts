import { parseManifestAddress } from "../store/follow/release_url.ts";
import { parseRemoteUrl, REMOTE_URL_RULE } from "../store/remote_client.ts";
import { type Kind, mustBe, text } from "./setting.ts";

/** URL of a libSQL server, `""` for none. */
export const remoteUrl: Kind<string> = {
  values: REMOTE_URL_RULE,
  parse: (text) => text,
  check: (value) =>
    typeof value === "string" && (value === "" || parseRemoteUrl(value))
      ? undefined
      : mustBe(remoteUrl.values),
};

/** Token of a libSQL server, `""` for none. */
export const remoteToken: Kind<string> = {
  values: {
    en: "a token of letters, digits and punctuation, without blanks",
    pt: "token de letras, dígitos e sinais, sem espaços",
  },
  parse: (text) => text,
  check: (value) =>
    typeof value === "string" && /^[\x21-\x7E]*$/.test(value)
      ? undefined
      : mustBe(remoteToken.values),
};

const PATH = { en: "a path", pt: "caminho" };

/** Folder of the database, `""` for none with a server. */
export const databasePath: Kind<string> = {
  values: PATH,
  parse: (text) => text,
  check: (value) => value === "" ? undefined : text(PATH).check(value),
};

/** Lists what is wrong with the settings of the database, one message each. */
export function databaseConflicts(
  { databasePath, databaseUrl, databaseToken }: Record<string, unknown>,
): string[] {
  // Otherwise old data in the default folder would be served without a word.
  if (databaseToken && !databaseUrl) {
    return ["DB_AUTH_TOKEN=***: needs DB_URL"];
  }
  if (databasePath === "" && !databaseUrl) {
    return [`databasePath="": ${mustBe(PATH)}`];
  }
  return databasePath === ":memory:" && databaseUrl
    ? ["DB_PATH=:memory:: must be a folder with DB_URL, or be left out"]
    : [];
}

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

/**
 * Paths. Only commas and line ends separate them: folders such as `CNEFE 2022`
 * contain blanks.
 */
export const paths: Kind<readonly string[]> = {
  values: {
    en: "a list of paths, separated by commas",
    pt: "lista de caminhos, separados por vírgulas",
  },
  parse: (text) =>
    text.split(/[,\r\n]/).map((item) => item.trim())
      .filter((item) => item !== ""),
  check(value) {
    if (!Array.isArray(value)) return "must be an array of strings";
    const fault = value.find((item) =>
      typeof item !== "string" || item.trim() === "" || /^~(\/|$)/.test(item)
    );
    if (fault === undefined) return undefined;
    return typeof fault === "string" && fault.startsWith("~")
      ? `${mustBe(paths.values)}, not "${fault}": only a shell expands "~"`
      : mustBe(paths.values);
  },
};

/** Path of the DNE, `""` for that of the default if it exists. */
export const rawPath: Kind<string> = {
  values: PATH,
  parse: (text) => text,
  check: (value) => value === "" ? undefined : text(PATH).check(value),
};

/** Lists what is wrong with the settings of the files, one message each. */
export function sourceConflicts(
  { rawPath, cnefePaths }: Record<string, unknown>,
): string[] {
  const hasCensus = Array.isArray(cnefePaths) && cnefePaths.length > 0;
  return rawPath === "" && !hasCensus ? [`rawPath="": ${mustBe(PATH)}`] : [];
}
