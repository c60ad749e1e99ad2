import type { Config } from "../settings/config.ts";

/** Returns the settings that name the files, as the environment has them. */
export function sourceSettings(
  { rawPath, cnefePaths }: Pick<Config, "rawPath" | "cnefePaths">,
): Record<string, string> {
  return {
    ...(rawPath === "" ? {} : { DB_RAW_PATH: rawPath }),
    ...(cnefePaths.length === 0 ? {} : { CNEFE_PATH: cnefePaths.join(",") }),
  };
}
