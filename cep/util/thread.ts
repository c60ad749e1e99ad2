import {
  isMainThread,
  type MessagePort,
  parentPort,
  Worker,
  workerData,
  type WorkerOptions,
} from "node:worker_threads";
import { later, type Schedule } from "./later.ts";
import { reasonOf } from "./reason_of.ts";

/** Milliseconds after which a thread that has not answered is given up. */
const START_MS = 20_000;

/** Data of a thread, which no other program's thread has. */
interface ThreadData {
  /** Name of the module that is its program. */
  readonly carteiro: string;
  readonly data: unknown;
}

/**
 * Starts a thread whose program is the module that calls this, and that calls
 * {@linkcode runInThread}.
 *
 * @param url `import.meta.url` of the module.
 * @param name Name of its file, without the extension.
 * @param data Data for the thread.
 * @throws {Error} If no thread can be started here.
 */
export function startThread(
  url: string,
  name: string,
  data?: unknown,
  options: Pick<WorkerOptions, "resourceLimits"> = {},
): Worker {
  if (!url.endsWith(`/${name}.ts`) && !url.endsWith(`/${name}.js`)) {
    // The thread would run the whole program into which a bundler has put it.
    throw new Error("the module has been bundled");
  }
  const threadData: ThreadData = { carteiro: name, data };
  return new Worker(new URL(url), { ...options, workerData: threadData });
}

/**
 * Runs the program of a module in a thread that it has started.
 *
 * @param name Name of its file, without the extension.
 */
export function runInThread<T>(
  name: string,
  run: (port: MessagePort, data: T) => void,
): void {
  if (isMainThread || parentPort === null) return;
  const { carteiro, data } = (workerData ?? {}) as Partial<ThreadData>;
  if (carteiro === name) run(parentPort, data as T);
}

/** Calls a function when a thread has ended, perhaps several times. */
export function whenEnded(
  worker: Worker,
  onEnd: (reason: string) => void,
): void {
  worker.on("messageerror", (error) => {
    onEnd(reasonOf(error));
    worker.terminate();
  });
  worker.on("error", (error) => onEnd(reasonOf(error)));
  worker.on("exit", (code) => onEnd(`exit code ${code}`));
}

/** Closes a thread that does not start, and throws the reason. */
export async function awaitStart(
  thread: {
    start(): Promise<void>;
    end(reason: string): void;
    close(): Promise<void>;
  },
  schedule: Schedule = later,
): Promise<void> {
  const cancel = schedule(() => thread.end("it does not answer"), START_MS);
  try {
    await thread.start();
  } catch (error) {
    await thread.close();
    throw error;
  } finally {
    cancel();
  }
}
