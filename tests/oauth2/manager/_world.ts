/** Processes that share a store and a session, in virtual time. */
import {
  TokenManager,
  TokenManagerError,
  type TokenStore,
} from "../../../oauth2/manager/mod.ts";
import { MemoryStore } from "../../../oauth2/stores/mod.ts";
import { AccessToken } from "../../../oauth2/mod.ts";
import { createClient, SITE } from "../_client.ts";
import { settle } from "../_settle.ts";
import { immediateResponse } from "./_immediate_response.ts";
import { RotatingServer } from "./_rotating_server.ts";
import { Scheduler } from "./_scheduler.ts";

/** Operations that the shared store has. */
export type StoreKind = "compareAndSwap" | "lock";

/** Plan of a run. */
export interface Plan {
  readonly seed: number;
  readonly store?: StoreKind;
  /** Callers, distributed among four processes. @default {100} */
  readonly callers?: number;
  /** Requests of each caller. @default {1} */
  readonly calls?: number;
  /** Longest pause of a caller in milliseconds. @default {1000} */
  readonly pause?: number;
  /** Milliseconds during which the server forgives a reuse. @default {0} */
  readonly overlap?: number;
  /** Steps at which the process of the step ends. */
  readonly crashes?: ReadonlySet<number>;
  /** Steps whose store operation fails, before or after it was done. */
  readonly storeFaults?: ReadonlyMap<number, "before" | "after">;
  /** Steps at which the process stops for a minute. */
  readonly stalls?: ReadonlySet<number>;
  /** Probability of a crash at each step. @default {0} */
  readonly crashRate?: number;
}

/** Outcome of a run. */
export interface Outcome {
  readonly server: RotatingServer;
  /** Steps of all processes. */
  readonly steps: readonly string[];
  /** Crashes and stalls between a rotation at the server and its storage. */
  readonly lostRotations: number;
  /** Requests with a token that was never stored. */
  readonly unstored: number;
  /** Statuses of responses, and codes of errors, by number. */
  readonly results: Readonly<Record<string, number>>;
}

const PROCESSES = 4;
const KEY = "session";
/** Longest time of a step in milliseconds. */
const STEP = 40;

interface Process {
  isAlive: boolean;
  /** True while the server has rotated, and the store has not the token. */
  hasRotated: boolean;
  manager: TokenManager;
}

/** Runs a plan. */
export async function simulate(plan: Plan): Promise<Outcome> {
  const scheduler = new Scheduler(plan.seed);
  const world = new World(plan, scheduler);
  try {
    return await scheduler.run(world.run());
  } finally {
    await world.close();
  }
}

class World {
  readonly #plan: Plan;
  readonly #scheduler: Scheduler;
  readonly #server: RotatingServer;
  readonly #values = new MemoryStore();
  readonly #processes: Process[] = [];
  readonly #hanging: ((error: Error) => void)[] = [];
  readonly #steps: string[] = [];
  readonly #results: Record<string, number> = {};
  #lock: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #lostRotations = 0;
  #unstored = 0;
  readonly #stored = new Set<string>();
  #ids = 0;
  #left = 0;
  #finish = () => {};

  constructor(plan: Plan, scheduler: Scheduler) {
    this.#plan = plan;
    this.#scheduler = scheduler;
    const { overlap = 0 } = plan;
    this.#server = new RotatingServer({ now: () => scheduler.now, overlap });
  }

