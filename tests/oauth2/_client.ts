/** Clients for tests, and tests with a client of their own. */
import { assertRejects } from "@std/assert";
import {
  Client,
  type ClientOptions,
  type Logger,
  OAuth2Error,
} from "../../oauth2/mod.ts";
import { type Exchange, type FakeFetch, fakeFetch } from "./_fake_fetch.ts";

/** Site of the clients. */
export const SITE = "https://api.example.com";
/** Time of the clients, in seconds: Tue, 14 Nov 2023 22:13:20 GMT. */
export const NOW = 1_700_000_000;

/** Options of a client, with its id and secret. */
export interface Setting extends ClientOptions {
  /** @default {"abc"} */
  readonly id?: string | null;
  /** @default {"hush-hush"} */
  readonly secret?: string | null;
}

/** Creates a client with a fixed clock and without a log. */
export function createClient(
  { id = "abc", secret = "hush-hush", ...options }: Setting = {},
): Client {
  return new Client(id, secret, {
    site: SITE,
    clock: () => NOW * 1000,
    logger: loggerTo([]),
    debug: false,
    ...options,
  });
}

/** Creates a logger that appends its lines to a list. */
export function loggerTo(lines: string[]): Logger {
  const write = (line: string) => void lines.push(line);
  return { debug: write, warn: write };
}

/** Client of a test, with what it sends and logs. */
export interface Context {
  readonly client: Client;
  readonly fetch: FakeFetch;
  readonly log: readonly string[];
}

/** Defines a test with a client that must send exactly these requests. */
export function clientTest(
  name: string,
  exchanges: Exchange[],
  run: (context: Context) => unknown,
  setting: Setting = {},
): void {
  Deno.test(name, async () => {
    const fetch = fakeFetch(exchanges);
    const log: string[] = [];
    const client = createClient({ fetch, logger: loggerTo(log), ...setting });
    try {
      await run({ client, fetch, log });
    } catch (error) {
      throw fetch.fault ?? error;
    }
    fetch.assertDone();
  });
}

/** Asserts that a call rejects with an OAuth2Error, and returns the error. */
export async function oauth2Error(
  call: Promise<unknown>,
): Promise<OAuth2Error> {
  return await assertRejects(() => call, OAuth2Error) as OAuth2Error;
}
