/** What the tests of the services that users copy have in common. */
import { assertEquals } from "@std/assert";
import type { Process } from "../cep/_server.ts";

/** Asks a service for a path; gives the status and what the JSON says. */
export async function askJson(
  service: Process,
  path: string,
  init?: RequestInit,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const url = `http://127.0.0.1:${await service.port()}${path}`;
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json() };
}

/** A request that a service refuses, and how it does. */
export type Refusal = readonly [
  what: string,
  path: string,
  status: number,
  code: string,
];

/** Has a service refuse requests, a step each. */
export async function assertRefuses(
  service: Process,
  refusals: readonly Refusal[],
  t: Deno.TestContext,
): Promise<void> {
  for (const [what, path, status, code] of refusals) {
    await t.step(what, async () => {
      const answer = await askJson(service, path);
      assertEquals([answer.status, answer.body.code], [status, code]);
    });
  }
}
