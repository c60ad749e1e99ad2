/** Thread that listens. The module is also the program of the thread. */
import type { MessagePort } from "node:worker_threads";
import type { Config } from "../settings/config.ts";
import {
  configureLogs,
  defaultLogger,
  withProperties,
} from "../util/logger.ts";
import { reasonOf } from "../util/reason_of.ts";
import { runInThread, startThread, whenEnded } from "../util/thread.ts";
import type { FromThread, ToThread } from "../serve/threads/messages.ts";
import type { StartThread } from "../serve/threads/slot.ts";
import { ThreadLink } from "../serve/threads/thread_link.ts";
import { serveRequests } from "./serve_requests.ts";

interface ThreadData {
  readonly number: number;
  readonly config: Config;
  readonly quotas: ArrayBufferLike;
  /** Time of the start, by the clock of the first thread and by the system's. */
  readonly start: { readonly now: number; readonly at: number };
}

/**
 * Returns a function that starts threads of the runtime.
 *
 * @param quotas Memory of the quotas of clients.
 */
export function threadStarter(
  config: Config,
  quotas: ArrayBufferLike,
): StartThread {
  return ({ number, port }, { onMessage, onEnd }) => {
    const data: ThreadData = {
      number,
      config: { ...config, port },
      quotas,
      start: { now: performance.now(), at: Date.now() },
    };
    const worker = startThread(import.meta.url, "listen_thread", data, {
      // A request needs little memory for a short time.
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    whenEnded(worker, onEnd);
    worker.on("message", (message: FromThread) => onMessage(message));
    return {
      send: (message) => worker.postMessage(message),
      async end() {
        await worker.terminate();
        // Not every runtime tells that the thread has ended.
        onEnd("it was ended");
      },
    };
  };
}

/** Megabytes of new objects in a thread, until they are collected. */
const YOUNG_MB = 3;

/** Serves requests until the first thread says to stop. */
async function run(port: MessagePort, data: ThreadData): Promise<void> {
  const { number, config, quotas, start } = data;
  const send = (message: FromThread) => port.postMessage(message);
  const link = new ThreadLink(send);
  port.on("message", (message: ToThread) => link.receive(message));
  configureLogs({
    format: config.logFormat,
    level: config.logLevel,
    write: console.log,
  });
  // Clocks of threads begin at their start.
  const offset = start.now + (Date.now() - start.at) - performance.now();
  const now = () => performance.now() + offset;
  try {
    await serveRequests({
      config,
      logger: withProperties(defaultLogger(), { thread: number }),
      follower: { freshness: () => link.freshness() },
      sharing: { parent: link, others: link, parts: link, quotas, now },
    });
    send({ kind: "ended" });
  } catch (error) {
    send({ kind: "ended", error: reasonOf(error) });
  }
}

runInThread("listen_thread", run);
