/**
 * Worker's end of the connection to its supervisor.
 *
 * @module
 */
import process from "node:process";
import {
  decodeFigures,
  encodeFigures,
  type Figures,
  type OtherFigures,
} from "../http/figures.ts";
import type { Spent } from "../http/rate_limiter.ts";
import type { SharedCounter } from "../limits/shared_limiter.ts";
import { later, type Schedule } from "../later.ts";
import type { Logger } from "../logger.ts";
import type { Parent } from "../server/serve.ts";
import type { LenderLink, Unused } from "./loans.ts";
import type { Loan } from "./lender.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** Variable with the number of a worker. */
export const WORKER_VARIABLE = "CEP_WORKER";

/** Milliseconds until the supervisor must have collected all figures. */
const COLLECT_MS = 5000;

/** Milliseconds between two reports of figures, for the case of a crash. */
const REPORT_MS = 1000;

/** Milliseconds after which unused requests are repaid. */
const REPAY_MS = 1000;

/** Connection to the other process. */
export interface Channel {
  send(message: FromWorker): void;
  onMessage(listener: (message: ToWorker) => void): void;
  onEnd(listener: () => void): void;
}

/** Connection of this process to its supervisor. */
export class WorkerLink
  implements Parent, OtherFigures, SharedCounter, LenderLink {
  /** Name for the log. */
  readonly name = "supervisor";
  readonly kind = "Supervisor";
  /** Resolves when the worker must stop, also if the supervisor has ended. */
  readonly stop: Promise<string>;
  readonly #channel: Channel;
  #lastId = 0;
  readonly #collecting = new Map<number, PromiseWithResolvers<Figures[]>>();
  readonly #spending = new Map<
    number,
    {
      readonly clients: readonly string[];
      readonly resolve: (spent: readonly Spent[]) => void;
    }
  >();
  #lent: (client: string, loan: Loan) => void = () => {};
  #recall: (clients?: readonly string[]) => Unused = () => [];
  #repayments: ReturnType<typeof setInterval> | undefined;
  #read = (): Promise<Figures> => Promise.resolve([]);
  #reports: ReturnType<typeof setInterval> | undefined;
  readonly #onSilence: () => void;
  readonly #schedule: Schedule;
  #isSilent = false;

  constructor(
    /** Number among the workers, from 1. */
    readonly number: number,
    channel: Channel,
    /** Called when the supervisor starts not to answer. */
    onSilence = () => {},
    schedule: Schedule = later,
  ) {
    this.#schedule = schedule;
    this.#channel = channel;
    this.#onSilence = onSilence;
    const stop = Promise.withResolvers<string>();
    this.stop = stop.promise;
    channel.onMessage((message) => {
      if (message.type === "stop") stop.resolve(message.reason);
      else this.#receive(message);
    });
    channel.onEnd(() => stop.resolve("the supervisor ended"));
  }

  /** Reports that this worker listens. */
  listening(): void {
    this.#channel.send({ type: "listening" });
  }

  /** Reports the reason of a failure to start. */
  failed(reason: string): void {
    this.#channel.send({ type: "failed", reason });
  }

  /** Sets the function that returns the figures of this worker. */
  provide(read: () => Promise<Figures>): void {
    this.#read = read;
    this.#reports ??= setInterval(() => this.#report(), REPORT_MS);
  }

  /** Returns the figures of all other processes, none if they are late. */
  async collect(own: Figures): Promise<readonly Figures[]> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Figures[]>();
    this.#collecting.set(id, answer);
    const cancel = this.#schedule(
      () => {
        if (!this.#isSilent) this.#onSilence();
        this.#isSilent = true;
        answer.resolve([]);
      },
      COLLECT_MS,
    );
    this.#channel.send({ type: "collect", id, figures: encodeFigures(own) });
    try {
      return await answer.promise;
    } finally {
      cancel();
      this.#collecting.delete(id);
    }
  }

  /** Takes one request per item from the quotas of clients. */
  spend(clients: readonly string[]): Promise<readonly Spent[]> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#spending.set(id, { clients, resolve });
      this.#channel.send({ type: "spend", id, clients });
    });
  }

  /** Calls a function with every loan. */
  onLent(listener: (client: string, loan: Loan) => void): void {
    this.#lent = listener;
  }

  /** Calls a function that returns unused requests, often enough. */
  onRecall(listener: (clients?: readonly string[]) => Unused): void {
    this.#recall = listener;
    this.#repayments ??= setInterval(() => this.#repay(), REPAY_MS);
  }

  /** Rejects if the supervisor does not answer. */
  async probe(): Promise<void> {
    await this.spend([]);
  }

  /** Gives up answers that are late. */
  reconnect(): void {
    this.#spending.clear();
  }

  /** Ends the reports of figures, and the repayments. */
  close(): void {
    clearInterval(this.#reports);
    clearInterval(this.#repayments);
  }

  #receive(message: Exclude<ToWorker, { type: "stop" }>): void {
    switch (message.type) {
      case "ping":
        return this.#channel.send({ type: "pong" });
      case "poll":
        return this.#report(message.id);
      case "recall":
        return this.#repay(message.clients, message.id);
      case "spent":
        return this.#spent(message.id, message.spent);
      case "collected":
        this.#isSilent = false;
        this.#collecting.get(message.id)
          ?.resolve(message.figures.map(decodeFigures));
    }
  }

  #spent(id: number, numbers: readonly number[]): void {
    const spending = this.#spending.get(id);
    this.#spending.delete(id);
    const spent = spending?.clients.map((client, i) => {
      const [allowed, left = 0, lent = 0] = numbers.slice(3 * i, 3 * i + 3);
      const loan = { allowed: allowed === 1, left, lent };
      if (lent > 0) this.#lent(client, loan);
      return loan;
    });
    if (spent) spending!.resolve(spent);
  }

  #repay(clients?: readonly string[], id?: number): void {
    const unused = this.#recall(clients);
    if (unused.length === 0 && id === undefined) return;
    this.#channel.send({ type: "repay", id, unused });
  }

  #report(id?: number): void {
    this.#read().then(
      (figures) =>
        this.#channel.send({
          type: "figures",
          id,
          figures: encodeFigures(figures),
        }),
      () => {}, // The supervisor keeps the last ones.
    );
  }
}

/**
 * Returns the connection of this process to its supervisor, `undefined` if it
 * is not a worker. A worker leaves signals, which a terminal sends to all
 * processes, to its supervisor.
 */
export function joinSupervisor(
  env: Readonly<Record<string, string | undefined>>,
  logger: Logger,
): WorkerLink | undefined {
  // Without the permission to read it, this process is no worker.
  const number = process.send && env[WORKER_VARIABLE];
  if (number === undefined) return undefined;
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
  return new WorkerLink(
    Number(number),
    {
      send(message) {
        // The supervisor may end at any time.
        if (process.connected) process.send!(message, () => {});
      },
      onMessage: (listener) => process.on("message", listener),
      onEnd: (listener) => process.once("disconnect", listener),
    },
    () =>
      logger.warn("The supervisor does not answer: metrics are of one worker", {
        worker: Number(number),
      }),
  );
}
