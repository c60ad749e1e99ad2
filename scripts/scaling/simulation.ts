/**
 * Simulation of clients, a balancer and instances of the service, by events.
 *
 * @module
 */
import { Random } from "../generate_dne/random.ts";
import {
  type Distribution,
  exponential,
  type Uniform,
} from "./distribution.ts";
import { EventQueue } from "./event_queue.ts";
import { Latencies } from "./latencies.ts";
import { type Clock, Machine, Process, type Work } from "./machine.ts";

/**
 * Choice of an instance: at random, in turns, the one with the fewest requests,
 * or always the same for a client.
 */
export type Balancer = "random" | "turns" | "least" | "fixed";

/** Requests that arrive independently of the responses. */
export interface OpenLoad {
  /** Mean number per second, in a Poisson process. */
  readonly rate: number;
}

/** Clients that wait for each response before their next request. */
export interface ClosedLoad {
  readonly clients: number;
  /** Time from a response to the next request of a client. */
  readonly think: Distribution;
  /** Threads of the load generator, which share the cores of the instances. */
  readonly threads?: number;
  /** Processor time of the load generator for a request and its response. */
  readonly work?: Work;
}

/** Instance that loses its requests, and gets none until it is back. */
export interface Loss {
  readonly at: number;
  readonly instance: number;
  /** Seconds until it is back. */
  readonly seconds: number;
}

/** Instance that answers nothing for some time, such as during a swap. */
export interface Pause {
  readonly at: number;
  readonly instance: number;
  readonly seconds: number;
}

/** Options of {@linkcode simulate}. Times are in seconds. */
export interface SimulationOptions {
  /** The same seed gives the same run. */
  readonly seed: number;
  /** Measured time. */
  readonly seconds: number;
  /**
   * Time before the measurement.
   *
   * @default {0}
   */
  readonly warmUp?: number;
  readonly load: OpenLoad | ClosedLoad;
  readonly instances: number;
  /** Processor time of an instance for a response. */
  readonly work: Work;
  /**
   * Time of a request beyond that of queues and processors.
   *
   * @default {0}
   */
  readonly overhead?: number;
  /** @default {"turns"} */
  readonly balancer?: Balancer;
  /**
   * Cores that all processes share.
   *
   * @default {Infinity}
   */
  readonly cores?: number;
  /**
   * Time until a request to a lost instance is sent to another one.
   *
   * @default {0}
   */
  readonly retryAfter?: number;
  /**
   * Time until the balancer leaves out a lost instance.
   *
   * @default {0}
   */
  readonly noticedAfter?: number;
  readonly losses?: readonly Loss[];
  readonly pauses?: readonly Pause[];
}

/** Result of {@linkcode simulate}. */
export interface Simulated {
  /** Responses per second. */
  readonly rate: number;
  /** Requests for which no instance was left. */
  readonly failed: number;
  /** Requests that were sent to another instance. */
  readonly retried: number;
  /** Mean share of the time in which an instance works. */
  readonly utilisation: number;
  /** Times from request to response. */
  readonly latencies: Latencies;
}

/** Simulates a load on instances. */
export function simulate(options: SimulationOptions): Simulated {
  return new Simulation(options).run();
}

/** Request on its way. */
interface Pending {
  readonly client: number;
  start: number;
}

interface Instance {
  readonly process: Process<Pending>;
  lost: boolean;
}

class Simulation implements Clock {
  readonly events = new EventQueue<() => void>();
  now = 0;
  readonly #options: SimulationOptions;
  readonly #uniform: Uniform;
  readonly #instances: Instance[];
  /** Instances that the balancer does not leave out. */
  #usable: Instance[];
  readonly #latencies = new Latencies();
  readonly #onResponse: (request: Pending) => void;
  #turn = 0;
  #failed = 0;
  #retried = 0;

