/**
 * Place of a worker, whose process may be replaced.
 *
 * @module
 */
import type { FromWorker, ToWorker } from "./messages.ts";

/** Process of a worker. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  send(message: ToWorker): void;
  /** Ends the process at once. */
  kill(): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** Calls a function, with the reason, when the process has ended. */
  onEnd(listener: (reason: string) => void): void;
}

/** Starts the process of a worker, by its number from 1. */
export type Fork = (number: number) => WorkerProcess;

/** Milliseconds until the first restart; each further one takes twice as long. */
const FIRST_RESTART_MS = 100;

/** Milliseconds until a restart at most. */
const MAX_RESTART_MS = 30_000;

/** Milliseconds of listening after which a worker counts as stable. */
const STABLE_MS = 10_000;

/** Place of a worker. */
export class Slot {
  process: WorkerProcess | undefined;
  state: "down" | "starting" | "ready" = "down";
  /** Reason of the last failure, as the worker reported it. */
  reason: string | undefined;
  /** Last figures of the running process, as JSON. */
  figures: string | undefined;
  /** True if the last process that ended had not listened. */
  hasFailed = false;
  /** True if the start takes unusually long. */
  isSlow = false;
  /** Questions in a row that the process has not answered. */
  unanswered = 0;
  /** Cancels what follows by itself: the restart, or the end of a start. */
  cancelNext = () => {};
  #failures = 0;
  #readyAt: number | undefined;

  constructor(readonly number: number) {}

  /** Notes that a process was started. */
  starting(process: WorkerProcess): void {
    this.process = process;
    this.state = "starting";
    this.isSlow = false;
  }

  /** Notes that the process listens. */
  ready(now: number): void {
    this.cancelNext();
    this.state = "ready";
    this.hasFailed = false;
    this.unanswered = 0;
    this.#readyAt = now;
  }

  /** Notes the end of the process; returns its last figures. */
  ended(now: number): string | undefined {
    const { figures } = this;
    this.cancelNext();
    this.process = undefined;
    this.hasFailed = this.#readyAt === undefined;
    this.reason = undefined;
    this.state = "down";
    this.figures = undefined;
    if (now - (this.#readyAt ?? now) >= STABLE_MS) this.#failures = 0;
    this.#failures++;
    this.#readyAt = undefined;
    return figures;
  }

  /** Milliseconds to wait before the next start. */
  get restartMs(): number {
    const ms = FIRST_RESTART_MS * 2 ** (this.#failures - 1);
    return Math.min(ms, MAX_RESTART_MS);
  }
}
