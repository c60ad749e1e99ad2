/**
 * Counters of requests. Labels are added when the counters are read: on every
 * request, they would take longer than the lookup itself.
 */
/** Handled request. */
export interface Answered {
  /** Pattern of the route, never the path itself. */
  readonly route: string;
  /** Method of the request. */
  readonly method: string;
  /** Status of the response. */
  readonly status: number;
  /** Bytes of the response body. */
  readonly bytes: number;
  /** Time from request to response. */
  readonly seconds: number;
}

/** Requests with the same method and status. */
export interface RequestCount {
  /** Method, or `other`. */
  readonly method: string;
  /** Status of the responses. */
  readonly status: number;
  /** Number of requests. */
  count: number;
}

/** Requests of one route. */
export interface RouteTraffic {
  /** Pattern of the route. */
  readonly route: string;
  /** Number of requests by method and status. */
  readonly requests: readonly RequestCount[];
  /**
   * Number of requests by bucket; the last one is above all {@linkcode
   * BUCKETS}.
   */
  readonly buckets: readonly number[];
  /** Bytes of all bodies. */
  readonly bytes: number;
  /** Time of all requests. */
  readonly seconds: number;
}

/** Upper bounds in seconds; a lookup takes far less than a millisecond. */
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

/** Methods with their own label; clients may send any number of others. */
const METHODS = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** Counters of all routes. */
export class Traffic {
  readonly #routes = new Map<string, RouteCounter>();

  add(answered: Answered): void {
    let counter = this.#routes.get(answered.route);
    if (counter === undefined) {
      counter = new RouteCounter(answered.route);
      this.#routes.set(answered.route, counter);
    }
    counter.add(answered);
  }

  routes(): RouteTraffic[] {
    return [...this.#routes.values()];
  }
}

class RouteCounter implements RouteTraffic {
  readonly requests: RequestCount[] = [];
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

  /** Searches a list, which is faster than a map for so few pairs. */
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
