/** Runs a conformance vector against the library; vectors/README.md tells the format. */
import { assertEquals, AssertionError } from "@std/assert";
import { XMLParser } from "fast-xml-parser";
import { compactVerify, type CryptoKey, generateKeyPair } from "jose";
import { inspect } from "node:util";
import {
  AccessToken,
  Client,
  type ClientOptions,
  type Config,
  config,
  configure,
  ConnectionError,
  OAuth2Error,
  OAuth2Response,
  TimeoutError,
  type TokenClient,
  type TokenConstructor,
  type TokenHash,
  type TokenOptions,
} from "../../oauth2/mod.ts";
import { type Expected, type FakeFetch, fakeFetch } from "./fake_fetch.ts";

type Json = Record<string, unknown>;

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

interface Step {
  readonly op: string;
  readonly args?: unknown[];
  readonly at?: number;
  readonly outcome?: Outcome;
}

type RespondJson =
  | {
    status: number;
    headers?: Record<string, string>;
    body?: string;
    body_base64?: string;
  }
  | { fail: string }
  | { hang: true };

interface Outcome {
  readonly url?: string | UrlOutcome;
  readonly token?: Json;
  readonly response?: Json;
  readonly text?: Text;
  readonly value?: unknown;
  readonly error?: Json;
}

interface UrlOutcome extends Text {
  readonly origin_and_path?: string;
  readonly query?: Record<string, string | string[]>;
}

interface Text {
  readonly contains?: string[];
  readonly lacks?: string[];
}

type ParserName = "xml" | "shout";

/** What a step came to. */
type Got = { readonly value: unknown } | { readonly thrown: unknown };

/** Values of grants that configure the library; all others are sent. */
const GRANT_OPTIONS = new Set([
  "headers",
  "parse",
  "snaky",
  "snaky_hash_class",
  "token_method",
  "raise_errors",
  "signal",
  "timeout",
]);

/** Options of tokens; all others are fields. */
const TOKEN_OPTIONS = new Set([
  "expires_latency",
  "token_name",
  "mode",
  "header_format",
  "param_name",
]);

const GRANT = (value: unknown) => camelizeSome(value, GRANT_OPTIONS);
const TOKEN = (value: unknown) => camelizeSome(value, TOKEN_OPTIONS);
const REQUEST = (value: unknown) => camelizeKeys(value);
const PLAIN = (value: unknown) => value;
const SIGNING = (value: unknown) =>
  isObject(value) ? withTestKey(camelizeKeys(value) as Json) : value;

/** How the arguments of each call are read; those of the others are plain. */
const ARGUMENTS: Record<string, ((value: unknown) => unknown)[]> = {
  "client.get_token": [GRANT, TOKEN],
  "client.request": [PLAIN, PLAIN, REQUEST],
  "client.revoke_token": [PLAIN, PLAIN, GRANT],
  "client.auth_code.get_token": [PLAIN, GRANT, TOKEN],
  "client.password.get_token": [PLAIN, PLAIN, GRANT, TOKEN],
  "client.client_credentials.get_token": [GRANT, TOKEN],
  "client.assertion.get_token": [PLAIN, SIGNING, GRANT, TOKEN],
  "access_token.new": [PLAIN, PLAIN, TOKEN],
  "access_token.from_hash": [PLAIN, TOKEN],
  "access_token.from_kvform": [PLAIN, TOKEN],
  "token.request": [PLAIN, PLAIN, REQUEST],
  "token.get": [PLAIN, REQUEST],
  "token.post": [PLAIN, REQUEST],
  "token.put": [PLAIN, REQUEST],
  "token.patch": [PLAIN, REQUEST],
  "token.delete": [PLAIN, REQUEST],
  "token.refresh": [GRANT, TOKEN],
  "token.revoke": [GRANT],
  "configure": [camelizeKeys],
};

/** The functions that vectors call by name. */
const FUNCTIONS: Record<string, (value: unknown) => unknown> = {
  shout: (body) => ({ shout: String(body).toUpperCase() }),
  data: (fields) => (fields as Json).data,
  throw: () => {
    throw new Error("as told");
  },
};

const PARSERS: Record<ParserName, [string[], (body: string) => unknown]> = {
  xml: [
    ["text/xml", "application/xml"],
    (body) => new XMLParser({ ignoreDeclaration: true }).parse(body, true),
  ],
  shout: [["application/foo-bar"], FUNCTIONS.shout!],
};

