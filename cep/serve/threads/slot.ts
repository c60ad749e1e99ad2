import type { Figures } from "../../http/figures.ts";
import type { Freshness } from "../../store/store.ts";
import type { FromThread, ToThread } from "./messages.ts";

/** Thread that listens. */
export interface Thread {
  send(message: ToThread): void;
  /** Ends the thread at once. */
  end(): void;
}

/** Events of a thread. */
export interface ThreadEvents {
  onMessage(message: FromThread): void;
  /** Called when the thread has ended, perhaps several times. */
  onEnd(reason: string): void;
}

/** Starts a thread, by its number, on a port. */
export type StartThread = (
  where: { readonly number: number; readonly port: number },
  events: ThreadEvents,
) => Thread;

/** Milliseconds until the first restart; each further one takes twice as long. */
const FIRST_RESTART_MS = 100;

/** Milliseconds until a restart at most. */
const MAX_RESTART_MS = 30_000;

/** Milliseconds of listening after which a thread counts as stable. */
const STABLE_MS = 10_000;

/** Place of a thread, which may be replaced. */
export class Slot {
  /** Reason of the end that is under way. */
  reason: string | undefined;
  /** Last figures of the thread. */
  figures: Figures | undefined;
  /** Questions in a row without a message of the thread. */
  unanswered = 0;
  #thread: Thread | undefined;
  #isRunning = false;
  #readyAt: number | undefined;
  #failures = 0;
  #lastId = 0;
  readonly #asked = new Map<number, () => void>();
  readonly #reading = new Map<number, PromiseWithResolvers<unknown>>();

  constructor(
    /** Number of the thread, from 2. */
    readonly number: number,
  ) {}

  /** True until the thread has ended. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** True while the thread answers requests. */
  get isReady(): boolean {
    return this.#readyAt !== undefined;
  }

  /** Milliseconds to wait before the next start. */
  get restartMs(): number {
    const ms = FIRST_RESTART_MS * 2 ** (this.#failures - 1);
    return Math.min(ms, MAX_RESTART_MS);
  }

  /** Begins a start. Returns events that end with the thread. */
  starting(
    onMessage: (message: FromThread) => void,
    onEnd: (reason: string) => void,
  ): ThreadEvents {
    let isOver = false;
    this.#isRunning = true;
    this.unanswered = 0;
    return {
      onMessage: (message) => isOver || onMessage(message),
      onEnd(reason) {
        if (isOver) return;
        isOver = true;
        onEnd(reason);
      },
    };
  }

  started(thread: Thread): void {
    this.#thread = thread;
  }

  /** Notes that the thread listens. */
  ready(now: number): void {
    this.#readyAt = now;
  }

  /** Notes the end of the thread; returns its last figures. */
  ended(now: number): Figures | undefined {
    const { figures } = this;
    if (now - (this.#readyAt ?? now) >= STABLE_MS) this.#failures = 0;
    this.#failures++;
    this.#readyAt = undefined;
    this.#thread = undefined;
    this.#isRunning = false;
    this.figures = undefined;
    this.reason = undefined;
    for (const resolve of this.#asked.values()) resolve();
    this.#asked.clear();
    for (const id of [...this.#reading.keys()]) this.hasRead(id, undefined);
    return figures;
  }

  send(message: ToThread): void {
    this.#thread?.send(message);
  }

  /** Ends the thread at once. */
  end(): void {
    this.#thread?.end();
  }

  /** Asks for figures; resolves after the answer or the end of the thread. */
  ask(freshness: Freshness | undefined): Promise<void> {
    if (this.#thread === undefined) return Promise.resolve();
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      this.send({ kind: "ask", id, freshness });
    });
  }

  /** Notes the answer to a question. */
  answered(id: number, figures: Figures | undefined): void {
    if (figures !== undefined) this.figures = figures;
    this.#asked.get(id)?.();
    this.#asked.delete(id);
  }

  /** Calls of the running thread, which do not reach its replacement. */
  get calls(): { send: Thread["send"]; read(id: number): Promise<unknown> } {
    const thread = this.#thread;
    return {
      send: (message) => thread?.send(message),
      read: (id) => {
        if (thread === undefined || thread !== this.#thread) {
          return Promise.reject(new Error("the thread has ended"));
        }
        const reading = Promise.withResolvers<unknown>();
        this.#reading.set(id, reading);
        thread.send({ kind: "read", id });
        return reading.promise;
      },
    };
  }

  /** Notes that the thread has read a part, or has failed. */
  hasRead(id: number, data: unknown): void {
    const reading = this.#reading.get(id);
    this.#reading.delete(id);
    if (data === undefined) reading?.reject(new Error("the part is not read"));
    else reading?.resolve(data);
  }
}
