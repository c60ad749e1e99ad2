/** A server that repeats what it was asked, and all that people see of it: for tests that no secret shows. */
import fc from "fast-check";
import {
  Client,
  type ClientOptions,
  OAuth2Response,
} from "../../oauth2/mod.ts";
import { print } from "./print.ts";
import type { Spell } from "./spellings.ts";
import { SITE } from "./testing.ts";

/** Stands in every secret and survives every encoding of text: it never shows. */
const MARK = "zq7k";

const unit = fc.constantFrom(
  ..."aZ09-._~\"'\\%+&=#?/: ;,<>()!*@[]{}$\n\r\t",
  ...["é", "ß", "€", "日", "😀", "\u2028", "%41", "%zz", "\\u0041", "\\n"],
  ...["\ud800", "\udc00"],
);
/** What a header can carry; the rest must be refused without being shown. */
const headerUnit = fc.constantFrom(
  ..."aZ09-._~\"'\\%+&=#?/: ;,<>()!*@[]{}$éß",
);
const secretOf = (unit: fc.Arbitrary<string>) =>
  fc.tuple(
    fc.string({ unit, minLength: 2, maxLength: 14 }),
    fc.string({ unit, minLength: 2, maxLength: 14 }),
  ).map(([before, after]) => before + MARK + after);
/** Texts with the mark in their midst. */
export const secret: fc.Arbitrary<string> = fc.oneof(
  secretOf(headerUnit),
  secretOf(unit),
);

/** What the server knows when it answers. */
export interface Asked {
  /** All secrets of the request, in some spelling. */
  readonly said: string;
  /** The same as a header can say it, quotes and all. */
  readonly header: string;
  readonly url: string;
  readonly sent: string;
  readonly signal: AbortSignal;
}

const UNQUOTABLE = /[^\x20-\x7e\xa0-\xff]|["\\]/;

export type Respond = (asked: Asked) => Response | Promise<Response>;

const json = (value: unknown, status = 200): Response =>
  Response.json(value, { status });
const fail = (message: string, cause?: unknown): never => {
  throw new TypeError(message, { cause });
};
const endless = (first: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
    pull: (controller) => controller.enqueue(new Uint8Array(4096)),
  });

const NO_ANSWER: Respond = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });

/** The ways in which the server repeats what it was asked. */
export const ECHOES: Readonly<Record<string, Respond>> = {
  "an error in JSON": ({ said }) =>
    json({
      error: `refused ${said}`,
      error_description: `it was ${said}.`,
      error_uri: `https://docs.example/?about=${said}`,
    }, 400),
  "an error in JSON with 200": ({ said }) => json({ error: said, got: [said] }),
  "an error in a form": ({ said }) =>
    new Response(
      new URLSearchParams({ error: "x", error_description: said }),
      { status: 401 },
    ),
  "a challenge": ({ header }) =>
    new Response(null, {
      status: 401,
      headers: {
        "www-authenticate":
          `Bearer error="invalid_token", error_description="${header}"`,
      },
    }),
  "a redirect below the site": ({ header }) =>
    new Response(null, {
      status: 307,
      headers: { location: `/to?note=${header}` },
    }),
  "a redirect elsewhere": ({ header }) =>
    new Response(null, {
      status: 302,
      headers: { location: `https://other.example/?x=${header}` },
    }),
  "a redirect to what is no address": ({ header }) =>
    new Response(null, {
      status: 302,
      headers: { location: `https://[${header}` },
    }),
  "the request in JSON": ({ said, sent }) =>
    json({ data: sent, said, nested: { said: [{ said }] } }, 400),
  "the request in JSON with 200": ({ said }) => json({ said, n: { said } }),
  "the request in a form": ({ said, sent }) =>
    new Response(new URLSearchParams({ said, sent })),
  "the request as text": ({ said, sent }) =>
    new Response(`said ${said} sent ${sent}`, { status: 500 }),
  "what is no JSON": ({ said }) =>
    new Response(`{"said":"${said}`, {
      headers: { "content-type": "application/json" },
    }),
  "a page": ({ said, url }) =>
    new Response(`<p>${said} ${url}`, {
      status: 404,
      headers: { "content-type": "text/html" },
    }),
  "a body over the limit": ({ said }) => new Response(endless(said)),
  "a body that breaks off": ({ said }) =>
    new Response(
      new ReadableStream({ pull: (to) => to.error(new Error(said)) }),
    ),
  "a lost connection": ({ said }) => fail(`cannot send ${said}`),
  "a lost connection that tells the address": ({ url }) =>
    fail(`error sending request for url (${url})`),
  "a lost connection with causes": ({ said, url }) =>
    fail("fetch failed", new Error(url, { cause: new Error(said) })),
  "a lost connection whose cause is text": ({ said }) => fail("failed", said),
  "a lost connection whose cause is an object": ({ said, url }) =>
    fail("failed", { url, options: { body: said } }),
  "a lost connection whose error has details": ({ said, url }) => {
    throw Object.assign(new Error("failed"), { url, config: { data: said } });
  },
  "a lost connection of many causes": ({ said }) => {
    throw new AggregateError([new Error(said)], "all failed");
  },
  "a rejection that is no error": ({ said, url }) => {
    throw { url, said };
  },
  "no answer": NO_ANSWER,
};

/** All that people see of a call. */
export interface Shown {
  readonly text: string;
  /** What the client sent as `Basic`. */
  readonly credentials: readonly string[];
}

/** Runs a call against a server, and finds all that it shows. */
export async function show(
  respond: Respond,
  spell: Spell,
  secrets: readonly string[],
  options: ClientOptions,
  act: (client: Client) => Promise<unknown>,
  clientSecret = "",
): Promise<Shown> {
  const lines: string[] = [];
  const credentials: string[] = [];
  const write = (line: unknown) => void lines.push(String(line));
  const client = new Client("ação:%+", clientSecret, {
    site: SITE,
    logger: { debug: write, warn: write },
    debug: true,
    ...options,
    connectionOpts: {
      maxBodyBytes: 4096,
      timeout: respond === NO_ANSWER ? 1 : 0,
    },
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      const signed = /^Basic (.*)/.exec(headers.get("authorization") ?? "")
        ?.[1];
      if (signed) credentials.push(signed);
      const sent = String(init.body ?? "");
      // Nothing but JSON carries a lone surrogate, and a header only bytes.
      const whole = secrets.map((secret) => secret.toWellFormed());
      const said = [...whole.map(spell), ...credentials].join(" and ");
      const header = whole
        .map((secret) =>
          UNQUOTABLE.test(spell(secret))
            ? encodeURIComponent(secret)
            : spell(secret)
        )
        .concat(credentials, "so").join(" and ");
      return await respond({ said, header, url, sent, signal: init.signal! });
    },
  });
  const outcome = await act(client)
    .catch((error): unknown => error) as { response?: unknown } | undefined;
  const response = outcome instanceof OAuth2Response
    ? outcome
    : outcome?.response as OAuth2Response | undefined;
  const error = response?.error;
  const text = [
    ...lines,
    print(client),
    print(client.authCode),
    print(outcome),
    print(response),
    print(error),
    print([client, { outcome, response, error }]),
  ].join("\n");
  return { text, credentials };
}

/** The lines that hold a secret, or a part of one. */
export function leaks({ text, credentials }: Shown): string[] {
  return text.split("\n").filter((line) =>
    line.toLowerCase().includes(MARK) ||
    credentials.some((value) => line.includes(value))
  );
}
