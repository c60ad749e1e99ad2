/** Statements over the HTTP API of libSQL, without a client. */

/** Runs a statement on a server, and returns its rows. */
export async function query(
  url: string,
  sql: string,
  token?: string,
): Promise<unknown[][]> {
  const response = await fetch(`${url}/v2/pipeline`, {
    method: "POST",
    headers: token ? { authorization: `Bearer ${token}` } : {},
    body: JSON.stringify({
      requests: [{ type: "execute", stmt: { sql } }, { type: "close" }],
    }),
  });
  if (!response.ok) {
    throw new Error(`Status ${response.status}: ${await response.text()}`);
  }
  const { results: [result] } = await response.json();
  if (result.type === "error") throw new Error(result.error.message);
  return result.response.result.rows.map((row: { value: unknown }[]) =>
    row.map((cell) => cell.value)
  );
}
