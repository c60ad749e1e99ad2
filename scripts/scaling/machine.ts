/**
 * Processes that take turns on the cores of a machine.
 *
 * @module
 */
import type { Distribution, Uniform } from "./distribution.ts";
import type { EventQueue } from "./event_queue.ts";
import { Fifo } from "./fifo.ts";

/** Time of a simulation, and its events. */
export interface Clock {
  /** Seconds since the start. */
  readonly now: number;
  /** Actions to come. */
  readonly events: EventQueue<() => void>;
}

/** Process that a machine runs. */
interface Runnable {
  /** Runs one task, and then releases the core. */
  runTask(): void;
}

/** Cores, each of which runs one process at a time, for one task. */
export class Machine {
  #free: number;
  readonly #ready = new Fifo<Runnable>();

  constructor(cores: number) {
    this.#free = cores;
  }

  /** Runs a task of a process as soon as a core is free. */
  start(process: Runnable): void {
    if (this.#free === 0) return this.#ready.push(process);
    this.#free--;
    process.runTask();
  }

  /** Passes a core on to the process that has waited longest. */
  release(): void {
    const next = this.#ready.shift();
    if (next === undefined) this.#free++;
    else next.runTask();
  }
}

/** Processor time of tasks. */
export interface Work {
  /** Time of a task. */
  readonly service: Distribution;
  /** Additional time of the first task after a time without work. */
  readonly wakeUp: Distribution;
}

/** Options of a {@linkcode Process}. */
export interface ProcessOptions<T> extends Work {
  readonly clock: Clock;
  readonly uniform: Uniform;
  readonly machine: Machine;
  /** Called at the end of each task. */
  readonly onDone: (task: T) => void;
}

/** Process with one thread, which does its tasks in order. */
export class Process<T> implements Runnable {
  readonly #options: ProcessOptions<T>;
  readonly #tasks = new Fifo<T>();
  /** Has a core, or waits for one. */
  #active = false;
  #asleep = true;
  #pausedUntil = 0;
  #cleared = 0;
  #busy = 0;

  constructor(options: ProcessOptions<T>) {
    this.#options = options;
  }

  /** Number of tasks that are not done. */
  get load(): number {
    return this.#tasks.size;
  }

  /** Seconds of processor time so far. */
  get busy(): number {
    return this.#busy;
  }

  /** Adds a task. */
  submit(task: T): void {
    this.#tasks.push(task);
    this.#activate();
  }

  /** Begins no task for some time. */
  pause(seconds: number): void {
    this.#pausedUntil = this.#options.clock.now + seconds;
  }

  /** Removes all tasks and returns them. */
  clear(): T[] {
    this.#cleared++;
    return this.#tasks.clear();
  }

  /** Does the first task; called by the machine. */
  runTask(): void {
    const { clock, uniform, service, wakeUp } = this.#options;
    let seconds = service.sample(uniform);
    if (this.#asleep) seconds += wakeUp.sample(uniform);
    this.#asleep = false;
    this.#busy += seconds;
    const start = Math.max(clock.now, this.#pausedUntil);
    const cleared = this.#cleared;
    clock.events.add(start + seconds, () => this.#end(cleared));
  }

  #activate(): void {
    if (this.#active || this.#tasks.size === 0) return;
    this.#active = true;
    this.#options.machine.start(this);
  }

  #end(cleared: number): void {
    // The task may have been removed in the meantime.
    const task = cleared === this.#cleared ? this.#tasks.shift() : undefined;
    this.#active = false;
    this.#asleep = this.#tasks.size === 0;
    this.#activate();
    this.#options.machine.release();
    if (task !== undefined) this.#options.onDone(task);
  }
}
