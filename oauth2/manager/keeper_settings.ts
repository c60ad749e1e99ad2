/**
 * Settings of a token keeper.
 *
 * @module
 */
import type { CallParams } from "../call_params.ts";
import type { Client } from "../client.ts";
import type { AccessToken } from "../token.ts";
import type { Binding } from "./binding.ts";
import type { Slot } from "./slot.ts";

/** Settings of a token keeper. Times are in milliseconds. */
export interface KeeperSettings {
  readonly client: Client;
  readonly slot: Slot;
  readonly binding: Binding;
  /** Requests a token without a refresh token. */
  readonly grant: (() => Promise<AccessToken>) | undefined;
  /** Parameters of a refresh. */
  readonly params: CallParams;
  /** Time before the expiry at which a token is renewed. */
  readonly margin: number;
  /** Timeout of a refresh. */
  readonly timeout: number;
  /** Resolves after a time. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Returns a random id. */
  readonly random: () => string;
  /** Reports an error that no call throws. */
  readonly report: (error: unknown) => void;
}
