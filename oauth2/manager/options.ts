import { type CallParams, splitParams } from "../core/call_params.ts";
import type { Client } from "../core/client.ts";
import { checkClient, checkNames, knownNames } from "../core/names.ts";
import { MemoryStore } from "../stores/memory_store.ts";
import type { AccessToken } from "../core/token.ts";
import { checkLimit } from "../core/transport.ts";
import { invalid } from "../core/type_error.ts";
import { readOrigins } from "../core/url.ts";
import { type Binding, bindingOf } from "./record.ts";
import { Slot } from "./slot.ts";
import type { TokenStore } from "./store.ts";

/** Options of a {@linkcode TokenManager}. */
export interface TokenManagerOptions {
  /** Client of the tokens. */
  client: Client;
  /**
   * Store of the token.
   *
   * @default {memory of this manager}
   */
  store?: TokenStore | undefined;
  /** Key in the store, e.g. the id of a session; required with a store. */
  key?: string | undefined;
  /**
   * Function that requests a token without the user, e.g. by client
   * credentials. Without it, tokens are refreshed.
   */
  grant?: (() => Promise<AccessToken>) | undefined;
  /**
   * Origins to which the token may be sent, e.g. `https://api.example`.
   *
   * @default {the origin of the client's site}
   */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Seconds before its expiry at which a token is renewed, but at most a
   * quarter of its lifetime.
   *
   * @default {60}
   */
  margin?: number | undefined;
  /**
   * Seconds after which a token in memory is compared with the store: the
   * longest time for which this process uses a token that another one has
   * revoked, cleared or replaced, plus that of the read. 0 reads the store
   * before each use.
   *
   * While the store fails, a valid token is used until its expiry, and the store
   * is asked every second. With 0, the call fails instead, unless there is a
   * `grant`.
   *
   * @default {30}
   */
  maxStale?: number | undefined;
  /**
   * Timeout of a refresh in milliseconds. The claim of a process that ends
   * during a refresh expires fifteen seconds after this time.
   *
   * @default {that of the client, or a minute if it has none}
   */
  timeout?: number | undefined;
  /**
   * Parameters of a refresh, e.g. `scope` or `resource`.
   *
   * @default {{}}
   */
  refreshParams?: CallParams | undefined;
  /**
   * Function that receives errors that no call throws: those of the store while
   * the token is in memory, and those of the revocation of a token that could
   * not be kept.
   *
   * @default {a warning of the client}
   */
  report?: ((error: unknown) => void) | undefined;
  /**
   * Function that resolves after a number of milliseconds, to wait for the
   * refresh of another process.
   *
   * @default {a timer}
   */
  wait?: ((milliseconds: number) => Promise<void>) | undefined;
  /**
   * Function that returns a random id.
   *
   * @default {crypto.randomUUID}
   */
  random?: (() => string) | undefined;
}

/** Settings of a token manager. Times are in milliseconds. */
export interface ManagerSettings {
  readonly client: Client;
  readonly slot: Slot;
  readonly binding: Binding;
  /** Requests a token without a refresh token. */
  readonly grant: (() => Promise<AccessToken>) | undefined;
  /** Parameters of a refresh. */
  readonly params: CallParams;
  /** Time before the expiry at which a token is renewed. */
  readonly margin: number;
  /** Time after which a token in memory is compared with the store. */
  readonly maxStale: number;
  /** Timeout of a refresh. */
  readonly timeout: number;
  /** Resolves after a time. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Returns a random id. */
  readonly random: () => string;
  /** Reports an error that no call throws. */
  readonly report: (error: unknown) => void;
}

/** Longest timeout of an operation of the store in milliseconds. */
const STORE_TIMEOUT = 10_000;
const OPTIONS = knownNames<TokenManagerOptions>({
  client: true,
  store: true,
  key: true,
  grant: true,
  allowedOrigins: true,
  margin: true,
  maxStale: true,
  timeout: true,
  refreshParams: true,
  report: true,
  wait: true,
  random: true,
});

/**
 * Reads the options of a token manager.
 *
 * @throws {TypeError} If an option is misspelled, invalid or missing.
 */
export function readOptions(options: TokenManagerOptions): ManagerSettings {
  checkNames(options, OPTIONS);
  checkClient(options.client);
  const {
    client,
    store = new MemoryStore(),
    key = options.store ? undefined : "token",
    grant,
    margin = 60,
    maxStale = 30,
    timeout = timeoutOf(client),
    refreshParams = {},
    report = (error) => client.warn(`oauth2: ${(error as Error).message}`),
    wait = (milliseconds) =>
      new Promise((done) => setTimeout(done, milliseconds)),
    random = () => crypto.randomUUID(),
  } = options;
  if (!key) throw invalid("Cannot use the store: key is missing");
  checkLimit("margin", margin);
  checkLimit("maxStale", maxStale);
  checkLimit("timeout", timeout > 0 && timeout < Infinity ? timeout : -1);
  // Throws if a name is misspelled, before the first refresh.
  splitParams(refreshParams);
  const origins = originsOf(options.allowedOrigins, client.site);
  return {
    client,
    slot: new Slot(store, key, Math.min(timeout, STORE_TIMEOUT)),
    binding: bindingOf(client, origins),
    grant,
    params: { ...refreshParams },
    margin: margin * 1000,
    maxStale: maxStale * 1000,
    timeout,
    wait,
    random,
    report: (error) => {
      try {
        report(error);
      } catch {
        // A failing report must not cause the loss of a token.
      }
    },
  };
}

function timeoutOf({ connectionOpts: { timeout = 30_000 } }: Client): number {
  return timeout > 0 && timeout < Infinity ? timeout : 60_000;
}

/**
 * Returns the origins to which tokens may be sent: those given, otherwise that
 * of the site.
 *
 * @throws {TypeError} If no origin is known, or one is invalid.
 */
function originsOf(
  origins: readonly string[] | undefined,
  site: string | undefined,
): string[] {
  const given = origins ?? (site === undefined ? [] : [site]);
  if (given.length === 0) {
    throw invalid(
      "Cannot use the client: it has no site, and allowedOrigins is empty",
    );
  }
  return readOrigins(given);
}
