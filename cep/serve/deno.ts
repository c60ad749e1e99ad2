import { readFileSync } from "node:fs";
import { toResponse } from "../http/reply.ts";
import type { ListenOptions, RunningServer, ServeHandler } from "./listen.ts";

/** Listens with `Deno.serve`. */
// deno-lint-ignore require-await -- turns exceptions into rejections
export async function listen(
  { handler, host, port, sharesPort = false, onError }: ListenOptions,
): Promise<RunningServer> {
  const server = Deno.serve({
    hostname: host,
    port,
    reusePort: sharesPort,
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

/** Adapts a handler to `Deno.serve`, which counts the bytes of responses. */
export function toDenoHandler(handler: ServeHandler): ServeHandler {
  const { reply } = handler;
  if (reply === undefined) return handler;
  return (request, info) => {
    const replied = reply(request, info);
    return replied instanceof Promise
      ? replied.then((it) => toResponse(it, true))
      : toResponse(replied, true);
  };
}

/** Flag that `reusePort` needs. */
const REUSE_PORT = "--unstable-net";

/** Function that exists only with the flag. */
const UNSTABLE = "listenDatagram";

/**
 * Replaces the program of this process by itself with the flag for shared ports,
 * unless it has the flag. The process keeps its ID, and a process above it would
 * take 40 MB.
 *
 * @throws {Error} If that is not possible here.
 */
export function ensurePortSharing(): void {
  if (UNSTABLE in Deno) return;
  if (Deno.build.os !== "linux") {
    throw new Error("on Deno, only Linux shares a port among threads");
  }
  const args = readArguments();
  if (args.includes(REUSE_PORT)) throw new Error(`${REUSE_PORT} has no effect`);
  execute([
    Deno.execPath(),
    ...args.toSpliced(args.indexOf("run") + 1, 0, REUSE_PORT),
  ]);
}

/** Reads arguments with the flags of Deno, which `process.argv` lacks. */
function readArguments(): string[] {
  try {
    return readFileSync("/proc/self/cmdline", "utf8").split("\0").slice(1, -1);
  } catch (cause) {
    throw new Error(`run Deno with ${REUSE_PORT} or --allow-all`, { cause });
  }
}

/** Runs a program in place of that of this process. */
function execute(command: readonly string[]): never {
  const library = Deno.dlopen("libc.so.6", {
    execv: { parameters: ["buffer", "buffer"], result: "i32" },
  });
  const texts = command.map((it) => new TextEncoder().encode(`${it}\0`));
  const pointers = texts.map((it) =>
    Deno.UnsafePointer.value(Deno.UnsafePointer.of(it))
  );
  library.symbols.execv(texts[0]!, BigUint64Array.from([...pointers, 0n]));
  throw new Error(`cannot run ${command[0]} again`);
}