/** A class of tokens that looks elsewhere for its text. */
class CustomToken extends AccessToken {
  static override fromHash<T extends AccessToken>(
    this: TokenConstructor<T>,
    client: TokenClient,
    { custom_token: token = "", ...fields }: TokenHash,
    options?: TokenOptions,
  ): T {
    return new this(client, String(token), fields, options);
  }
}

const TOKEN_CLASSES: Record<string, typeof AccessToken> = {
  AccessToken,
  CustomToken,
};

const rsa = await generateKeyPair("RS256");
const ec = await generateKeyPair("ES256");
const PRIVATE_KEYS: Record<string, CryptoKey> = {
  rsa: rsa.privateKey,
  ec: ec.privateKey,
};
const VERIFYING_KEYS: Record<string, CryptoKey | Uint8Array> = {
  arowana: new TextEncoder().encode("arowana"),
  rsa: rsa.publicKey,
  ec: ec.publicKey,
};

/** Runs one vector. It fails with what differs first. */
export async function runVector(vector: Vector): Promise<void> {
  const settings = structuredClone(config);
  const parsers = vector.parsers ?? [];
  for (const name of parsers) {
    OAuth2Response.registerParser(name, ...PARSERS[name]);
  }
  if (vector.config) change(camelizeKeys(vector.config) as Partial<Config>);
  try {
    await new Run(vector).all();
  } finally {
    change(settings);
    parsers.forEach(forget);
  }
}

/** There is no way to forget a parser: these do what is done without one. */
function forget(name: ParserName): void {
  OAuth2Response.registerParser(
    name,
    [],
    (body, { status, headers }) =>
      new OAuth2Response({ status, headers, body }, { snaky: false }).parsed,
  );
  for (const mimeType of PARSERS[name][0]) {
    OAuth2Response.registerParser(mimeType, [], (body) => body);
  }
}

class Run {
  readonly #vector: Vector;
  readonly #fetch: FakeFetch;
  readonly #client: Client;
  readonly #log: string[] = [];
  readonly #warnings: string[] = [];
  /** Seconds since 1970. */
  #now: number;
  /** The token that `token.*` means. */
  #token: unknown;
  /** What `outcome.*` means. */
  #last: unknown;

