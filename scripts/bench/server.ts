/**
 * Servers in processes of their own.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";

/** A server that was started. */
export interface Server {
  /** Where it listens, or will. */
  readonly url: string;
  /** The process. */
  readonly process: Deno.ChildProcess;
}

const POLL_MS = 5;
const PATIENCE_MS = 30_000;

/**
 * A port that nobody listens on, below those that systems give to outgoing
 * connections: one of these could take it before the server does.
 */
export function freePort(): number {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (isFree(port)) return port;
  }
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}

/**
 * Asks for a path until it is answered 200.
 *
 * @throws {Error} If the server ends or takes too long.
 */
export async function firstAnswer(server: Server, path: string): Promise<void> {
  let ended = false;
  server.process.status.then(() => ended = true);
  const deadline = performance.now() + PATIENCE_MS;
  while (!ended && performance.now() < deadline) {
    if (await isAnswered(server.url + path)) return;
    await delay(POLL_MS);
  }
  const why = ended ? "the server has ended" : "it takes too long";
  throw new Error(`Cannot get ${server.url}${path}: ${why}`);
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.status === 200;
  } catch (error) {
    // Nobody listens there yet.
    if (error instanceof TypeError) return false;
    throw error;
  }
}
