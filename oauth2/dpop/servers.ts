/**
 * State of the servers that get DPoP proofs: nonces and clocks.
 */
/** Nonce and clock of a server. */
export interface ServerState {
  /** Nonce for the next proof. */
  nonce?: string;
  /** Difference of the server's clock in milliseconds. */
  skew?: number;
}

/** Maximum number of servers to remember. */
const MAX_SERVERS = 100;
/** Nonce (RFC 9449 section 8.1). */
const NONCE = /^[\x21\x23-\x5b\x5d-\x7e]{1,1024}$/;

/**
 * State of servers by kind and origin: an authorization server and a resource
 * server on one origin have different nonces (RFC 9449 section 9).
 */
export class DpopServers {
  #states = new Map<string, ServerState>();

  /** Returns the state of a server, for reading and changing. */
  get(kind: string, origin: string): ServerState {
    const name = `${kind} ${origin}`;
    const state = this.#states.get(name) ?? {};
    // Inserted last, so that the least recently used is evicted.
    this.#states.delete(name);
    this.#states.set(name, state);
    if (this.#states.size > MAX_SERVERS) {
      const [oldest] = this.#states.keys();
      this.#states.delete(oldest!);
    }
    return state;
  }
}

/** Reads the `DPoP-Nonce` header. An invalid one is ignored. */
export function readNonce(headers: Headers): string | undefined {
  const nonce = headers.get("dpop-nonce") ?? "";
  return NONCE.test(nonce) ? nonce : undefined;
}

/**
 * Reads the difference of the server's clock in milliseconds from the `Date`
 * header. `now` is the own time.
 */
export function readSkew(headers: Headers, now: number): number | undefined {
  const date = headers.get("date") ?? "";
  // V8 parses nearly any text as a date; an HTTP date begins with the weekday.
  const time = /^[A-Z][a-z]{2}, \d/.test(date) ? Date.parse(date) : NaN;
  return Number.isNaN(time) ? undefined : time - now;
}
