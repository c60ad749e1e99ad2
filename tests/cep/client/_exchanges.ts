/** Server and clock of a client under test. */
import { assertEquals } from "@std/assert";
import {
  type CepClient,
  type Clock,
  type ConnectionOptions,
  createCepClient,
} from "../../../cep/client/mod.ts";
import { address } from "../_records.ts";

/** Response, failure, or a response that depends on the request. */
export type Reply =
  | Response
  | Error
  | "hang"
  | ((url: string, init: RequestInit) => Response | Promise<Response>);

/** Request that was sent. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Timeout of the clients under test. */
export const TIMEOUT = 4321;

/**
 * Clock in which all time passes at once, except for that of a response, which
 * never passes unless it is told to.
 */
export class FakeClock implements Clock {
  time = Date.parse("2026-01-02T03:04:05Z");
  /** Waits before retries, in milliseconds. */
  readonly waits: number[] = [];
  /** True to let every timeout pass. */
  late = false;

  now(): number {
    return this.time;
  }

  sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (milliseconds === TIMEOUT) {
      if (this.late) return Promise.resolve();
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    this.waits.push(milliseconds);
    this.time += milliseconds;
    return Promise.resolve();
  }
}

/** Client, its clock and its requests. */
export class Exchanges {
  readonly sent: Sent[] = [];
  readonly clock: FakeClock = new FakeClock();
  readonly client: CepClient;
  readonly #replies: Reply[];

  /** Creates a client whose requests get these replies, in order. */
  constructor(
    replies: readonly Reply[],
    options: ConnectionOptions & {
      readonly baseUrl?: string;
      readonly staticSite?: string;
    } = {},
  ) {
    this.#replies = [...replies];
    const { baseUrl = "https://cep.test", staticSite, ...rest } = options;
    this.client = createCepClient({
      ...(staticSite === undefined ? { baseUrl } : { staticSite }),
      timeout: TIMEOUT,
      clock: this.clock,
      random: () => 0.5,
      fetch: (url, init) => this.#fetch(url, init),
      ...rest,
    });
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const { method, headers } = new Request(url, init);
    const { body } = init;
    this.sent.push({
      method,
      url,
      headers,
      body: body === undefined ? undefined : JSON.parse(`${body}`),
    });
    const reply = this.#replies.shift();
    if (reply === undefined) {
      throw new Error(`unexpected request: ${method} ${url}`);
    }
    if (reply instanceof Error) throw reply;
    if (reply === "hang") return await new Promise(() => {});
    return typeof reply === "function" ? await reply(url, init) : reply;
  }

  /** URLs of the requests. */
  get urls(): string[] {
    return this.sent.map(({ url }) => url);
  }

  /** Checks that every reply was requested. */
  assertDone(): void {
    assertEquals(this.#replies.length, 0, "replies that were not requested");
  }
}

/** Returns a response with JSON. */
export function json(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(value, { status, headers });
}

/** Returns the response of a record. */
export function record(
  cep: string,
  headers?: Readonly<Record<string, string>>,
): Response {
  return json(address({ cep }), 200, headers);
}

/** Returns the response of an error of the API. */
export function failure(
  status: number,
  code: string,
  {
    details = {},
    headers = {},
  }: {
    readonly details?: Readonly<Record<string, unknown>>;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Response {
  return json({ error: "Mensagem.", code, ...details }, status, headers);
}
