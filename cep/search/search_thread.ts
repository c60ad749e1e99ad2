/** Thread that searches. The module is also the program of the thread. */
import type { MessagePort } from "node:worker_threads";
import { fromArrayMessage, toArrayMessage } from "../util/array_message.ts";
import { reasonOf } from "../util/reason_of.ts";
import {
  runInThread,
  startThread as start,
  whenEnded,
} from "../util/thread.ts";
import type { IndexArrays } from "./index_layout.ts";
import { Searcher } from "./search.ts";
import { type CallName, runCall } from "./search_calls.ts";
import { SearchIndex } from "./search_index.ts";

/** Call, with a number that its answer repeats. */
export interface ThreadCall {
  readonly id: number;
  readonly name: CallName;
  readonly argument: unknown;
}

/** Answer to a call. */
export interface ThreadAnswer {
  readonly id: number;
  readonly result?: unknown;
  /** Message of an error. */
  readonly error?: string;
  /** True if the call was ended by its budget of work. */
  readonly isOverBudget: boolean;
}

/** Events of a thread. */
export interface ThreadEvents {
  /** Called when the thread can take calls. */
  onReady(): void;
  onAnswer(answer: ThreadAnswer): void;
  /** Called when the thread has ended. */
  onEnd(reason: string): void;
}

/** Thread that searches. */
export interface SearchThread {
  send(call: ThreadCall): void;
  /** Ends the thread, also in the middle of a call. */
  end(): void;
}

/**
 * Starts a thread that searches an index in shared memory.
 *
 * @throws {Error} If no thread can be started here.
 */
export type StartThread = (
  arrays: IndexArrays,
  events: ThreadEvents,
) => SearchThread;

type FromThread = "ready" | ThreadAnswer;

/** Starts a thread of the runtime. */
export const startThread: StartThread = (arrays, events) => {
  const worker = start(import.meta.url, "search_thread");
  let isEnded = false;
  whenEnded(worker, (reason) => {
    if (isEnded) return;
    isEnded = true;
    events.onEnd(reason);
  });
  let running = 0;
  worker.on("message", (message: FromThread) => {
    if (isEnded) return;
    if (message === "ready") {
      worker.unref(); // A thread without calls must not keep the process alive.
      events.onReady();
    } else {
      if (--running === 0) worker.unref();
      events.onAnswer(message);
    }
  });
  worker.postMessage(toArrayMessage(arrays));
  return {
    send(call) {
      if (running++ === 0) worker.ref();
      worker.postMessage(call);
    },
    end() {
      isEnded = true;
      worker.terminate();
    },
  };
};

/** Answers calls, after the first message with the index. */
function serve(port: MessagePort): void {
  const send = (message: FromThread) => port.postMessage(message);
  port.once("message", (message: unknown) => {
    const arrays = fromArrayMessage<IndexArrays>(message);
    const searcher = new Searcher(new SearchIndex(arrays));
    port.on("message", ({ id, name, argument }: ThreadCall) => {
      try {
        const result = runCall(searcher, name, argument as never);
        send({ id, result, isOverBudget: searcher.takeOverBudget() });
      } catch (error) {
        const isOverBudget = searcher.takeOverBudget();
        send({ id, error: reasonOf(error), isOverBudget });
      }
    });
    send("ready");
  });
}

runInThread("search_thread", serve);
