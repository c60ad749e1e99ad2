import { TextFile } from "./text_file.ts";
import { COUNTRIES } from "./words.ts";

/** LEIAME.TXT with the version: year, month and half of the month. */
export function noticeFile(release: number): TextFile {
  const file = new TextFile("LEIAME.TXT");
  const month = Math.floor(release / 2);
  const year = 26 + Math.floor(month / 12);
  const digits = String(1 + month % 12).padStart(2, "0");
  file.row([`DNE versão ${year}${digits}${1 + release % 2}`]);
  return file;
}

/** ECT_PAIS: a few countries, the abbreviation empty as in the real file. */
export function countryFiles(): TextFile[] {
  const file = new TextFile("ECT_PAIS.TXT");
  for (const country of COUNTRIES) file.row([...country, ""]);
  return [file];
}
