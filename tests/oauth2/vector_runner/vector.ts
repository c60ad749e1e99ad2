/** The conformance vectors as types; vectors/README.md tells what the members mean. */
import type { Expected } from "../fake_fetch.ts";

/** A plain object. */
export type Json = Record<string, unknown>;

/** One call with one outcome. */
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

/** One call, and what it must come to. */
export interface Step {
  readonly op: string;
  readonly args?: unknown[];
  readonly at?: number;
  readonly outcome?: Outcome;
}

/** What a request is answered. */
export type RespondJson =
  | {
    status: number;
    headers?: Record<string, string>;
    body?: string;
    body_base64?: string;
  }
  | { fail: string }
  | { hang: true };

/** The name of a parser. */
export type ParserName = "xml" | "shout";

/** What a call must come to. */
export interface Outcome {
  readonly url?: string | UrlOutcome;
  readonly token?: Json;
  readonly response?: Json;
  readonly text?: Text;
  readonly value?: unknown;
  readonly error?: Json;
}

/** A URL in parts. */
export interface UrlOutcome extends Text {
  readonly origin_and_path?: string;
  readonly query?: Record<string, string | string[]>;
}

/** What a text contains and lacks. */
export interface Text {
  readonly contains?: string[];
  readonly lacks?: string[];
}

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
