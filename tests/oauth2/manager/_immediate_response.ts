/**
 * Creates the response to a token request, or a refusal without fields. Its body
 * is read without a task of the runtime, for which virtual time does not wait.
 */
export function immediateResponse(
  fields: Record<string, unknown> | undefined,
): Response {
  const text = JSON.stringify(fields ?? { error: "invalid_grant" });
  const chunks = [new TextEncoder().encode(text)];
  const read = () =>
    Promise.resolve({ done: chunks.length === 0, value: chunks.shift() });
  return {
    ok: fields !== undefined,
    status: fields ? 200 : 400,
    headers: new Headers({ "content-type": "application/json" }),
    body: { getReader: () => ({ read }) },
  } as unknown as Response;
}
