/**
 * Whether answers are right.
 *
 * @module
 */
import type { Row } from "./database.ts";

const CONNECTIONS = 32;

/**
 * Asks a server for records, over connections that are kept, and compares every
 * field.
 *
 * @param rows The records as they are in the database.
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
  const answer: Row = JSON.parse(text);
  for (const field of Object.keys({ ...row, ...answer })) {
    if (answer[field] === row[field]) continue;
    throw new Error(
      `Wrong answer to ${url}: ${field} is ${JSON.stringify(answer[field])}, ` +
        `in the database ${JSON.stringify(row[field])}`,
    );
  }
}
