/** Requests to the services of the examples. */
import { assertEquals } from "@std/assert";
import type { Process } from "../cep/_process.ts";

/** Sends a request to a service. Returns the status and the JSON. */
export async function askJson(
  service: Process,
  path: string,
  init?: RequestInit,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const url = `http://127.0.0.1:${await service.port()}${path}`;
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json() };
}

/** Request that a service refuses, with the status and the error code. */
export type Refusal = readonly [
  name: string,
  path: string,
  status: number,
  code: string,
];

/** Checks that a service refuses requests, with one step for each. */
export async function assertRefuses(
  service: Process,
  refusals: readonly Refusal[],
  t: Deno.TestContext,
): Promise<void> {
  for (const [name, path, status, code] of refusals) {
    await t.step(name, async () => {
      const answer = await askJson(service, path);
      assertEquals([answer.status, answer.body.code], [status, code]);
    });
  }
}
