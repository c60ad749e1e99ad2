import { type Kind, mustBe, text } from "./setting.ts";

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

const PATH = { en: "a path", pt: "caminho" };

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
