/**
 * Four processes that sign in and out, renew and crash, in virtual time, and the
 * rules that they break.
 */
import {
  TokenManager,
  TokenManagerError,
  type TokenStore,
} from "../../../oauth2/manager/mod.ts";
import { AccessToken } from "../../../oauth2/mod.ts";
import { MemoryStore } from "../../../oauth2/stores/mod.ts";
import { createClient, SITE } from "../_client.ts";
import { immediateResponse } from "./_immediate_response.ts";
import { Scheduler } from "./_scheduler.ts";
import { LIFETIME, type Session, SessionServer } from "./_session_server.ts";

/** Plan of a run. */
export interface Plan {
  readonly seed: number;
  /** Operations that the store has. */
  readonly store: "compareAndSwap" | "lock";
  /** Seconds for which a process trusts its memory. */
  readonly maxStale: number;
  /** Probability that a process ends at a step. */
  readonly crashRate: number;
  /**
   * Probability that an operation of the store times out. Its write lands before
   * that, later, much later or never.
   */
  readonly timeoutRate: number;
}

/** Outcome of a run. */
export interface Outcome {
  /** Rules that were broken. */
  readonly violations: string[];
  /** Number of events by kind. */
  readonly counts: Record<string, number>;
}

const PROCESSES = 4;
const KEY = "key";
const ACTIONS = [
  ..."use use use use use use use use revoke revoke clear set set".split(" "),
] as Action[];
/** Calls of a run. */
const CALLS = 26;
/** Longest time of a step in milliseconds, usually and sometimes. */
const STEP = 40;
const SLOW_STEP = 1500;
/** Timeout of a refresh and of an operation of the store in milliseconds. */
const TIMEOUT = 5000;
/** Part of a claim that is left to save a token in milliseconds. */
const RESERVE = 15_000;

type Action = "use" | "revoke" | "clear" | "set";

/** Call of an application. */
interface Call {
  readonly action: Action;
  readonly start: number;
  /** Session that it read first, of a call with a manager of its own. */
  first?: string | undefined;
  hasRead?: boolean;
  /** True if it has seen the session marked as revoked, or marked it. */
  hasSeenEnd?: boolean;
  readonly isOwn: boolean;
}

interface Process {
  isAlive: boolean;
  manager: TokenManager;
  /** Calls that may change the session, also after they have ended. */
  readonly changing: Set<Action>;
  /** Time at which an operation of the store failed last. */
  failedAt: number;
}

/** Refresh token that only one process knows. */
interface Unsaved {
  readonly process: Process;
  readonly at: number;
}

/** Runs a plan. */
export async function signOut(plan: Plan): Promise<Outcome> {
  const scheduler = new Scheduler(plan.seed);
  const world = new World(plan, scheduler);
  return await scheduler.run(world.run());
}

class World {
  readonly #plan: Plan;
  readonly #scheduler: Scheduler;
  readonly #server = new SessionServer();
  readonly #values = new MemoryStore();
  readonly #processes: Process[] = [];
  readonly #violations: string[] = [];
  readonly #counts: Record<string, number> = {};
  /** Times at which sessions ended in the store. */
  readonly #ended = new Map<string, number>();
  readonly #unsaved = new Map<string, Unsaved>();
  /** Refresh tokens that the store has had. */
  readonly #stored = new Set<string>();
  /** Sessions that a crash may have cost a token. */
  readonly #excused = new Set<string>();
  #current: string | undefined;
  /** Session of the last login that was stored, unless another call ended it. */
  #latest: string | undefined;
  #lock: Promise<unknown> = Promise.resolve();
  #ids = 0;
  #isQuiet = false;

  constructor(plan: Plan, scheduler: Scheduler) {
    this.#plan = plan;
    this.#scheduler = scheduler;
  }

  async run(): Promise<Outcome> {
    const scheduler = this.#scheduler;
    for (let i = 0; i < PROCESSES; i++) this.#processes[i] = this.#start();
    await this.#login(this.#processes[0]!, false);
    const calls: Promise<void>[] = [];
    for (let left = CALLS; left > 0;) {
      // Calls come in bursts, often when the token is to be renewed.
      await scheduler.sleep(
        this.#pick([200, 3000, 20_000, LIFETIME * 750, LIFETIME * 990]),
      );
      const size = Math.min(left, 1 + Math.floor(scheduler.random() * 6));
      left -= size;
      for (let i = 0; i < size; i++) calls.push(this.#call());
    }
    await Promise.race([Promise.all(calls), scheduler.sleep(200_000)]);
    await scheduler.sleep(200_000);
    this.#isQuiet = true;
    await this.#checkEnd();
    return { violations: this.#violations, counts: this.#counts };
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#scheduler.random() * items.length)]!;
  }

  #count(name: string): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + 1;
  }

  #fail(rule: string): void {
    this.#violations.push(`seed ${this.#plan.seed}: ${rule}`);
  }

