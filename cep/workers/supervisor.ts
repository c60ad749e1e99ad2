/**
 * Start, restart and stop of workers, and what they share.
 *
 * @module
 */
import { Registry } from "prom-client";
import {
  decodeFigures,
  encodeFigures,
  type Figures,
  lastingFigures,
} from "../http/figures.ts";
import { counter, gauge } from "../http/metric.ts";
import { registerProcess } from "../http/process_metrics.ts";
import type { Quota } from "../http/rate_limiter.ts";
import { later, type Schedule } from "../later.ts";
import type { Logger } from "../logger.ts";
import { reasonOf } from "../reason_of.ts";
import { Lender } from "./lender.ts";
import type { FromWorker } from "./messages.ts";
import { RollCall } from "./roll_call.ts";
import { type Fork, Slot, type WorkerProcess } from "./slot.ts";

/** Options of {@linkcode Supervisor}. */
export interface SupervisorOptions {
  /** Number of workers. */
  readonly workers: number;
  readonly fork: Fork;
  /** Limit of the requests of each client. */
  readonly quota: Quota;
  /** Seconds to wait for requests in flight on shutdown. */
  readonly shutdownSeconds: number;
  readonly logger: Logger;
  /** Called when the first workers listen, with their number. */
  readonly onListening: (workers: number) => void;
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

/** Milliseconds for workers to report their figures. */
const POLL_MS = 1000;

/** Milliseconds for workers to repay requests. */
const RECALL_MS = 500;

/** Milliseconds after which a start is logged as slow. */
const SLOW_START_MS = 30_000;

/** Milliseconds for a start; a worker that takes longer is killed. */
const MAX_START_MS = 600_000;

/**
 * Milliseconds until a restart at least while no worker has listened yet: all
 * may fail for the same reason, which then ends the supervisor.
 */
const FIRST_RESTART_MS = 5000;

/** Milliseconds between two questions for a sign of life. */
const PING_MS = 5000;

/** Questions without any message in between after which a worker is killed. */
const MAX_UNANSWERED = 6;

/** Milliseconds that workers get in addition to `shutdownSeconds`. */
const MARGIN_MS = 2000;

/** Workers of one port. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #now: () => number;
  readonly #schedule: Schedule;
  readonly #slots: readonly Slot[];
  readonly #lender: Lender;
  readonly #rollCall: RollCall;
  readonly #registry = new Registry();
  readonly #end = Promise.withResolvers<void>();
  /** Figures of workers that have ended. */
  #past: Promise<Figures> = Promise.resolve([]);
  readonly #cancels = new Set<() => void>();
  #restarts = 0;
  #hasListened = false;
  #isReported = false;
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#schedule = options.schedule ?? later;
    this.#slots = Array.from(
      { length: options.workers },
      (_, i) => new Slot(i + 1),
    );
    this.#rollCall = new RollCall((call, ms) => this.#later(ms, call));
    this.#lender = new Lender({
      quota: options.quota,
      workers: options.workers,
      now: this.#now,
      recall: (number, clients) =>
        this.#rollCall.ask(
          this.#slots.filter((slot) => slot.number === number),
          RECALL_MS,
          (slot, id) => slot.process?.send({ type: "recall", id, clients }),
        ),
    });
    registerProcess(this.#registry);
    gauge(
      this.#registry,
      "cep_workers",
      "Workers that answer requests.",
      () => this.#in("ready").length,
    );
    counter(
      this.#registry,
      "cep_worker_restarts_total",
      "Restarts of workers that crashed or hung.",
      () => this.#restarts,
    );
  }

  /**
   * Runs the workers until a promise resolves with a reason. Each then
   * completes its requests in flight.
   *
   * @throws {Error} If the workers cannot be started, with the reason of one.
   */
  async run(stop: Promise<string>): Promise<void> {
    stop.then((reason) => this.#stop(reason));
    for (const slot of this.#slots) this.#start(slot);
    this.#pingLater();
    try {
      await this.#end.promise;
    } finally {
      for (const cancel of this.#cancels) cancel();
    }
  }

  #in(state: Slot["state"]): Slot[] {
    return this.#slots.filter((slot) => slot.state === state);
  }

  #start(slot: Slot): void {
    let process: WorkerProcess;
    try {
      process = this.#options.fork(slot.number);
    } catch (error) {
      return this.#ended(slot, reasonOf(error));
    }
    slot.starting(process);
    this.#limitStart(slot);
    this.#options.logger.debug("Started worker", {
      worker: slot.number,
      pid: process.pid,
    });
    process.onMessage((message) => {
      if (slot.process === process) this.#receive(slot, message);
    });
    process.onEnd((reason) => {
      if (slot.process === process) this.#ended(slot, reason);
    });
  }

  /** Logs a start that takes long, and ends one that takes too long. */
  #limitStart(slot: Slot): void {
    slot.cancelNext = this.#later(SLOW_START_MS, () => {
      slot.isSlow = true;
      this.#options.logger.warn("Worker takes long to start", {
        worker: slot.number,
        seconds: SLOW_START_MS / 1000,
        max_seconds: MAX_START_MS / 1000,
      });
      slot.cancelNext = this.#later(
        MAX_START_MS - SLOW_START_MS,
        () => this.#kill(slot, `not listening after ${MAX_START_MS / 1000} s`),
      );
      this.#report();
    });
  }

  /** Asks workers for a sign of life from time to time. */
  #pingLater(): void {
    this.#later(PING_MS, () => {
      for (const slot of this.#in("ready")) {
        if (slot.unanswered === MAX_UNANSWERED) {
          const seconds = MAX_UNANSWERED * PING_MS / 1000;
          this.#kill(slot, `no answer for ${seconds} s`);
          slot.unanswered = 0;
        }
        slot.unanswered++;
        slot.process?.send({ type: "ping" });
      }
      this.#pingLater();
    });
  }

  #kill(slot: Slot, reason: string): void {
    this.#options.logger.error("Killing a worker", {
      worker: slot.number,
      pid: slot.process?.pid,
      error: reason,
    });
    slot.reason = reason;
    slot.process?.kill();
  }

  #receive(slot: Slot, message: FromWorker): void {
    slot.unanswered = 0;
    switch (message.type) {
      case "listening":
        return this.#listening(slot);
      case "failed":
        slot.reason = message.reason;
        return;
      case "figures":
        slot.figures = message.figures;
        return this.#rollCall.answered(slot, message.id);
      case "spend":
        this.#spend(slot, message.id, message.clients);
        return;
      case "repay":
        for (const [client, unused] of message.unused) {
          this.#lender.repay(slot.number, client, unused);
        }
        return this.#rollCall.answered(slot, message.id);
      case "collect":
        slot.figures = message.figures;
        this.#collect(slot, message.id);
    }
  }

  #listening(slot: Slot): void {
    slot.ready(this.#now());
    if (this.#isStopping) return;
    if (this.#isReported) {
      this.#options.logger.info("Worker listens", { worker: slot.number });
    }
    if (!this.#hasListened) {
      this.#hasListened = true;
      for (const down of this.#in("down")) this.#restart(down);
    }
    this.#report();
  }

  /** Reports once that workers listen, when the first start is over. */
  #report(): void {
    if (this.#isReported || this.#in("ready").length === 0) return;
    const isAwaited = ({ hasFailed, isSlow }: Slot) => !hasFailed && !isSlow;
    if (this.#in("starting").some(isAwaited)) return;
    this.#isReported = true;
    this.#options.onListening(this.#in("ready").length);
  }

  #ended(slot: Slot, reason: string): void {
    const error = slot.reason ?? reason;
    this.#keep(slot.ended(this.#now()));
    this.#lender.forget(slot.number);
    this.#rollCall.ended(slot);
    if (this.#isStopping) {
      if (this.#slots.every(({ process }) => process === undefined)) {
        this.#end.resolve();
      }
      return;
    }
    if (this.#slots.every((it) => it.state === "down" && it.hasFailed)) {
      this.#isStopping = true;
      this.#end.reject(new Error(`Cannot start the workers: ${error}`));
      return;
    }
    const ms = this.#restart(slot);
    this.#options.logger.error("Worker ended, and will be restarted", {
      worker: slot.number,
      error,
      restart_ms: ms,
    });
    this.#report();
  }

  /** Starts a worker again later; returns the milliseconds until then. */
  #restart(slot: Slot): number {
    const least = this.#hasListened ? 0 : FIRST_RESTART_MS;
    const ms = Math.max(slot.restartMs, least);
    slot.cancelNext();
    slot.cancelNext = this.#later(ms, () => {
      this.#restarts++;
      this.#start(slot);
    });
    return ms;
  }

  #later(ms: number, callback: () => void): () => void {
    const cancel = this.#schedule(() => {
      this.#cancels.delete(cancel);
      callback();
    }, ms);
    this.#cancels.add(cancel);
    return () => {
      this.#cancels.delete(cancel);
      cancel();
    };
  }

  #stop(reason: string): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const { logger, shutdownSeconds } = this.#options;
    logger.info("Stopping", { reason });
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
    const running = this.#slots.filter(({ process }) => process !== undefined);
    if (running.length === 0) return this.#end.resolve();
    for (const { process, state } of running) {
      if (state === "ready") process!.send({ type: "stop", reason });
      else process!.kill(); // It answers no requests yet.
    }
    this.#later(shutdownSeconds * 1000 + MARGIN_MS, () => {
      for (const { process } of this.#slots) process?.kill();
    });
  }

  /** Adds the figures of a worker that has ended to those of the others. */
  #keep(figures: string | undefined): void {
    if (figures === undefined) return;
    this.#past = this.#past.then((past) =>
      lastingFigures([past, decodeFigures(figures)])
    );
  }

  /** Sends the figures of all others to a worker. */
  async #collect(slot: Slot, id: number): Promise<void> {
    const { process } = slot;
    const own = await this.#registry.getMetricsAsJSON();
    await this.#rollCall.ask(
      this.#in("ready").filter((other) => other !== slot),
      POLL_MS,
      (other, id) => other.process?.send({ type: "poll", id }),
    );
    // From here to `await`, no worker can end between the two.
    const others = this.#slots
      .filter((other) => other !== slot)
      .flatMap(({ figures }) => figures ?? []);
    const past = await this.#past;
    const figures = [...others, ...[past, own].map(encodeFigures)];
    process?.send({ type: "collected", id, figures });
  }

  /** Counts requests for a worker. */
  async #spend(
    { number, process }: Slot,
    id: number,
    clients: readonly string[],
  ): Promise<void> {
    const loans = await this.#lender.spend(number, clients);
    const spent = loans.flatMap(({ allowed, left, lent }) => [
      Number(allowed),
      left,
      lent,
    ]);
    process?.send({ type: "spent", id, spent });
  }
}
