/**
 * Server of Deno.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import type { ListenOptions, RunningServer } from "./listen.ts";

/** Listens with `Deno.serve`. */
// deno-lint-ignore require-await -- turns exceptions into rejections
export async function listen(
  { handler, host, port, isWorker = false, onError }: ListenOptions,
): Promise<RunningServer> {
  const server = Deno.serve({
    hostname: host,
    port,
    reusePort: isWorker,
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

/** Flag that `reusePort` needs. */
const REUSE_PORT = "--unstable-net";

/**
 * Returns the arguments with which the executable of this process runs the same
 * program once more, so that it can share its port.
 *
 * @throws {Error} On systems other than Linux, which cannot share a port out,
 * and without the permission to read the arguments.
 */
export function workerArguments(): string[] {
  if (Deno.build.os !== "linux") {
    throw new Error(
      "Cannot start several workers: on Deno, only Linux shares a port among " +
        "processes; set WORKERS=1, or run the service on Node",
    );
  }
  const args = readArguments();
  // An executable from `deno compile` has its flags built in.
  return Deno.build.standalone || args.includes(REUSE_PORT)
    ? args
    : args.toSpliced(args.indexOf("run") + 1, 0, REUSE_PORT);
}

/** Reads arguments with the flags of Deno, which `process.argv` lacks. */
function readArguments(): string[] {
  try {
    return readFileSync("/proc/self/cmdline", "utf8").split("\0").slice(1, -1);
  } catch (cause) {
    throw new Error(
      "Cannot start several workers: reading the flags of this process " +
        "needs --allow-all; set WORKERS=1, or pass it",
      { cause },
    );
  }
}
