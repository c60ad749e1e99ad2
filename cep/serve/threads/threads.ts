import {
  counter,
  type Figures,
  gauge,
  lastingFigures,
  type OtherFigures,
} from "../../http/figures.ts";
import { later, type Schedule } from "../../util/later.ts";
import type { Logger } from "../../util/logger.ts";
import { reasonOf } from "../../util/reason_of.ts";
import { fromArrayMessage, toArrayMessage } from "../../util/array_message.ts";
import type { Freshness } from "../../store/store.ts";
import type { FromThread } from "./messages.ts";
import type { PartsBroker } from "./parts_broker.ts";
import { Slot, type StartThread } from "./slot.ts";

/** Options of {@linkcode Threads}. */
export interface ThreadsOptions {
  /** Number of threads, of which the first one is that of the caller. */
  readonly count: number;
  readonly start: StartThread;
  readonly parts: PartsBroker;
  /** Seconds to wait for requests in flight on shutdown. */
  readonly shutdownSeconds: number;
  readonly logger: Logger;
  /** Returns the age of the data, for the other threads. */
  readonly freshness?: () => Freshness | undefined;
  /**
   * Monotonic clock, in milliseconds.
   *
   * @default {performance.now}
   */
  readonly now?: () => number;
  /**
   * Calls a function later; returns a function that cancels the call.
   *
   * @default {setTimeout}
   */
  readonly schedule?: Schedule;
}

/** Milliseconds between two questions for a sign of life. */
const ASK_MS = 1000;

/** Questions without any message in between after which a thread is ended. */
const MAX_UNANSWERED = 30;

/** Milliseconds for threads to report their figures. */
const FIGURES_MS = 1000;

/** Milliseconds that threads get in addition to `shutdownSeconds`. */
const MARGIN_MS = 2000;

/**
 * Threads that listen on the port of this one. A thread that ends is replaced,
 * and what it has counted stays in the figures. Where no thread can be started,
 * this one is alone.
 */
