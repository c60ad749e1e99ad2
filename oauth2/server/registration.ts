/**
 * Dynamic client registration (RFC 7591) and its management (RFC 7592).
 *
 * @module
 */
import type { AuthScheme } from "../core/client_auth.ts";
import {
  changedMembers,
  type ClientMetadata,
} from "../core/client_metadata.ts";
import { config } from "../core/config.ts";
import { sendDirect } from "../core/direct_request.ts";
import {
  AUTH_SCHEMES,
  DISCOVER_OPTIONS,
  type DiscoverOptions,
} from "./discover.ts";
import { parseSeconds } from "../core/seconds.ts";
import { Inspectable } from "../core/inspectable.ts";
import { checkNames, knownNames } from "../core/names.ts";
import { isPlainObject } from "../core/params.ts";
import { checkSecure } from "../core/url.ts";
import { invalid } from "../core/type_error.ts";

export type { ClientMetadata } from "../core/client_metadata.ts";

/** Options of {@linkcode register}. */
export interface RegistrationOptions extends DiscoverOptions {
  /**
   * Headers of the requests. Later ones have them only on the origin of the
   * registration endpoint.
   */
  headers?: DiscoverOptions["headers"];
  /** Token that permits the registration, if the server requires one. */
  initialAccessToken?: string | undefined;
}

/** Options of a registration, for its later requests. */
interface OwnOptions extends DiscoverOptions {
  /**
   * Origin that gets the headers: that of the registration endpoint. The server
   * may choose another for the URL of the registration.
   */
  readonly headersOrigin: string | undefined;
}

/** Registration as plain data, for JSON. It contains secrets. */
export interface RegistrationHash {
  /** Metadata as the server returned it, with `client_id`. */
  readonly [member: string]: unknown;
}

const OPTIONS = knownNames<RegistrationOptions>({
  ...DISCOVER_OPTIONS,
  initialAccessToken: true,
});
/** Members that a server adds; an update must not contain them. */
const SERVER_MEMBERS = [
  "registration_access_token",
  "registration_client_uri",
  "client_secret_expires_at",
  "client_id_issued_at",
];

/**
 * Registered client. Printing it shows neither its secret nor the token of its
 * registration.
 */
export class Registration extends Inspectable {
  #fields: Readonly<Record<string, unknown>>;
  #asked: ClientMetadata;
  #options: OwnOptions;

  private constructor(
    fields: Readonly<Record<string, unknown>>,
    asked: ClientMetadata,
    options: OwnOptions,
  ) {
    super();
    this.#fields = fields;
    this.#asked = asked;
    this.#options = options;
  }

