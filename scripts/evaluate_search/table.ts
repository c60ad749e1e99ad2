import { markdownTable } from "../markdown.ts";

/** Column of a table. */
export interface Column {
  readonly name: string;
  /** Decimals of its numbers: none by default. */
  readonly decimals?: number;
}

/** Table of figures. */
export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  /** Cells, `null` for a figure that does not exist. */
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Column of percentages. */
export function percentages(name: string): Column {
  return { name: `${name} %`, decimals: 1 };
}

/** Returns a share in percent, `null` of nothing. */
export function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : 100 * part / whole;
}

/** Formats a table with aligned columns. */
export function plainTable(table: Table): string {
  const lines = textOf(table);
  const widths = table.columns.map((_, column) =>
    Math.max(...lines.map((line) => line[column]!.length))
  );
  const formatted = lines.map((line) =>
    "  " +
    line.map((cell, column) =>
      column === 0
        ? cell.padEnd(widths[column]!)
        : cell.padStart(widths[column]!)
    ).join("  ")
  );
  return [table.title, ...formatted].join("\n");
}

/** Formats a table as Markdown, below its title. */
export function toMarkdown(table: Table): string {
  const [head, ...rows] = textOf(table);
  return `${table.title}:\n\n${markdownTable(head!, rows)}`;
}

function textOf({ columns, rows }: Table): string[][] {
  return [
    columns.map(({ name }) => name),
    ...rows.map((row) =>
      row.map((cell, column) =>
        typeof cell === "number"
          ? cell.toFixed(columns[column]!.decimals ?? 0)
          : cell ?? "–"
      )
    ),
  ];
}
