import type { Figures } from "../../http/figures.ts";
import type { Freshness } from "../../store/store.ts";

/** Message of a thread to the first one. */
export type FromThread =
  /** Start of listening. */
  | { readonly kind: "listening" }
  /** End, with the reason of a failure. */
  | { readonly kind: "ended"; readonly error?: string }
  /** Answer to `ask`: the thread's own figures, if it has any yet. */
  | {
    readonly kind: "figures";
    readonly id: number;
    readonly figures?: Figures | undefined;
  }
  /** Figures of the thread, and a request for those of all others. */
  | { readonly kind: "collect"; readonly id: number; readonly figures: Figures }
  /** Request for a part of a release. */
  | {
    readonly kind: "take";
    readonly id: number;
    readonly release: number;
    readonly name: string;
  }
  /** Answer to `read`, without data if the part cannot be read. */
  | { readonly kind: "part"; readonly id: number; readonly data?: unknown }
  /** End of the use of a release. */
  | { readonly kind: "drop"; readonly release: number };

/** Message of the first thread to another one. */
export type ToThread =
  /** Request to complete the requests in flight, and to end. */
  | { readonly kind: "stop"; readonly reason: string }
  /** Request for figures and a sign of life. */
  | {
    readonly kind: "ask";
    readonly id: number;
    readonly freshness: Freshness | undefined;
  }
  /** Answer to `collect`. */
  | {
    readonly kind: "collected";
    readonly id: number;
    readonly figures: readonly Figures[];
  }
  /** Request to read the part that the thread has asked for. */
  | { readonly kind: "read"; readonly id: number }
  /** Answer to `take`: the part as a thread has read it. */
  | { readonly kind: "part"; readonly id: number; readonly data: unknown };
