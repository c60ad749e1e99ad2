import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Command,
  describeEnd,
  type Ended,
  endOf,
  start,
} from "../../scripts/process.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";

/** Milliseconds until a server must be ready. */
const START_TIMEOUT = 180_000;
/** Milliseconds between two requests to a server that is not ready. */
const POLL_INTERVAL = 200;

/**
 * Shell script that runs a command until standard input closes, then stops the
 * process group and removes the folder `$0`. Standard input also closes if this
 * process dies: Ctrl-C ends `deno test` before its hooks run.
 */
const GUARD = `exec 3<&0
(
  trap '' TERM
  cat <&3
  kill -TERM 0
  rm -rf "$0"
  for _ in $(seq 50); do kill -0 $$ || exit; sleep 0.1; done
  kill -KILL 0
) >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-`;

/** Options of {@linkcode serve}. */
export interface ServeOptions {
  /** Command of the server, run in a temporary folder. */
  readonly command: Command;
  readonly env?: Readonly<Record<string, string>>;
  /** Text files in the folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** URL that returns success when the server is ready. */
  readonly url: string;
  /** Stack that stops the server when it is disposed of. */
  readonly stack: AsyncDisposableStack;
}

/**
 * Starts a server and waits until it is ready.
 *
 * @throws {Error} If it ends or takes too long, with its output.
 */
export async function serve(
  { command, env = {}, files = {}, url, stack }: ServeOptions,
): Promise<void> {
  const { path } = stack.use(new TemporaryFolder("server"));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(path, name), text);
  }
  const child = start(["sh", "-c", GUARD, path, ...command], {
    cwd: path,
    env,
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => output += text);
  }
  const end = endOf(child);
  let ended: Ended | undefined;
  end.then((it) => ended = it);
  stack.defer(async () => {
    child.stdin.end();
    await end;
  });
  const deadline = Date.now() + START_TIMEOUT;
  // After its end, another program may use its port.
  while (ended || !await isReady(url)) {
    if (ended || Date.now() > deadline) {
      const state = ended ? describeEnd(ended) : `no answer from ${url}`;
      throw new Error(`Cannot start ${command[0]}: ${state}\n${output}`);
    }
    await delay(POLL_INTERVAL);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** Finds a free port of the loopback interface. */
export function findPort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
