import { Worker, type WorkerOptions } from "node:worker_threads";
import { later, type Schedule } from "./later.ts";
import { reasonOf } from "./reason_of.ts";

/** Milliseconds after which a thread that has not answered is given up. */
const START_MS = 20_000;

/**
 * Starts a thread whose program is the module that calls this.
 *
 * @param url `import.meta.url` of the module.
 * @param name Name of its file, without the extension.
 * @throws {Error} If no thread can be started here.
 */
export function startWorker(
  url: string,
  name: string,
  options: WorkerOptions,
): Worker {
  if (!url.endsWith(`/${name}.ts`) && !url.endsWith(`/${name}.js`)) {
    // The thread would run the whole program into which a bundler has put it.
    throw new Error("the module has been bundled");
  }
  return new Worker(new URL(url), options);
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