  constructor(options: SimulationOptions) {
    this.#options = options;
    const random = new Random(options.seed, "simulation");
    this.#uniform = () => random.int(2 ** 32) / 2 ** 32;
    const machine = new Machine(options.cores ?? Infinity);
    const { load, instances, work } = options;
    const onDone = (request: Pending) => this.#onResponse(request);
    this.#instances = Array.from({ length: instances }, () => ({
      process: this.#process(machine, work, onDone),
      lost: false,
    }));
    this.#usable = this.#instances;
    this.#scheduleFaults();
    this.#onResponse = "rate" in load
      ? this.#open(load)
      : this.#closed(load, machine);
  }

  run(): Simulated {
    const { seconds, instances, warmUp = 0 } = this.#options;
    let busyBefore = 0;
    this.events.add(warmUp, () => busyBefore = this.#busy());
    for (;;) {
      const event = this.events.next();
      if (event === undefined || event.time > warmUp + seconds) break;
      this.now = event.time;
      event.item();
    }
    return {
      rate: this.#latencies.count / seconds,
      failed: this.#failed,
      retried: this.#retried,
      utilisation: (this.#busy() - busyBefore) / seconds / instances,
      latencies: this.#latencies,
    };
  }

  #busy(): number {
    return this.#instances.reduce((sum, { process }) => sum + process.busy, 0);
  }

  #process(
    machine: Machine,
    work: Work,
    onDone: (request: Pending) => void,
  ): Process<Pending> {
    const uniform = this.#uniform;
    return new Process({ clock: this, uniform, machine, onDone, ...work });
  }

  #after(seconds: number, action: () => void): void {
    this.events.add(this.now + seconds, action);
  }

  #scheduleFaults(): void {
    const { losses = [], pauses = [], noticedAfter = 0 } = this.#options;
    for (const { at, instance, seconds } of losses) {
      const lost = this.#instances[instance]!;
      this.events.add(at, () => this.#lose(lost));
      this.events.add(at + noticedAfter, () => this.#notice());
      this.events.add(at + seconds, () => {
        lost.lost = false;
        this.#notice();
      });
    }
    for (const { at, instance, seconds } of pauses) {
      const { process } = this.#instances[instance]!;
      this.events.add(at, () => process.pause(seconds));
    }
  }

  #notice(): void {
    this.#usable = this.#instances.filter(({ lost }) => !lost);
  }

  #lose(instance: Instance): void {
    instance.lost = true;
    for (const request of instance.process.clear()) {
      this.#retry(request, instance);
    }
  }

  /** Returns the end of a response. */
  #open({ rate }: OpenLoad): (request: Pending) => void {
    const gap = exponential(1 / rate);
    const arrive = () => {
      this.#send({ client: 0, start: this.now });
      this.#after(gap.sample(this.#uniform), arrive);
    };
    this.#after(gap.sample(this.#uniform), arrive);
    const { overhead = 0 } = this.#options;
    return ({ start }) => this.#record(this.now - start + overhead);
  }

  /** Returns the end of a response. */
  #closed(
    { clients, think, threads = 1, work }: ClosedLoad,
    machine: Machine,
  ): (request: Pending) => void {
    const { overhead = 0 } = this.#options;
    const request = (pending: Pending) => {
      pending.start = this.now;
      this.#send(pending);
    };
    const wait = (pending: Pending) =>
      this.#after(think.sample(this.#uniform), () => request(pending));
    const end = (pending: Pending) => {
      this.#record(this.now - pending.start);
      wait(pending);
    };
    const generators = work && Array.from(
      { length: threads },
      () => this.#process(machine, work, end),
    );
    const receive = generators
      ? (it: Pending) => generators[it.client % threads]!.submit(it)
      : end;
    for (let client = 0; client < clients; client++) wait({ client, start: 0 });
    return (pending) => this.#after(overhead, () => receive(pending));
  }

  #record(seconds: number): void {
    const { warmUp = 0 } = this.#options;
    if (this.now >= warmUp) this.#latencies.add(seconds);
  }

  /** Sends a request to an instance, except one that has lost it. */
  #send(request: Pending, except?: Instance): void {
    const instance = this.#choose(request, except);
    if (instance === undefined) this.#failed++;
    else if (instance.lost) this.#retry(request, instance);
    else instance.process.submit(request);
  }

  #retry(request: Pending, lost: Instance): void {
    const { retryAfter = 0 } = this.#options;
    this.#retried++;
    this.#after(retryAfter, () => this.#send(request, lost));
  }

  /** Chooses among the instances that are not left out. */
  #choose(
    { client }: Pending,
    except: Instance | undefined,
  ): Instance | undefined {
    const { balancer = "turns" } = this.#options;
    const usable = except === undefined
      ? this.#usable
      : this.#usable.filter((it) => it !== except);
    const pick = (index: number) => usable[index % usable.length];
    if (balancer === "fixed") return pick(client);
    if (balancer === "turns") return pick(this.#turn++);
    if (balancer === "random") {
      return pick(Math.floor(this.#uniform() * usable.length));
    }
    // Begins at another instance each time, for equal ones to take turns.
    const first = this.#turn++;
    let best = pick(first);
    for (let i = 1; i < usable.length; i++) {
      const it = pick(first + i)!;
      if (it.process.load < best!.process.load) best = it;
    }
    return best;
  }
}
