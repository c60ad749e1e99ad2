/**
 * Server of Deno.
 *
 * @module
 */
import type { ListenOptions, RunningServer } from "./listen.ts";

/** Listens with `Deno.serve`. */
// deno-lint-ignore require-await -- turns exceptions into rejections
export async function listen(
  { handler, host, port, onError }: ListenOptions,
): Promise<RunningServer> {
  const server = Deno.serve({
    hostname: host,
    port,
    onListen() {},
    onError(error) {
      onError(error);
      return new Response(null, { status: 500 });
    },
  }, handler);
  return {
    address: { host: server.addr.hostname, port: server.addr.port },
    finished: server.finished,
    shutdown: () => server.shutdown(),
  };
}
