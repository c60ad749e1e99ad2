/**
 * The requests answered so far, in numbers. They are added up here and labelled
 * when they are read, for handling labels on every request takes longer than
 * the lookup itself.
 *
 * @module
 */

/** One request that was answered. */
export interface Answered {
  /** Pattern of its route, never the path itself. */
  readonly route: string;
  /** Its method. */
  readonly method: string;
  /** Status of the answer. */
  readonly status: number;
  /** Bytes of the answer's body. */
  readonly bytes: number;
  /** Time it took. */
  readonly seconds: number;
}

/** Requests of one method with answers of one status. */
export interface RequestCount {
  /** Method, or `other`. */
  readonly method: string;
  /** Status of the answers. */
  readonly status: number;
  /** Number of requests. */
  count: number;
}

/** Requests of one route. */
export interface RouteTraffic {
  /** Its pattern. */
  readonly route: string;
  /** Numbers by method and status. */
  readonly requests: readonly RequestCount[];
  /** Number of requests by the first of {@linkcode BUCKETS} they fit into. */
  readonly buckets: readonly number[];
  /** Bytes of all bodies. */
  readonly bytes: number;
  /** Time of all requests. */
  readonly seconds: number;
}

/** Upper limits in seconds; a lookup takes well below a millisecond. */
export const BUCKETS: readonly number[] = [
  0.0001,
  0.00025,
  0.0005,
  0.001,
  0.0025,
  0.01,
  0.05,
  0.25,
  1,
];

/** Methods that have a label of their own; there is no end of others. */
const METHODS = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** All requests that were answered. */
export class Traffic {
  readonly #routes = new Map<string, RouteCounter>();

  /** Adds a request. */
  add(answered: Answered): void {
    let counter = this.#routes.get(answered.route);
    if (counter === undefined) {
      counter = new RouteCounter(answered.route);
      this.#routes.set(answered.route, counter);
    }
    counter.add(answered);
  }

  /** The numbers by route. */
  routes(): RouteTraffic[] {
    return [...this.#routes.values()];
  }
}

class RouteCounter implements RouteTraffic {
  readonly requests: RequestCount[] = [];
  /** The last is for requests beyond every limit. */
  readonly buckets: number[] = Array(BUCKETS.length + 1).fill(0);
  bytes = 0;
  seconds = 0;

  constructor(readonly route: string) {}

  add({ method, status, bytes, seconds }: Answered): void {
    this.#requestCount(method, status).count++;
    let i = 0;
    while (i < BUCKETS.length && seconds > BUCKETS[i]!) i++;
    this.buckets[i]!++;
    this.bytes += bytes;
    this.seconds += seconds;
  }

  /** A route has few pairs of method and status: a list is the fastest map. */
  #requestCount(method: string, status: number): RequestCount {
    for (const request of this.requests) {
      if (request.status === status && request.method === method) {
        return request;
      }
    }
    if (!METHODS.has(method) && method !== OTHER) {
      return this.#requestCount(OTHER, status);
    }
    const request = { method, status, count: 0 };
    this.requests.push(request);
    return request;
  }
}

const OTHER = "other";