  /**
   * Restores a registration from the result of
   * {@linkcode Registration.toHash}.
   *
   * @throws {TypeError} If the data has no `client_id`.
   */
  static fromHash(
    hash: RegistrationHash,
    options: DiscoverOptions = {},
  ): Registration {
    checkNames(options, OPTIONS);
    const headersOrigin = URL.parse(
      String(Object(hash).registration_client_uri),
    )
      ?.origin;
    return Registration.#create(
      hash,
      {},
      { ...options, headersOrigin },
      (state) => {
        throw invalid(`Cannot read the registration: ${state}`);
      },
    );
  }

  /**
   * Registers a client.
   *
   * @throws {TypeError} If the URL of the endpoint is invalid or insecure.
   * @throws {OAuth2Error} If the server refuses, or its response cannot be
   * used.
   * @throws {ConnectionError} If no complete response arrives.
   */
  static async create(
    endpoint: string | URL,
    metadata: ClientMetadata,
    options: RegistrationOptions = {},
  ): Promise<Registration> {
    checkNames(options, OPTIONS);
    const { initialAccessToken: bearer, ...request } = options;
    const url = checkUrl(endpoint, options.allowInsecure);
    const json = structuredClone(metadata);
    const { response, fail } = await sendDirect(
      { method: "POST", url, json, bearer },
      request,
    );
    const { ok, problem, fields } = response;
    if (!ok || problem || fields?.error) throw fail(problem);
    return Registration.#create(
      fields,
      json,
      { ...request, headersOrigin: url.origin },
      (state) => {
        throw fail(`Cannot use the registration: ${state}`);
      },
    );
  }

  static #create(
    fields: unknown,
    asked: ClientMetadata,
    options: OwnOptions,
    refuse: (state: string) => never,
  ): Registration {
    if (!isPlainObject(fields)) refuse("it is not a JSON object");
    const { client_id } = fields;
    if (typeof client_id !== "string" || client_id === "") {
      refuse("it has no client_id");
    }
    for (
      const name of [
        "client_secret",
        "registration_access_token",
        "registration_client_uri",
      ]
    ) {
      const value = fields[name] ?? undefined;
      if (value !== undefined && typeof value !== "string") {
        refuse(`${name} is not text`);
      }
    }
    return new Registration(structuredClone(fields), asked, options);
  }

  /** Client id. */
  get clientId(): string {
    return this.#fields.client_id as string;
  }

  /** Client secret; undefined for a public client or one with a key. */
  get clientSecret(): string | undefined {
    return (this.#fields.client_secret ?? undefined) as string | undefined;
  }

  /**
   * Time of expiry of the secret, in seconds since 1970; undefined if it does
   * not expire.
   */
  get secretExpiresAt(): number | undefined {
    return parseSeconds(this.#fields.client_secret_expires_at) || undefined;
  }

  /**
   * Client authentication method for the option `authScheme`. A public client
   * has `basic_auth` and no secret.
   *
   * @throws {TypeError} If the server registered a method that this library
   * does not know.
   */
  get authScheme(): AuthScheme {
    const method = this.#fields.token_endpoint_auth_method ??
      "client_secret_basic";
    if (method === "none") return "basic_auth";
    const [, scheme] = AUTH_SCHEMES.find(([name]) => name === method) ?? [];
    if (scheme === undefined) {
      throw invalid(
        "Cannot use the registration: its token_endpoint_auth_method is unknown",
      );
    }
    return scheme;
  }

  /** Metadata as the server registered it, without secrets. */
  get metadata(): ClientMetadata {
    return Object.fromEntries(
      Object.entries(this.#fields).filter(([name]) =>
        name !== "client_secret" && !SERVER_MEMBERS.includes(name)
      ),
    );
  }

  /**
   * Names of the members that the server registered with other values than
   * requested, or ignored (RFC 7591 section 3.2.1). Lists may have another
   * order, and so may scopes.
   */
  get differences(): string[] {
    return changedMembers(this.#asked, this.#fields);
  }

  /** URL of the registration; undefined if it cannot be managed. */
  get registrationUri(): string | undefined {
    const { registration_access_token, registration_client_uri } = this.#fields;
    const isManaged = registration_access_token && registration_client_uri;
    return isManaged ? registration_client_uri as string : undefined;
  }

  /**
   * Reads the registration from the server, which may return another secret
   * and another token (RFC 7592 section 2.1).
   *
   * @throws {TypeError} If the registration cannot be managed.
   * @throws {OAuth2Error} If the server refuses.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async read(options: DiscoverOptions = {}): Promise<Registration> {
    return await this.#send("GET", undefined, this.#asked, options);
  }

  /**
   * Changes the registration (RFC 7592 section 2.2); null removes a member.
   * Store the result: the earlier secret and token may not be valid any more.
   *
   * @throws {TypeError} If the registration cannot be managed.
   * @throws {OAuth2Error} If the server refuses.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async update(
    changes: { readonly [member: string]: unknown },
    options: DiscoverOptions = {},
  ): Promise<Registration> {
    const { clientId: client_id, clientSecret: client_secret } = this;
    const json = Object.fromEntries(
      Object.entries({
        ...this.metadata,
        ...structuredClone(changes),
        client_id,
        client_secret,
      }).filter(([name, value]) =>
        value !== undefined && value !== null && !SERVER_MEMBERS.includes(name)
      ),
    );
    const { client_secret: _, ...asked } = json;
    return await this.#send("PUT", json, asked, options);
  }

  /**
   * Deletes the client (RFC 7592 section 2.3).
   *
   * @throws {TypeError} If the registration cannot be managed.
   * @throws {OAuth2Error} If the server refuses.
   * @throws {ConnectionError} If no complete response arrives.
   */
  async delete(options: DiscoverOptions = {}): Promise<void> {
    const { response, fail } = await this.#request("DELETE", {}, options);
    if (!response.ok || response.problem) throw fail(response.problem);
  }

  /** Returns all data, with its secrets, for storage in a safe place. */
  toHash(): RegistrationHash {
    return structuredClone(this.#fields);
  }

  /** Returns the metadata, with secret and token redacted. */
  override toJSON(): Record<string, unknown> {
    return {
      ...this.metadata,
      ...this.clientSecret !== undefined &&
        { client_secret: config.filteredLabel },
      // Its token lies in its path at some servers.
      ...this.registrationUri !== undefined &&
        { registration_client_uri: config.filteredLabel },
    };
  }

  async #send(
    method: "GET" | "PUT",
    json: unknown,
    asked: ClientMetadata,
    options: DiscoverOptions,
  ): Promise<Registration> {
    const { response, fail } = await this.#request(
      method,
      json === undefined ? {} : { json },
      options,
    );
    const { ok, problem, fields } = response;
    if (!ok || problem || fields?.error) throw fail(problem);
    const refuse = (state: string) => {
      throw fail(`Cannot use the registration: ${state}`);
    };
    if (fields?.client_id !== this.clientId) {
      refuse("its client_id differs");
    }
    return Registration.#create(
      // A server may omit what has not changed.
      { ...this.#kept(fields ?? {}), ...fields },
      asked,
      this.#options,
      refuse,
    );
  }

  /** Returns the secret values that stay valid if a response omits them. */
  #kept({ token_endpoint_auth_method: method }: Record<string, unknown>) {
    const hasSameMethod = method === undefined ||
      method === this.#fields.token_endpoint_auth_method;
    const names = [
      "registration_access_token",
      "registration_client_uri",
      ...hasSameMethod ? ["client_secret", "client_secret_expires_at"] : [],
    ];
    return Object.fromEntries(
      names.filter((name) => this.#fields[name] !== undefined)
        .map((name) => [name, this.#fields[name]]),
    );
  }

  async #request(
    method: "GET" | "PUT" | "DELETE",
    body: { json?: unknown },
    options: DiscoverOptions,
  ) {
    const { registrationUri } = this;
    const { headersOrigin, headers, ...own } = this.#options;
    const merged = { ...own, ...options };
    if (registrationUri === undefined) {
      throw invalid(
        "Cannot use the registration: the server returned no registration_client_uri and token",
      );
    }
    checkNames(merged, OPTIONS);
    const url = checkUrl(registrationUri, merged.allowInsecure);
    if (headersOrigin === url.origin) merged.headers ??= headers;
    const bearer = this.#fields.registration_access_token as string;
    return await sendDirect({ method, url, bearer, ...body }, merged);
  }
}

/**
 * Registers a client, like {@linkcode Registration.create}, at the endpoint of
 * the server's metadata.
 *
 * @throws {TypeError} If the metadata has no registration endpoint, or its URL
 * is invalid or insecure.
 * @throws {OAuth2Error} If the server refuses, or its response cannot be used.
 * @throws {ConnectionError} If no complete response arrives.
 *
 * @example
 * ```ts
 * import { Client } from "@carteiro/oauth2";
 * import { register } from "@carteiro/oauth2/registration";
 *
 * const issuer = "https://provider.example";
 * const found = {
 *   issuer,
 *   site: issuer,
 *   metadata: { issuer, registration_endpoint: `${issuer}/register` },
 * };
 * const registration = await register(found, {
 *   redirect_uris: ["https://app.example/callback"],
 * }, {
 *   fetch: () =>
 *     Promise.resolve(Response.json({
 *       client_id: "s6BhdRkqt3",
 *       client_secret: "hush",
 *       redirect_uris: ["https://app.example/callback"],
 *     }, { status: 201 })),
 * });
 * console.assert(registration.differences.length === 0);
 * const { clientId, clientSecret, authScheme } = registration;
 * const client = new Client(clientId, clientSecret, { ...found, authScheme });
 * console.assert(client.id === "s6BhdRkqt3");
 * ```
 */
export async function register(
  found: {
    readonly metadata: { readonly registration_endpoint?: string };
    readonly allowInsecure?: boolean;
  },
  metadata: ClientMetadata,
  options: RegistrationOptions = {},
): Promise<Registration> {
  const { metadata: { registration_endpoint }, allowInsecure = false } = found;
  if (registration_endpoint === undefined) {
    throw invalid(
      "Cannot use the registration_endpoint: the metadata of the server has none",
    );
  }
  return await Registration.create(registration_endpoint, metadata, {
    allowInsecure,
    ...options,
  });
}

function checkUrl(
  endpoint: string | URL,
  allowInsecure: boolean | undefined,
): URL {
  const url = URL.parse(endpoint);
  if (!url || url.username || url.password || url.hash) {
    throw invalid(
      "Cannot use the registration endpoint: it must be a URL without user and fragment",
    );
  }
  return checkSecure(url, allowInsecure);
}
