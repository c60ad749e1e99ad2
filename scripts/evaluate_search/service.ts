import type { Address } from "@carteiro/cep";
import { createHandler } from "@carteiro/cep/handler";
import { seed } from "@carteiro/cep/seed";
import { openStore, type Store } from "@carteiro/cep/store";
import { cpuUsage } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import type { AddressBody } from "./kinds.ts";

/** Results of a search that count. */
const LIMIT = 10;

/** Imports a DNE or a CNEFE into a new database. */
export async function openSeeded(
  source: { readonly directory: string } | { readonly cnefe: string },
  path: string,
): Promise<Store> {
  const store = await openStore({ path });
  // Even a sample whose streets refer to localities outside it.
  const tolerance = { maxRejectedPercent: 100, maxDanglingPercent: 100 };
  await seed({ ...source, store, ...tolerance });
  // A release is noticed within a second.
  while (await store.release() === undefined) await delay(10);
  return store;
}

/** Handler of a store, without a socket. */
export class Service {
  readonly #handler: (request: Request) => Response | Promise<Response>;

  constructor(store: Store) {
    const config = { rateLimit: false, gzip: false };
    this.#handler = createHandler({ store, config });
  }

  /** Searches. */
  async search(
    query: Readonly<Record<string, string>>,
  ): Promise<readonly Address[]> {
    const path = `/busca?${new URLSearchParams({
      ...query,
      limite: `${LIMIT}`,
    })}`;
    const response = await this.#handler(
      new Request(`http://localhost${path}`),
    );
    const body = await response.json();
    if (response.ok) return body.data;
    throw new Error(`Cannot ask ${path}: ${JSON.stringify(body)}`);
  }

  /** Sends an address; returns the text of the answer. */
  match(body: AddressBody): Promise<string> {
    return this.#post("application/json", JSON.stringify(body));
  }

  /** Sends addresses as lines; returns the lines of the answer. */
  async matchLines(bodies: readonly AddressBody[]): Promise<string[]> {
    const lines = bodies.map((body) => `${JSON.stringify(body)}\n`).join("");
    const answer = await this.#post("application/x-ndjson", lines);
    return answer.trimEnd().split("\n");
  }

  async #post(type: string, body: string): Promise<string> {
    const request = new Request("http://localhost/enderecos", {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    return await (await this.#handler(request)).text();
  }
}

/** Answers to questions, and the time that they took. */
export interface Answers<Answer> {
  readonly answers: readonly Answer[];
  /** Answers a second of processor time. */
  readonly perSecond: number;
  /** Milliseconds that half of the answers, and 99 % of them, do not exceed. */
  readonly p50: number;
  readonly p99: number;
}

/** Asks one question after another, some of them before the clock starts. */
export async function askAll<Question, Answer>(
  questions: readonly Question[],
  ask: (question: Question) => Promise<Answer>,
  warmUp = 200,
): Promise<Answers<Answer>> {
  const step = Math.max(1, Math.floor(questions.length / warmUp));
  for (let i = 0; i < questions.length; i += step) await ask(questions[i]!);
  const answers: Answer[] = [];
  const times: number[] = [];
  const before = cpuUsage();
  for (const question of questions) {
    const start = performance.now();
    answers.push(await ask(question));
    times.push(performance.now() - start);
  }
  const { user, system } = cpuUsage(before);
  times.sort((one, other) => one - other);
  const quantile = (share: number) =>
    times[Math.floor(share * (times.length - 1))] ?? 0;
  return {
    answers,
    perSecond: questions.length / ((user + system) / 1e6),
    p50: quantile(0.5),
    p99: quantile(0.99),
  };
}
