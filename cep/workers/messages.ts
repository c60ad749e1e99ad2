/**
 * Messages between the supervisor and its workers.
 *
 * @module
 */
/** Message of a worker. */
export type FromWorker =
  /** Start of listening. */
  | { readonly type: "listening" }
  /** Reason why the worker will end. */
  | { readonly type: "failed"; readonly reason: string }
  /** Requests to take from the quotas of clients. */
  | {
    readonly type: "spend";
    readonly id: number;
    readonly clients: readonly string[];
  }
  /** Unused requests by client, on recall or after a while. */
  | {
    readonly type: "repay";
    readonly id?: number | undefined;
    readonly unused: readonly (readonly [client: string, count: number])[];
  }
  /** Figures of the worker, as JSON. */
  | {
    readonly type: "figures";
    readonly id?: number | undefined;
    readonly figures: string;
  }
  /** Figures of the worker, and a request for those of all others. */
  | { readonly type: "collect"; readonly id: number; readonly figures: string }
  /** Answer to `ping`. */
  | { readonly type: "pong" };

/** Message of the supervisor. */
export type ToWorker =
  /** Request to stop. */
  | { readonly type: "stop"; readonly reason: string }
  /** Request for a sign of life. */
  | { readonly type: "ping" }
  /** Request for figures. */
  | { readonly type: "poll"; readonly id: number }
  /** Answer to `spend`: of each, 1 or 0 for allowed, time left, and loan. */
  | {
    readonly type: "spent";
    readonly id: number;
    readonly spent: readonly number[];
  }
  /** Request to repay what was lent for clients. */
  | {
    readonly type: "recall";
    readonly id: number;
    readonly clients: readonly string[];
  }
  /** Answer to `collect`. */
  | {
    readonly type: "collected";
    readonly id: number;
    readonly figures: readonly string[];
  };
