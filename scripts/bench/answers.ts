/**
 * Comparison of answers with the database.
 *
 * @module
 */
import type { Row } from "./database.ts";

const CONNECTIONS = 32;

/**
 * Asks a server for records, over connections that are kept, and compares every
 * field.
 *
 * @param rows The records as the sqlite3 shell reads them.
 * @throws {Error} If an answer differs.
 */
export async function checkAnswers(
  url: string,
  rows: readonly Row[],
): Promise<void> {
  const pending = rows.values();
  const client = async () => {
    for (const row of pending) await checkAnswer(`${url}/cep/${row.cep}`, row);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}

async function checkAnswer(url: string, row: Row): Promise<void> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) {
    throw new Error(`Wrong answer to ${url}: ${response.status} ${text}`);
  }
  compareRecord(url, JSON.parse(text), row);
}

/**
 * Compares every field of a record.
 *
 * @param source Where the record comes from, for the message.
 * @throws {Error} If a field differs.
 */
export function compareRecord(source: string, record: Row, row: Row): void {
  for (const field of Object.keys({ ...row, ...record })) {
    if (record[field] === row[field]) continue;
    throw new Error(
      `Wrong answer to ${source}: ${field} is ` +
        `${JSON.stringify(record[field])}, in the database ` +
        JSON.stringify(row[field]),
    );
  }
}
