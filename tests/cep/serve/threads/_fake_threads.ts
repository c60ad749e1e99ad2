/** Fake threads, which run in the thread of the test. */
import { counter, type Figures, gauge } from "../../../../cep/http/figures.ts";
import type { ToThread } from "../../../../cep/serve/threads/messages.ts";
import { PartsBroker } from "../../../../cep/serve/threads/parts_broker.ts";
import type {
  Thread,
  ThreadEvents,
} from "../../../../cep/serve/threads/slot.ts";
import { ThreadLink } from "../../../../cep/serve/threads/thread_link.ts";
import { Threads } from "../../../../cep/serve/threads/threads.ts";
import type { Freshness } from "../../../../cep/store/store.ts";
import { CapturingLogger } from "../../_logger.ts";
import { ManualTimer, settle } from "../../_manual_timer.ts";

/** Thread whose messages take a turn of the event loop. */
export class FakeThread implements Thread {
  readonly link: ThreadLink;
  readonly received: ToThread[] = [];
  /** True if it hangs: it takes messages, but sends none. */
  isStuck = false;
  isEnded = false;
  requests = 0;

  constructor(readonly number: number, readonly events: ThreadEvents) {
    this.link = new ThreadLink((message) => {
      setImmediate(() => {
        if (!this.isStuck && !this.isEnded) this.events.onMessage(message);
      });
    });
    this.link.provide(() => figuresOf(() => this.requests));
    this.link.stop.then(() => this.crash("it has stopped"));
  }

  send(message: ToThread): void {
    this.received.push(message);
    setImmediate(() => {
      if (!this.isStuck && !this.isEnded) this.link.receive(message);
    });
  }

  end(): void {
    this.crash("it was ended");
  }

  crash(reason: string): void {
    this.isEnded = true;
    this.events.onEnd(reason);
  }
}

/** Returns figures of a thread. */
export function figuresOf(requests: () => number): Promise<Figures> {
  return Promise.resolve([
    counter("requests", "Requests.", requests()),
    gauge("lag", "Delay.", requests(), "max"),
    counter("process_cpu_seconds_total", "Time.", 1),
  ]);
}

/** Four threads, of which the first is the test. */
export class FakeThreads {
  readonly timer = new ManualTimer();
  readonly logger = new CapturingLogger();
  /** Collections of garbage in the first thread. */
  collections = 0;
  readonly parts = new PartsBroker(() => this.collections++);
  /** Every thread so far. */
  readonly all: FakeThread[] = [];
  readonly threads: Threads;
  freshness: Freshness | undefined;
  /** Reason why no thread can be started. */
  failure: string | undefined;

  constructor() {
    this.threads = new Threads({
      count: 4,
      start: ({ number }, events) => {
        if (this.failure !== undefined) throw new Error(this.failure);
        const thread = new FakeThread(number, events);
        this.all.push(thread);
        return thread;
      },
      parts: this.parts,
      shutdownSeconds: 10,
      logger: this.logger,
      freshness: () => this.freshness,
      now: this.timer.now,
      schedule: this.timer.schedule,
    });
  }

  /** Starts the threads, which listen. */
  static async listening(): Promise<FakeThreads> {
    const fake = new FakeThreads();
    fake.threads.listen(8080);
    for (const { link } of fake.all) link.listening();
    await settle();
    return fake;
  }

  /** Returns the sums of the figures that a thread collects. */
  async sums(thread?: FakeThread): Promise<Record<string, number>> {
    const own = await figuresOf(() => thread?.requests ?? 0);
    const collected = (thread?.link ?? this.threads).collect(own);
    await this.timer.pass(1000);
    const sums: Record<string, number> = {};
    for (const { name, samples } of (await collected).flat()) {
      sums[name] = (sums[name] ?? 0) + (samples[0]?.value ?? 0);
    }
    return sums;
  }
}
