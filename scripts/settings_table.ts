/**
 * Writes the table of settings into the README of `cep`.
 *
 * @module
 */
import { SETTINGS } from "../cep/config.ts";

const README = new URL("../cep/README.md", import.meta.url);
const BETWEEN_MARKS = /(<!-- settings:[^>]*-->\n)[^]*(<!-- \/settings -->)/;

/** The settings as a table in Markdown. */
export function settingsTable(): string {
  const rows = Object.values(SETTINGS).map((it) => {
    const name = it.alias ? `\`${it.name}\` (or \`${it.alias}\`)` : it.name;
    const value = it.default === "" ? "none" : `\`${it.default}\``;
    return [
      name.includes("`") ? name : `\`${name}\``,
      it.help,
      it.values,
      value,
    ];
  });
  const table = [["name", "meaning", "values", "default"], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...table.map((row) => row[column]!.length))
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  const [head = [], ...body] = table;
  const rule = line(widths.map((width) => "-".repeat(width)));
  return [line(head), rule, ...body.map(line)].join("\n");
}

/** A README with the table as the program knows it. */
export function withSettingsTable(readme: string): string {
  return readme.replace(BETWEEN_MARKS, `$1\n${settingsTable()}\n\n$2`);
}

if (import.meta.main) {
  const readme = Deno.readTextFileSync(README);
  Deno.writeTextFileSync(README, withSettingsTable(readme));
}