export class Threads implements OtherFigures {
  readonly #options: ThreadsOptions;
  readonly #now: () => number;
  readonly #schedule: Schedule;
  readonly #slots: readonly Slot[];
  readonly #ended = Promise.withResolvers<void>();
  readonly #cancels = new Set<() => void>();
  #port = 0;
  #read = (): Promise<Figures> => Promise.resolve([]);
  /** Figures of threads that have ended. */
  #past: Figures = [];
  #restarts = 0;
  /** True if another thread has listened, perhaps not for long. */
  #hasListened = false;
  /** True if the log says that this thread is the only one. */
  #isAlone = false;
  #isStopping = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#schedule = options.schedule ?? later;
    this.#slots = Array.from(
      { length: options.count - 1 },
      (_, i) => new Slot(i + 2),
    );
  }

  /** Starts the other threads on a port. */
  listen(port: number): void {
    this.#port = port;
    if (this.#isStopping) return;
    for (const slot of this.#slots) this.#start(slot);
    this.#askLater();
  }

  /** Stops the other threads; resolves after their requests in flight. */
  async stop(reason: string): Promise<void> {
    if (!this.#isStopping) {
      this.#isStopping = true;
      for (const cancel of this.#cancels) cancel();
      for (const slot of this.#slots) {
        if (slot.isReady) slot.send({ kind: "stop", reason });
        else slot.end(); // It answers no requests yet.
      }
      this.#later(this.#options.shutdownSeconds * 1000 + MARGIN_MS, () => {
        for (const slot of this.#slots) slot.end();
      });
      this.#checkEnd();
    }
    await this.#ended.promise;
  }

  provide(read: () => Promise<Figures>): void {
    this.#read = read;
  }

  collect(_own?: Figures): Promise<readonly Figures[]> {
    return this.#collectBut(undefined);
  }

  #start(slot: Slot): void {
    const { number } = slot;
    try {
      const events = slot.starting(
        (message) => this.#receive(slot, message),
        (reason) => this.#end(slot, reason),
      );
      slot.started(this.#options.start({ number, port: this.#port }, events));
    } catch (error) {
      this.#end(slot, reasonOf(error));
    }
  }

  #receive(slot: Slot, message: FromThread): void {
    const { parts, logger } = this.#options;
    slot.unanswered = 0;
    switch (message.kind) {
      case "listening":
        slot.ready(this.#now());
        this.#hasListened = true;
        logger.info("Thread listens", { thread: slot.number });
        return;
      case "ended":
        slot.reason = message.error;
        return slot.end();
      case "figures":
        return slot.answered(message.id, message.figures);
      case "collect":
        slot.figures = message.figures;
        this.#sendFigures(slot, message.id);
        return;
      case "take": {
        const { id } = message;
        const { send, read } = slot.calls;
        parts.take(slot.number, message, () => read(id)).then(
          (data) => send({ kind: "part", id, data: toArrayMessage(data) }),
          () => {}, // The thread knows why, or has ended.
        );
        return;
      }
      case "part":
        return slot.hasRead(message.id, fromArrayMessage(message.data));
      case "drop":
        parts.drop(slot.number, message.release);
    }
  }

  #end(slot: Slot, reason: string): void {
    const error = slot.reason ?? reason;
    const figures = slot.ended(this.#now());
    if (figures !== undefined) {
      this.#past = lastingFigures([this.#past, figures]);
    }
    this.#options.parts.dropAll(slot.number);
    if (this.#isStopping) return this.#checkEnd();
    const ms = slot.restartMs;
    this.#later(ms, () => {
      this.#restarts++;
      this.#start(slot);
    });
    this.#log(slot, error, ms);
  }

  #log({ number }: Slot, error: string, ms: number): void {
    const { logger } = this.#options;
    const properties = { thread: number, error, restart_ms: ms };
    if (this.#hasListened) {
      logger.error("Thread ended, and will be replaced", properties);
    } else if (!this.#isAlone) {
      this.#isAlone = true;
      logger.warn("One thread answers all requests", properties);
    }
  }

  #checkEnd(): void {
    if (this.#slots.some(({ isRunning }) => isRunning)) return;
    for (const cancel of this.#cancels) cancel();
    this.#ended.resolve();
  }

  /** Asks the threads for their figures, which are kept if they end. */
  #askLater(): void {
    this.#later(ASK_MS, () => {
      for (const slot of this.#slots) {
        if (slot.unanswered++ < MAX_UNANSWERED) {
          slot.ask(this.#options.freshness?.());
        } else {
          slot.reason = `no answer for ${MAX_UNANSWERED * ASK_MS / 1000} s`;
          slot.end();
        }
      }
      this.#askLater();
    });
  }

  /** Returns the figures of all threads but one, `undefined` for this one. */
  async #collectBut(asking: Slot | undefined): Promise<Figures[]> {
    const others = this.#slots.filter((slot) => slot !== asking);
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#later(FIGURES_MS, resolve);
    const freshness = this.#options.freshness?.();
    const asked = others.filter(({ isReady }) => isReady)
      .map((slot) => slot.ask(freshness));
    await Promise.race([promise, Promise.all(asked)]);
    cancel();
    const figures = others.flatMap((slot) =>
      slot.figures ? [slot.figures] : []
    );
    // A thread that ends from here on is among the others.
    figures.push(this.#past);
    if (asking) figures.push(await this.#read());
    figures.push(this.#ownFigures());
    return figures.map((it) => it.filter(isOfThread));
  }

  async #sendFigures(slot: Slot, id: number): Promise<void> {
    const { send } = slot.calls;
    const figures = await this.#collectBut(slot);
    send({ kind: "collected", id, figures });
  }

  #ownFigures(): Figures {
    return [
      gauge(
        "cep_workers",
        "Threads that answer requests.",
        1 + this.#slots.filter(({ isReady }) => isReady).length,
      ),
      counter(
        "cep_worker_restarts_total",
        "Replacements of threads that crashed or hung.",
        this.#restarts,
      ),
    ];
  }

  #later(ms: number, callback: () => void): () => void {
    const cancelCall = this.#schedule(() => {
      this.#cancels.delete(cancel);
      callback();
    }, ms);
    const cancel = () => {
      this.#cancels.delete(cancel);
      cancelCall();
    };
    this.#cancels.add(cancel);
    return cancel;
  }
}

/** Returns false for figures of the process, which every thread reports. */
function isOfThread({ name }: Figures[number]): boolean {
  return !name.startsWith("process_");
}