  constructor(vector: Vector) {
    this.#vector = vector;
    this.#now = vector.clock ?? 1700000000;
    this.#fetch = fakeFetch(
      (vector.exchange ?? []).map(({ expect, respond }) => ({
        expect,
        respond: toAnswer(respond),
      })),
      { verifyJwt },
    );
    const { id = "abc", secret = "def", ...options } = vector.client ?? {};
    this.#client = new Client(
      id as string | null,
      secret as string | null,
      this.#clientOptions(options),
    );
  }

  async all(): Promise<void> {
    const { token, token_options, before, call, then, at, outcome } =
      this.#vector;
    try {
      if (token) {
        this.#token = AccessToken.fromHash(
          this.#client,
          token,
          TOKEN(token_options) as TokenOptions | undefined,
        );
      }
      for (const step of before ?? []) await this.#step(step);
      await this.#step({ ...call, outcome, ...at !== undefined && { at } });
      for (const step of then ?? []) await this.#step(step);
    } catch (error) {
      // A request that is not as expected is the cause of what follows.
      throw this.#fetch.fault ?? error;
    }
    this.#fetch.assertDone();
    checkLines(this.#log, this.#vector.log);
    checkLines(this.#warnings, this.#vector.warnings);
  }

  async #step({ op, args = [], at, outcome }: Step): Promise<void> {
    if (at !== undefined) this.#now = at;
    const got = await this.#call(op, args);
    if (outcome) checkOutcome(got, outcome);
    else if ("thrown" in got) throw got.thrown;

    if (op.endsWith(".inspect")) return;
    this.#last = "thrown" in got ? got.thrown : got.value;
    if (this.#last instanceof AccessToken) this.#token = this.#last;
  }

  async #call(op: string, given: unknown[]): Promise<Got> {
    const readers = ARGUMENTS[op] ?? [];
    const args = given.map((arg, i) => (readers[i] ?? PLAIN)(arg ?? undefined));
    try {
      return { value: await this.#apply(op, args) };
    } catch (thrown) {
      return { thrown };
    }
  }

  #apply(op: string, args: unknown[]): unknown {
    switch (op) {
      case "client.set_site":
        this.#client.site = args[0] as string;
        return;
      case "client.inspect":
        return printed(this.#client);
      case "token.inspect":
        return printed(this.#token);
      case "outcome.inspect":
        return printed(this.#last);
      case "token.headers":
        return (this.#token as AccessToken).headers;
      case "access_token.new": {
        const [token, fields, options] = args as [string, Json, TokenOptions];
        return new AccessToken(this.#client, token, fields, options);
      }
      case "access_token.from_hash":
      case "access_token.from_kvform":
        args = [this.#client, ...args];
        break;
      case "configure":
        return change(args[0] as Partial<Config>);
    }
    const names = op.split(".").map(camelize);
    const method = names.pop()!;
    let owner: unknown = {
      client: this.#client,
      token: this.#token,
      accessToken: AccessToken,
    };
    for (const name of names) owner = (owner as Json)[name];
    return (owner as Record<string, (...args: unknown[]) => unknown>)[method]!(
      ...args,
    );
  }

  #clientOptions(given: Json): ClientOptions {
    const options = {
      site: "https://api.example.com",
      debug: false,
      ...camelizeKeys(given) as Json,
    };
    return {
      ...options,
      ...given.site === null && { site: undefined },
      ...given.connection_opts !== undefined && {
        connectionOpts: camelizeKeys(given.connection_opts),
      },
      ...given.assertion_key !== undefined && {
        assertionKey: SIGNING(given.assertion_key),
      },
      ...given.access_token_class !== undefined && {
        accessTokenClass: TOKEN_CLASSES[String(given.access_token_class)],
      },
      clock: () => this.#now * 1000,
      fetch: this.#fetch,
      logger: {
        debug: (line: string) => void this.#log.push(line),
        warn: (line: string) => void this.#warnings.push(line),
      },
    } as ClientOptions;
  }
}

function checkOutcome(got: Got, outcome: Outcome): void {
  const { url, token, response, text, error } = outcome;
  if (error && !token && !response) {
    if (!("thrown" in got)) {
      throw new AssertionError(`no error but ${inspect(got.value)}`);
    }
    return checkError(got.thrown, error);
  }
  if ("thrown" in got) throw got.thrown;
  const { value } = got;
  if (url !== undefined) {
    checkUrl(value, url);
  } else if (token) {
    checkToken(value, token);
    if (error) checkError((value as AccessToken).response?.error, error);
  } else if (response) {
    checkResponse(value, response);
    if (error) checkError((value as OAuth2Response).error, error);
  } else if (text) {
    checkText(String(value), text);
  } else {
    assertEquals(value, outcome.value);
  }
}

function checkUrl(value: unknown, expected: string | UrlOutcome): void {
  if (typeof expected === "string") return assertEquals(value, expected);
  const { origin, pathname, searchParams } = new URL(String(value));
  if (expected.origin_and_path !== undefined) {
    assertEquals(origin + pathname, expected.origin_and_path);
  }
  if (expected.query) {
    const query = [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    });
    assertEquals(Object.fromEntries(query), expected.query);
  }
  checkText(String(value), expected);
}

function checkToken(value: unknown, expected: Json): void {
  assertIsA(value, AccessToken);
  const { class: name, response, ...fields } = expected;
  if (name !== undefined) {
    assertEquals(value.constructor, TOKEN_CLASSES[String(name)]);
  }
  checkFields({
    token: value.token,
    refresh_token: value.refreshToken,
    expires_in: value.expiresIn,
    expires_at: value.expiresAt,
    expires_latency: value.expiresLatency,
    expires: value.expires(),
    expired: value.expired(),
    params: value.params,
  }, fields);
  if (response) checkResponse(value.response, response as Json);
}

function checkResponse(value: unknown, expected: Json): void {
  assertIsA(value, OAuth2Response);
  const { headers, ...fields } = expected;
  checkFields({
    status: value.status,
    url: value.url,
    content_type: value.contentType,
    body: value.body,
    parsed: value.parsed,
    parse_error: value.parseError !== undefined,
    error: value.error,
  }, fields);
  checkFields(Object.fromEntries(value.headers), headers as Json ?? {});
}

const ERROR_KINDS: Record<string, (error: unknown) => boolean> = {
  oauth2: (error) => error instanceof OAuth2Error,
  connection: (error) =>
    error instanceof ConnectionError && !(error instanceof TimeoutError),
  timeout: (error) => error instanceof TimeoutError,
  argument: (error) => error instanceof TypeError,
  not_supported: (error) =>
    error instanceof DOMException && error.name === "NotSupportedError",
};

function checkError(value: unknown, expected: Json): void {
  const { kind, body, message_contains, message_lacks, ...fields } = expected;
  assertIsA(value, Error);
  if (!ERROR_KINDS[String(kind)]!(value)) {
    throw new AssertionError(`not of the kind ${kind}: ${inspect(value)}`);
  }
  const { code, description, uri, status, retryable, retryAfter } =
    value as Partial<OAuth2Error>;
  const { message } = value;
  checkFields({
    code,
    description,
    uri,
    status,
    retryable,
    retry_after: retryAfter,
    message,
  }, fields);
  if (body !== undefined) {
    assertEquals((value as OAuth2Error).response.body, body);
  }
  checkText(message, {
    contains: message_contains as string[] ?? [],
    lacks: message_lacks as string[] ?? [],
  });
}

function assertIsA<T>(
  value: unknown,
  type: abstract new (...args: never[]) => T,
): asserts value is T {
  if (!(value instanceof type)) {
    throw new AssertionError(`no ${type.name} but ${inspect(value)}`);
  }
}

/** Compares the fields that are expected; null is one that is absent. */
function checkFields(got: Json, expected: Json): void {
  for (const [name, value] of Object.entries(expected)) {
    assertEquals({ [name]: got[name] ?? null }, { [name]: value });
  }
}

function checkText(text: string, { contains = [], lacks = [] }: Text): void {
  for (const part of contains) {
    if (!text.includes(part)) {
      throw new AssertionError(`"${part}" is not in: ${text}`);
    }
  }
  for (const part of lacks) {
    if (text.includes(part)) {
      throw new AssertionError(`"${part}" is in: ${text}`);
    }
  }
}

function checkLines(lines: string[], expected: Text | [] | undefined): void {
  if (Array.isArray(expected)) assertEquals(lines, []);
  else if (expected) checkText(lines.join("\n"), expected);
}

/** All that people see who print an object. */
function printed(value: unknown): string {
  return [
    Deno.inspect(value, { depth: 10 }),
    inspect(value, { depth: 10, showHidden: true }),
    String(value),
    JSON.stringify(value),
    value instanceof Error ? value.stack : "",
  ].join("\n");
}

async function verifyJwt(text: string, expected: unknown): Promise<void> {
  const { alg, key, header = {}, includes = {}, claims } = expected as {
    alg: string;
    key: string;
    header?: Json;
    includes?: Json;
    claims?: Json;
  };
  const { protectedHeader, payload } = await compactVerify(
    text,
    VERIFYING_KEYS[key]!,
    { algorithms: [alg] },
  );
  checkFields(protectedHeader as Json, { alg, ...header });
  const got = JSON.parse(new TextDecoder().decode(payload));
  checkFields(got, includes);
  if (claims) assertEquals(got, claims);
}

function toAnswer(respond: RespondJson) {
  if (!("status" in respond)) return respond;
  const { status, headers = {}, body = "", body_base64 } = respond;
  return {
    status,
    headers,
    body: body_base64 === undefined
      ? body
      : Uint8Array.from(atob(body_base64), (byte) => byte.charCodeAt(0)),
  };
}

function change(settings: Partial<Config>): void {
  configure((config) => Object.assign(config, structuredClone(settings)));
}

function camelize(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Spells all names of options as the library does. */
function camelizeKeys(value: unknown): unknown {
  return camelizeSome(value, undefined);
}

function camelizeSome(
  value: unknown,
  options: ReadonlySet<string> | undefined,
): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) =>
      !options || options.has(name)
        ? [camelize(name), toFunction(item)]
        : [name, item]
    ),
  );
}

/** `{"function": name}` and `{"function": {verb: mode}}`. */
function toFunction(value: unknown): unknown {
  if (!isObject(value) || !("function" in value)) return value;
  const { function: name } = value;
  return isObject(name)
    ? (verb: string) => name[verb.toLowerCase()]
    : FUNCTIONS[String(name)];
}

function withTestKey(signing: Json): Json {
  const { key } = signing;
  return isObject(key) && "test_key" in key
    ? { ...signing, key: PRIVATE_KEYS[String(key.test_key)] }
    : signing;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
