import type { Scope } from "../core/call_params.ts";
import { isPlainObject } from "../core/params.ts";
import { type Fail, failing } from "../core/validation_error.ts";

const fail: Fail = failing("read the flow");
const VERSION = 1;

/** Longest text in a flow. */
export const MAX_TEXT = 4096;

/** Sign-in as plain data, for JSON. Its values are secret. */
export interface FlowData {
  /** Version of this format. */
  readonly v: number;
  /** Client id. */
  readonly client_id: string;
  /** Issuer of the server, if the client knows it. */
  readonly issuer?: string;
  /** URL of the token endpoint. */
  readonly token_endpoint: string;
  /** `state` of the authorization request. */
  readonly state: string;
  /** PKCE verifier. */
  readonly code_verifier?: string;
  /** `nonce` of the authorization request, with the scope `openid`. */
  readonly nonce?: string;
  /** Redirect URI. */
  readonly redirect_uri?: string;
  /** Requested scopes, separated by spaces. */
  readonly scope?: string;
  /** Maximum authentication age in seconds. */
  readonly max_age?: number;
  /** Authentication context classes, one of which is required. */
  readonly acr_values?: string;
  /** Time of expiry, in seconds since 1970. */
  readonly expires_at: number;
}

/** Sign-in with the scope `openid` as plain data. */
export interface OpenIdFlowData extends FlowData {
  /** `nonce` of the authorization request. */
  readonly nonce: string;
}

/** Data of a sign-in with these scopes, as far as their type tells. */
export type FlowDataOf<S extends Scope> = S extends string
  ? string extends S ? FlowData
  : ` ${S} ` extends `${string} openid ${string}` ? OpenIdFlowData
  : FlowData
  : S extends readonly (infer Name)[] ? string extends Name ? FlowData
    : "openid" extends Name ? OpenIdFlowData
    : FlowData
  : FlowData;

/** Types of the members of {@linkcode FlowData}; `?` marks optional ones. */
const MEMBERS: {
  readonly [name in keyof Required<FlowData>]: `${"string" | "number"}${
    | ""
    | "?"}`;
} = {
  v: "number",
  client_id: "string",
  issuer: "string?",
  token_endpoint: "string",
  state: "string",
  code_verifier: "string?",
  nonce: "string?",
  redirect_uri: "string?",
  scope: "string?",
  max_age: "number?",
  acr_values: "string?",
  expires_at: "number",
};

/**
 * Sign-in between the authorization request and the callback. `console.log`
 * shows nothing of it, but its JSON contains secrets: keep it in the user's
 * session on the server, or sealed in a cookie.
 */
export class Flow<Data extends FlowData = FlowData> {
  #data: Data;

  /**
   * Reads a flow from its data, e.g. from parsed JSON.
   *
   * @throws {ValidationError} If the data is not that of a flow of this
   * version.
   */
  constructor(data: unknown) {
    this.#data = readFlow(data) as Data;
  }

  /** Client id. */
  get clientId(): string {
    return this.#data.client_id;
  }

  /** Issuer of the server, if the client knows it. */
  get issuer(): string | undefined {
    return this.#data.issuer;
  }

  /** Redirect URI. */
  get redirectUri(): string | undefined {
    return this.#data.redirect_uri;
  }

  /** Time of expiry, in seconds since 1970. */
  get expiresAt(): number {
    return this.#data.expires_at;
  }

  /** Returns the data, for `JSON.stringify` and storage in a safe place. */
  toJSON(): Data {
    return { ...this.#data };
  }
}

/** Flow with the URL of its authorization request. */
export class StartedFlow<Data extends FlowData = FlowData> extends Flow<Data> {
  #url: string;

  /** Creates a flow from its data and URL. */
  constructor(data: Data, url: string) {
    super(data);
    this.#url = url;
  }

  /** URL to which the user is redirected; not part of the JSON. */
  get url(): string {
    return this.#url;
  }
}

/** Copies the members of a flow, and drops others. */
function readFlow(data: unknown): FlowData {
  if (!isPlainObject(data)) {
    fail("invalid_flow", "it is not the result of start or its JSON");
  }
  if (data.v !== VERSION) {
    fail("invalid_flow", `its v is ${Number(data.v)}, not ${VERSION}`);
  }
  const flow: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(MEMBERS)) {
    const type = kind.replace("?", "");
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (value === undefined && type !== kind) continue;
    const isValid = type === "number"
      ? Number.isFinite(value) && value as number >= 0
      : typeof value === "string" && value !== "" && value.length <= MAX_TEXT;
    if (!isValid) fail("invalid_flow", `its ${name} is not a valid ${type}`);
    flow[name] = value;
  }
  return flow as unknown as FlowData;
}
