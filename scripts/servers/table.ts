import { markdownTable } from "../markdown.ts";
import type { Outcome } from "./outcome.ts";

/** A column of the table: all cases on a server. */
export interface Column {
  /** The server. */
  readonly title: string;
  /** Its version. */
  readonly version: string;
  /** The cases in their order, which is the same for all servers. */
  readonly outcomes: readonly Outcome[];
}

/** The sign of each outcome. */
export const SIGNS: Readonly<Record<Outcome["state"], string>> = {
  passed: "✓",
  lacking: "–",
  failed: "✗",
};

/** The table of cases and servers. */
export function serversTable(columns: readonly Column[]): string {
  const names = columns[0]?.outcomes.map(({ name }) => name) ?? [];
  return markdownTable(
    ["case", ...columns.map(({ title, version }) => `${title} ${version}`)],
    names.map((name, row) => [
      name,
      ...columns.map(({ outcomes }) => SIGNS[outcomes[row]!.state]),
    ]),
  );
}
