import { type Kind, mustBe, text } from "./setting.ts";
import { parseRemoteUrl, REMOTE_URL_RULE } from "../store/remote_client.ts";

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