  /** One call of an application, in some process. */
  async #call(): Promise<void> {
    const scheduler = this.#scheduler;
    await scheduler.pause(this.#pick([1, 60, 400]));
    const process = this.#pick(this.#processes);
    const action = this.#pick(ACTIONS);
    // An application may have a manager for each request.
    const isOwn = scheduler.random() < 0.5;
    const call: Call = { action, start: scheduler.now, isOwn };
    if (action === "set") return await this.#login(process, isOwn);
    const manager = isOwn ? this.#manage(process, call) : process.manager;
    if (action !== "use") process.changing.add(action);
    await this.#run(process, action, async () => {
      if (action === "clear") return await manager.clear();
      if (action === "use") {
        const { token } = await manager.token();
        return this.#checkUse(process, token, call);
      }
      await manager.revoke();
      if (process.isAlive) this.#checkRevoked(call);
    });
  }

  /** Runs a call until it settles, or its process ends. */
  async #run(
    process: Process,
    name: string,
    call: () => Promise<void>,
  ): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#deaths(process).push(resolve);
      call().then(
        () => resolve(this.#count(name)),
        (error) => {
          if (!process.isAlive) return;
          if (!(error instanceof TokenManagerError)) throw error;
          this.#count(error.code);
          resolve();
        },
      );
    });
  }

  readonly #watchers = new Map<Process, (() => void)[]>();

  #deaths(process: Process): (() => void)[] {
    const watchers = this.#watchers.get(process) ?? [];
    this.#watchers.set(process, watchers);
    return watchers;
  }

  async #login(process: Process, isOwn: boolean): Promise<void> {
    const fields = this.#server.login();
    const name = this.#server.sessionOf(String(fields.refresh_token)).name;
    const call: Call = { action: "set", start: this.#scheduler.now, isOwn };
    const manager = isOwn ? this.#manage(process, call) : process.manager;
    process.changing.add("set");
    const token = AccessToken.fromHash(this.#clientOf(process), fields);
    await this.#run(process, "set", async () => {
      await manager.set(token);
      if (!process.isAlive || this.#ended.has(name)) return;
      if (this.#current !== name) this.#fail(`set(${name}) was not stored`);
    });
  }

  /** Checks a token that a call returned. */
  #checkUse(process: Process, token: string, call: Call): void {
    if (!process.isAlive) return;
    const { name } = this.#server.sessionOf(token);
    const end = this.#ended.get(name);
    if (end === undefined) {
      if (this.#current !== name) this.#fail(`used ${token}, of no session`);
      return;
    }
    const { maxStale } = this.#plan;
    const age = this.#scheduler.now - end;
    // The store cannot tell what it does not answer.
    if (process.failedAt >= end - TIMEOUT) return;
    // The response of the store takes its time.
    const limit = maxStale * 1000 + SLOW_STEP + STEP;
    if (age > limit) {
      this.#fail(`used ${token} ${age} ms after the end, since ${call.start}`);
    }
  }

  /** Checks that a session is dead whose revocation has resolved. */
  #checkRevoked({ first, hasSeenEnd }: Call): void {
    // Otherwise, another call has deleted or replaced it first.
    if (first === undefined || !hasSeenEnd) return;
    const session = this.#byName(first);
    if (session.isAlive && !this.#isExcused(session)) {
      this.#fail(`${session.tokens.at(-1)} lives after revoke()`);
    }
    this.#count("revoked");
  }

  #byName(name: string): Session {
    return this.#server.sessionOf(`refresh-${name}-0`);
  }

  /** True if a crash, or a store that failed, kept the last token from others. */
  #isExcused(session: Session): boolean {
    if (this.#excused.has(session.name)) return true;
    const unsaved = this.#unsaved.get(session.tokens.at(-1)!);
    return unsaved !== undefined &&
      this.#scheduler.now - unsaved.at >= RESERVE;
  }

  /** Checks what holds after all calls have ended, and all writes landed. */
  async #checkEnd(): Promise<void> {
    for (const session of this.#server.list()) {
      const { name, reused, isAlive, tokens } = session;
      if (this.#excused.has(name)) continue;
      if (reused) this.#fail(`${reused} was used again`);
      const last = tokens.at(-1)!;
      // A login that the store refused is the caller's.
      const isKnown = this.#stored.has(last) || tokens.length === 1;
      if (isAlive && !isKnown) {
        this.#fail(`${last} was neither saved nor revoked`);
      }
    }
    const latest = this.#latest;
    if (latest === undefined || this.#excused.has(latest)) return;
    const manager = this.#manage(this.#start());
    const found = await manager.token().then(({ token }) => token, nameOf);
    if (!found.startsWith(`access-${latest}-`)) {
      this.#fail(`${latest} was lost: ${found}`);
    }
    this.#count("kept");
  }

  /** Waits between two steps, unless the process ends there. */
  async #step(process: Process): Promise<void> {
    const { crashRate } = this.#plan;
    const scheduler = this.#scheduler;
    if (!this.#isQuiet && scheduler.random() < crashRate) this.#crash(process);
    const isSlow = scheduler.random() < 0.1;
    await scheduler.pause(isSlow ? SLOW_STEP : STEP);
    checkAlive(process);
  }

  #crash(process: Process): void {
    const index = this.#processes.indexOf(process);
    if (index < 0) return;
    this.#count("crash");
    process.isAlive = false;
    for (const [token, unsaved] of this.#unsaved) {
      if (unsaved.process !== process) continue;
      this.#excused.add(this.#server.sessionOf(token).name);
    }
    this.#processes[index] = this.#start();
    for (const run of this.#deaths(process)) run();
  }

  #start(): Process {
    const process: Process = {
      isAlive: true,
      changing: new Set(),
      failedAt: -Infinity,
    } as unknown as Process;
    process.manager = this.#manage(process);
    return process;
  }

  #manage(process: Process, call?: Call): TokenManager {
    const scheduler = this.#scheduler;
    return new TokenManager({
      client: this.#clientOf(process),
      store: this.#storeOf(process, call),
      key: KEY,
      maxStale: this.#plan.maxStale,
      timeout: TIMEOUT,
      wait: (milliseconds) =>
        scheduler.sleep(milliseconds, () => process.isAlive),
      random: () => `id-${this.#ids++}`,
      report: () => {},
    });
  }

  #clientOf(process: Process) {
    return createClient({
      clock: () => this.#scheduler.now,
      fetch: (url, init) => this.#answer(process, url, init),
    });
  }

  async #answer(
    process: Process,
    url: string,
    { body }: RequestInit,
  ): Promise<Response> {
    await this.#step(process);
    const form = new URLSearchParams(String(body));
    const fields = await this.#land(() =>
      url === `${SITE}/oauth/revoke`
        ? this.#revoke(form.get("token")!)
        : this.#refresh(process, form.get("refresh_token")!)
    );
    await this.#step(process);
    return immediateResponse(fields);
  }

  /** Arrives at the other side, even if the process ends. */
  async #land<T>(run: () => T | Promise<T>): Promise<T> {
    await this.#scheduler.pause(STEP);
    return await run();
  }

  #revoke(token: string): Record<string, unknown> {
    this.#server.revoke(token);
    this.#unsaved.delete(token);
    return {};
  }

  #refresh(
    process: Process,
    token: string,
  ): Record<string, unknown> | undefined {
    const before = this.#unsaved.get(token);
    const session = this.#server.sessionOf(token);
    // Its successor is with a process that could not save it for too long.
    if (this.#isExcused(session)) this.#excused.add(session.name);
    const fields = this.#server.refresh(token);
    if (!fields) return undefined;
    this.#unsaved.delete(token);
    this.#unsaved.set(String(fields.refresh_token), {
      process,
      at: before?.at ?? this.#scheduler.now,
    });
    if (!process.isAlive) this.#excused.add(session.name);
    this.#count("renewed");
    return fields;
  }

  #storeOf(process: Process, call?: Call): TokenStore {
    const values = this.#values;
    const get: TokenStore["get"] = (key) =>
      this.#operate(process, async () => {
        const text = await values.get(key);
        if (call) see(call, text);
        return text;
      });
    const write = async (
      run: () => Promise<boolean>,
      text: string | undefined,
    ) => {
      const isDone = await run();
      if (isDone) this.#note(process, text, call);
      return isDone;
    };
    if (this.#plan.store === "lock") {
      return {
        get,
        set: async (key, text) => {
          await this.#operate(process, () =>
            write(async () => {
              await values.set(key, text);
              return true;
            }, text));
        },
        lock: (_key, run) => this.#runLocked(process, run),
      };
    }
    return {
      get,
      set: () => Promise.reject(new Error("set is not atomic")),
      compareAndSwap: (...args) =>
        this.#operate(
          process,
          () => write(() => values.compareAndSwap(...args), args[2]),
        ),
    };
  }

  /** Runs an operation of the store, which may time out. */
  async #operate<T>(process: Process, run: () => Promise<T>): Promise<T> {
    const scheduler = this.#scheduler;
    await this.#step(process);
    const { timeoutRate } = this.#plan;
    if (this.#isQuiet || scheduler.random() >= timeoutRate) {
      const result = await this.#land(() => {
        // A lock ends with its process, and so must what it guards.
        if (this.#plan.store === "lock") checkAlive(process);
        return run();
      });
      await this.#step(process);
      return result;
    }
    this.#count("timeout");
    // A lock does not outlast its holder: late writes need `compareAndSwap`.
    const delay = this.#plan.store === "lock"
      ? this.#pick([100, 4900, Infinity])
      : this.#pick([100, 4900, 7000, 60_000, Infinity]);
    const isAlive = this.#plan.store === "lock"
      ? () => process.isAlive
      : undefined;
    if (delay < Infinity) scheduler.sleep(delay, isAlive).then(run);
    await scheduler.sleep(TIMEOUT);
    process.failedAt = scheduler.now;
    throw new Error("timeout");
  }

  /** Lock that the end of its process releases. */
  async #runLocked<T>(process: Process, run: () => Promise<T>): Promise<T> {
    await this.#step(process);
    const before = this.#lock;
    let release = () => {};
    this.#lock = new Promise<void>((done) => release = done);
    this.#deaths(process).push(() => before.then(release));
    await before;
    checkAlive(process);
    try {
      return await run();
    } finally {
      release();
    }
  }

  /** Notes a value that was stored. */
  #note(process: Process, text: string | undefined, call?: Call): void {
    const refreshToken = JSON.parse(text ?? "{}").token?.refresh_token;
    this.#stored.add(refreshToken);
    this.#unsaved.delete(refreshToken);
    if (call) see(call, text);
    const name = sessionOf(text);
    const before = this.#current;
    if (name === before) return;
    this.#current = name;
    if (name !== undefined && this.#ended.has(name)) {
      this.#fail(`${name} came back`);
    }
    this.#latest = name;
    if (before === undefined) return;
    this.#ended.set(before, this.#scheduler.now);
    const action = call?.action;
    const isEnd = action === "revoke" || action === "clear";
    if (call && isEnd && call.first !== before) {
      this.#fail(`${action}() of ${call.first} ended ${before}`);
    }
    const isCall = call ? action !== "use" : process.changing.size > 0;
    if (!isCall && this.#byName(before).isAlive) {
      this.#fail(`a renewal ended ${before}`);
    }
  }
}

/** Notes what a call has read or written. */
function see(call: Call, text: string | undefined): void {
  if (!call.hasRead) call.first = sessionOf(text);
  call.hasRead = true;
  const { token, ended } = JSON.parse(text ?? "{}");
  call.hasSeenEnd ||= ended === "revoked" &&
    nameOfSession(token) === call.first;
}

/** Ends what a process does that has ended, and the timers of its calls. */
function checkAlive({ isAlive }: Process): void {
  if (!isAlive) throw new Error("the process has ended");
}

/** Name of the session of a value, unless it has ended. */
function sessionOf(text: string | undefined): string | undefined {
  const { token, ended } = JSON.parse(text ?? "{}");
  return ended === undefined ? nameOfSession(token) : undefined;
}

function nameOfSession(
  token: { refresh_token?: string } | undefined,
): string | undefined {
  return token?.refresh_token?.split("-")[1];
}

function nameOf(error: unknown): string {
  return error instanceof TokenManagerError ? error.code : String(error);
}
