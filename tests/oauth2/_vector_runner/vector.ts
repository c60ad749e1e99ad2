/** Types of the conformance vectors, which vectors/README.md describes. */
import type { Expected } from "../_fake_fetch.ts";

/** Plain object. */
export type Json = Record<string, unknown>;

/** Call with its outcome. */
export interface Vector {
  readonly id: string;
  readonly title: string;
  readonly client?: Json;
  readonly config?: Json;
  readonly clock?: number;
  readonly at?: number;
  readonly parsers?: ParserName[];
  readonly token?: Json;
  readonly token_options?: Json;
  readonly before?: Step[];
  readonly call: Step;
  readonly then?: Step[];
  readonly exchange?: { expect: Expected; respond: RespondJson }[];
  readonly outcome: Outcome;
  readonly log?: Text | [];
  readonly warnings?: Text | [];
}

/** Call, and its expected outcome. */
export interface Step {
  readonly op: string;
  readonly args?: unknown[];
  readonly at?: number;
  readonly outcome?: Outcome;
}

/** Answer to a request. */
export type RespondJson =
  | {
    status: number;
    headers?: Record<string, string>;
    body?: string;
    body_base64?: string;
  }
  | { fail: string }
  | { hang: true };

/** Name of a parser. */
export type ParserName = "xml" | "shout";

/** Expected outcome of a call. */
export interface Outcome {
  readonly url?: string | UrlOutcome;
  readonly token?: Json;
  readonly response?: Json;
  readonly text?: Text;
  readonly value?: unknown;
  readonly error?: Json;
}

/** Parts of a URL. */
export interface UrlOutcome extends Text {
  readonly origin_and_path?: string;
  readonly query?: Record<string, string | string[]>;
}

/** Parts that a text contains and lacks. */
export interface Text {
  readonly contains?: string[];
  readonly lacks?: string[];
}

/** Returns true for an object of JSON. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
