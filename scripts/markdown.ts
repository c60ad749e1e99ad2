/** Parts of Markdown files that scripts write. */

/** Formats a table like `deno fmt`. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length))
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  const rule = line(widths.map((width) => "-".repeat(width)));
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** Formats a numbered list like `deno fmt`, with lines of up to 80 characters. */
export function markdownList(items: readonly string[]): string {
  return items.map((item, i) => {
    const lines = [`${i + 1}.`];
    const indent = " ".repeat(lines[0]!.length + 1);
    for (const word of item.split(" ")) {
      const line = `${lines.at(-1)} ${word}`;
      if (line.length <= 80) lines.splice(-1, 1, line);
      else lines.push(indent + word);
    }
    return lines.join("\n");
  }).join("\n");
}

/**
 * Replaces the text between `<!-- name -->`, in which a remark may follow the
 * name, and `<!-- /name -->`.
 *
 * @throws {Error} If the marks are missing.
 */
export function fillMarked(
  text: string,
  name: string,
  content: string,
): string {
  const between = new RegExp(`(<!-- ${name}\\b.*-->)[^]*(<!-- /${name} -->)`);
  if (!between.test(text)) {
    throw new Error(`Cannot write the table "${name}": its marks are missing`);
  }
  return text.replace(
    between,
    (_, start, end) => [start, content, end].filter(Boolean).join("\n\n"),
  );
}

/**
 * Replaces the tables in the text of a README.
 *
 * @throws {Error} If the marks of a table are missing.
 */
export function withTables(
  readme: string,
  tables: Readonly<Record<string, string>>,
): string {
  return Object.entries(tables).reduce(
    (text, [name, table]) => fillMarked(text, name, table),
    readme,
  );
}