  async run(): Promise<Outcome> {
    const { callers = 100, calls = 1 } = this.#plan;
    const finished = new Promise<void>((done) => this.#finish = done);
    for (let i = 0; i < PROCESSES; i++) this.#processes[i] = this.#start();
    const client = createClient({ clock: () => this.#scheduler.now });
    const token = AccessToken.fromHash(client, this.#server.login());
    const { manager } = this.#start(false);
    await manager.set(token);
    this.#remember(await this.#values.get(KEY));
    // Just before the expiry.
    await this.#scheduler.sleep(299_500);
    this.#left = callers * calls;
    for (let i = 0; i < callers; i++) this.#call(i % PROCESSES, calls);
    await finished;
    return {
      server: this.#server,
      steps: this.#steps,
      lostRotations: this.#lostRotations,
      unstored: this.#unstored,
      results: this.#results,
    };
  }

  /** Ends the requests of processes that have ended, which have timers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const reject of this.#hanging) reject(new Error("closed"));
    await settle();
  }

  #watch(reject: (error: Error) => void): void {
    if (this.#isClosed) reject(new Error("closed"));
    else this.#hanging.push(reject);
  }

  /** Calls the API again and again, also after the process was restarted. */
  async #call(index: number, calls: number): Promise<void> {
    for (let i = 0; i < calls; i++) {
      await this.#scheduler.pause(this.#plan.pause ?? 1000);
      const process = this.#processes[index]!;
      const result = await new Promise<string>((resolve) => {
        process.manager.fetch("/me").then(
          ({ status }) => resolve(String(status)),
          (error) => resolve(nameOf(error)),
        );
        this.#whenEnded(process, () => resolve("crash"));
      });
      this.#results[result] = (this.#results[result] ?? 0) + 1;
      if (--this.#left === 0) this.#finish();
    }
  }

  readonly #watchers = new Map<Process, (() => void)[]>();

  #whenEnded(process: Process, run: () => void): void {
    if (!process.isAlive) return run();
    const watchers = this.#watchers.get(process) ?? [];
    watchers.push(run);
    this.#watchers.set(process, watchers);
  }

  /** Counts a step of a process, and ends the process if it is planned. */
  async #step(process: Process, name: string): Promise<void> {
    this.#steps.push(name);
    const { crashes, crashRate = 0 } = this.#plan;
    const isPlanned = crashes?.has(this.#steps.length) ||
      crashRate > 0 && this.#scheduler.random() < crashRate;
    if (isPlanned) this.#crash(process);
    if (!process.isAlive) await new Promise(() => {});
    if (this.#plan.stalls?.has(this.#steps.length)) {
      if (process.hasRotated) this.#lostRotations++;
      await this.#scheduler.sleep(60_000, () => process.isAlive);
    }
    await this.#scheduler.pause(STEP, () => process.isAlive);
  }

  #crash(process: Process): void {
    const index = this.#processes.indexOf(process);
    if (index < 0) return;
    process.isAlive = false;
    if (process.hasRotated) this.#lostRotations++;
    this.#processes[index] = this.#start();
    for (const run of this.#watchers.get(process) ?? []) run();
  }

  #start(isWatched = true): Process {
    const scheduler = this.#scheduler;
    const process = { isAlive: true, hasRotated: false } as Process;
    const client = createClient({
      clock: () => scheduler.now,
      fetch: (url, init) => this.#fetch(process, url, init),
    });
    process.manager = new TokenManager({
      client,
      store: isWatched ? this.#storeOf(process) : this.#values,
      key: KEY,
      wait: (milliseconds) =>
        scheduler.sleep(milliseconds, () => process.isAlive),
      random: () => `id-${this.#ids++}`,
    });
    return process;
  }

  #fetch(
    process: Process,
    url: string,
    init: RequestInit,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#watch(reject);
      this.#answer(process, url, init).then(resolve, reject);
    });
  }

  async #answer(
    process: Process,
    url: string,
    init: RequestInit,
  ): Promise<Response> {
    const isRefresh = url === `${SITE}/oauth/token`;
    const purpose = isRefresh ? "refresh" : "request";
    await this.#step(process, `send ${purpose}`);
    // The request arrives even if the process ends.
    await this.#scheduler.pause(STEP);
    const response = isRefresh
      ? this.#refresh(process, init)
      : this.#serve(init);
    await this.#step(process, `receive ${purpose}`);
    return response;
  }

  #serve({ headers }: RequestInit): Response {
    const authorization = new Headers(headers).get("authorization");
    const token = authorization?.replace("Bearer ", "") ?? "";
    if (!this.#stored.has(token)) this.#unstored++;
    return this.#server.serve(authorization);
  }

  /** Remembers the access token of a stored value. */
  #remember(value: string | undefined): void {
    this.#stored.add(JSON.parse(value ?? "{}").token?.access_token);
  }

  #refresh(process: Process, { body }: RequestInit): Response {
    const fields = new URLSearchParams(String(body));
    const token = this.#server.rotate(fields.get("refresh_token")!);
    const response = immediateResponse(token);
    if (response.ok) {
      if (process.isAlive) process.hasRotated = true;
      else this.#lostRotations++;
    }
    return response;
  }

  #storeOf(process: Process): TokenStore {
    const operate = <T>(name: string, run: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        this.#watch(reject);
        step(name, run).then(resolve, reject);
      });
    const step = async <T>(name: string, run: () => Promise<T>) => {
      await this.#step(process, name);
      const fault = this.#plan.storeFaults?.get(this.#steps.length);
      const result = fault !== "before" && await run();
      await this.#step(process, `${name}: done`);
      if (fault) throw new Error("connection lost");
      return result as T;
    };
    const values = this.#values;
    const set: TokenStore["set"] = (key, value) =>
      operate(nameOfWrite(value), async () => {
        await values.set(key, value);
        this.#remember(value);
        process.hasRotated = false;
      });
    const get: TokenStore["get"] = (key) =>
      operate("get", () => values.get(key));
    if (this.#plan.store === "lock") {
      return { get, set, lock: (_key, run) => this.#runLocked(process, run) };
    }
    return {
      get,
      set,
      compareAndSwap: (...args) =>
        operate(nameOfWrite(args[2]), async () => {
          const isSwapped = await values.compareAndSwap(...args);
          if (isSwapped) this.#remember(args[2]);
          if (isSwapped) process.hasRotated = false;
          return isSwapped;
        }),
    };
  }

  /** Lock that the end of its process releases. */
  #runLocked<T>(process: Process, run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#watch(reject);
      this.#waitForLock(process, run).then(resolve, reject);
    });
  }

  async #waitForLock<T>(process: Process, run: () => Promise<T>): Promise<T> {
    await this.#step(process, "lock");
    const before = this.#lock;
    let release = () => {};
    this.#lock = new Promise<void>((done) => release = done);
    this.#whenEnded(process, release);
    await before;
    if (!process.isAlive) await new Promise(() => {});
    try {
      return await run();
    } finally {
      release();
    }
  }
}

/** Name of the step that stores a value. */
function nameOfWrite(value: string | undefined): string {
  return value?.includes("claimed_until") ? "claim" : "save";
}

function nameOf(error: unknown): string {
  return error instanceof TokenManagerError ? error.code : String(error);
}
