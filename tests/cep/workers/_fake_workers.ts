/** Supervisor of workers that are no processes. */
import type { Quota } from "../../../cep/http/rate_limiter.ts";
import type { FromWorker, ToWorker } from "../../../cep/workers/messages.ts";
import { SharedLimiter } from "../../../cep/limits/shared_limiter.ts";
import { Loans } from "../../../cep/workers/loans.ts";
import type { WorkerProcess } from "../../../cep/workers/slot.ts";
import { Supervisor } from "../../../cep/workers/supervisor.ts";
import { type Channel, WorkerLink } from "../../../cep/workers/worker.ts";
import { CapturingLogger } from "../_logger.ts";
import { ManualTimer, settle } from "../_manual_timer.ts";

/** Worker without a process, and its link to the supervisor. */
export class FakeWorker implements WorkerProcess, Disposable {
  readonly pid = undefined;
  readonly link: WorkerLink;
  readonly limits: Loans;
  /** Messages of the supervisor. */
  readonly received: ToWorker[] = [];
  /** True if it hangs: it takes messages, but sends none. */
  isStuck = false;
  isKilled = false;
  #toSupervisor: (message: FromWorker) => void = () => {};
  #toLink: (message: ToWorker) => void = () => {};
  #endLink = () => {};
  #onEnd: (reason: string) => void = () => {};

  constructor(readonly number: number, quota: Quota, timer: ManualTimer) {
    const channel: Channel = {
      send: (message) => {
        if (!this.isStuck) setImmediate(() => this.#toSupervisor(message));
      },
      onMessage: (listener) => this.#toLink = listener,
      onEnd: (listener) => this.#endLink = listener,
    };
    this.link = new WorkerLink(number, channel);
    const shared = new SharedLimiter({
      quota,
      counter: this.link,
      logger: new CapturingLogger(),
      boundMs: 1000,
      now: timer.now,
      schedule: timer.schedule,
    });
    this.limits = new Loans(quota, shared, this.link);
  }

  send(message: ToWorker): void {
    this.received.push(message);
    if (!this.isStuck) setImmediate(() => this.#toLink(message));
  }

  kill(): void {
    this.isKilled = true;
    this.end("SIGKILL");
  }

  onMessage(listener: (message: FromWorker) => void): void {
    this.#toSupervisor = listener;
  }

  onEnd(listener: (reason: string) => void): void {
    this.#onEnd = listener;
  }

  /** Ends the worker. */
  end(reason: string): void {
    this.link.close();
    this.#onEnd(reason);
  }

  /** Ends the connection, as the end of the supervisor does. */
  disconnect(): void {
    this.#endLink();
  }

  [Symbol.dispose](): void {
    this.link.close();
  }
}

/** A burst of five requests, and one more every ten seconds. */
const QUOTA: Quota = { max: 3, burst: 2, minutes: 0.5 };

/** Options of {@linkcode Crew}. */
export interface CrewOptions {
  readonly workers?: number;
  readonly quota?: Quota;
  /** Called before the start of each worker; an error fails it. */
  readonly beforeFork?: (started: number) => void;
}

/** Supervisor and its workers. */
export class Crew implements Disposable {
  readonly timer = new ManualTimer();
  readonly logger = new CapturingLogger();
  /** Every worker that was ever started. */
  readonly workers: FakeWorker[] = [];
  /** Numbers of workers at the start of listening. */
  readonly listening: number[] = [];
  readonly #stop = Promise.withResolvers<string>();
  /** End of the supervisor: "stopped", or the message of its error. */
  readonly ended: Promise<string>;
  isEnded = false;

  constructor(
    { workers = 2, quota = QUOTA, beforeFork = () => {} }: CrewOptions = {},
  ) {
    const supervisor = new Supervisor({
      workers,
      fork: (number) => {
        beforeFork(this.workers.length);
        const worker = new FakeWorker(number, quota, this.timer);
        this.workers.push(worker);
        return worker;
      },
      quota,
      shutdownSeconds: 10,
      logger: this.logger,
      onListening: (workers) => this.listening.push(workers),
      now: this.timer.now,
      schedule: this.timer.schedule,
    });
    this.ended = supervisor.run(this.#stop.promise)
      .then(() => "stopped", (error) => error.message)
      .finally(() => this.isEnded = true);
  }

  /** Starts a supervisor whose workers listen. */
  static async listening(options?: CrewOptions): Promise<Crew> {
    const crew = new Crew(options);
    for (const worker of crew.workers) worker.link.listening();
    await settle();
    return crew;
  }

  /** Asks the supervisor to stop. */
  async stop(reason = "SIGTERM"): Promise<void> {
    this.#stop.resolve(reason);
    await settle();
  }

  [Symbol.dispose](): void {
    for (const worker of this.workers) worker[Symbol.dispose]();
  }
}
