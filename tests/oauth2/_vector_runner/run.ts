/** Runner of the conformance vectors, which vectors/README.md describes. */
import {
  AccessToken,
  Client,
  type ClientOptions,
  type Config,
  config,
  configure,
  OAuth2Response,
  type TokenOptions,
} from "../../../oauth2/mod.ts";
import { type FakeFetch, fakeFetch } from "../_fake_fetch.ts";
import { print } from "../_print.ts";
import { camelize, camelizeKeys, toArgument } from "./arguments.ts";
import { PARSERS, TOKEN_CLASSES } from "./functions.ts";
import { verifyJwt } from "./keys.ts";
import { checkLines, checkOutcome, type Got } from "./outcome.ts";
import type { Json, ParserName, RespondJson, Step, Vector } from "./vector.ts";

/** Arguments that are hashes of a token, whose names are those of a server. */
const HASHES: Readonly<Record<string, number>> = {
  "access_token.from_hash": 0,
  "access_token.new": 1,
};

/** Runs a vector. Rejects at the first difference. */
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
    parsers.forEach(reset);
  }
}

/** Replaces a parser by the default behaviour, as none can be removed. */
function reset(name: ParserName): void {
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
  /** Token of `token.*`. */
  #token: unknown;
  /** Outcome of `outcome.*`. */
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
          toArgument(token_options) as TokenOptions | undefined,
        );
      }
      for (const step of before ?? []) await this.#step(step);
      await this.#step({ ...call, outcome, ...at !== undefined && { at } });
      for (const step of then ?? []) await this.#step(step);
    } catch (error) {
      // An unexpected request is the cause of other errors.
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
    const args = given.map((arg, i) =>
      i === HASHES[op] ? arg : toArgument(arg ?? undefined)
    );
    const run = this.#find(op);
    try {
      return { value: await run(args) };
    } catch (thrown) {
      return { thrown };
    }
  }

  /** Finds the function of a call. */
  #find(op: string): (args: unknown[]) => unknown {
    switch (op) {
      case "client.set_site":
        return ([site]) => void (this.#client.site = site as string);
      case "client.inspect":
        return () => print(this.#client);
      case "token.inspect":
        return () => print(this.#token);
      case "outcome.inspect":
        return () => print(this.#last);
      case "token.headers":
        return () => (this.#token as AccessToken).headers;
      case "access_token.new":
        return ([token, fields, options]) =>
          new AccessToken(
            this.#client,
            token as string,
            fields as Json,
            options as TokenOptions,
          );
      case "configure":
        return ([settings]) =>
          change(camelizeKeys(settings) as Partial<Config>);
    }
    const names = op.split(".").map(camelize);
    const method = names.pop()!;
    let owner: unknown = {
      client: this.#client,
      token: this.#token,
      accessToken: AccessToken,
    };
    for (const name of names) owner = (owner as Json | undefined)?.[name];
    const found = (owner as Json | undefined)?.[method];
    if (typeof found !== "function") {
      throw new TypeError(`Cannot call ${op}: the library has no such call`);
    }
    const first = op.startsWith("access_token.") ? [this.#client] : [];
    return (args) => found.call(owner, ...first, ...args);
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
        assertionKey: toArgument(given.assertion_key),
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
