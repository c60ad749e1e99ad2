/** Servers that repeat the secrets of a request, for tests of redaction. */
import fc from "fast-check";
import {
  type Client,
  type ClientOptions,
  OAuth2Response,
} from "../../oauth2/mod.ts";
import { createClient, loggerTo } from "./_client.ts";
import { print, show } from "./_print.ts";
import type { Spell } from "./_spellings.ts";

/** Part of every secret, which no encoding changes. */
export const MARK = "zq7k";

const unit = fc.constantFrom(
  ..."aZ09-._~\"'\\%+&=#?/: ;,<>()!*@[]{}$\n\r\t",
  ...["é", "ß", "€", "日", "😀", "\u2028", "%41", "%zz", "\\u0041", "\\n"],
  ...["\ud800", "\udc00"],
);
/** Characters of a header. Others are refused. */
const headerUnit = fc.constantFrom(
  ..."aZ09-._~\"'\\%+&=#?/: ;,<>()!*@[]{}$éß",
);
const secretOf = (unit: fc.Arbitrary<string>) =>
  fc.tuple(
    fc.string({ unit, minLength: 2, maxLength: 14 }),
    fc.string({ unit, minLength: 2, maxLength: 14 }),
  ).map(([before, after]) => before + MARK + after);
/** Texts with the mark in the middle. */
export const secret: fc.Arbitrary<string> = fc.oneof(
  secretOf(headerUnit),
  secretOf(unit),
);

/** Request, as the server repeats it. */
export interface Received {
  /** Secrets of the request, in some encoding. */
  readonly secrets: string;
  /** Secrets of the request, for a quoted string in a header. */
  readonly header: string;
  readonly url: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Characters that a quoted string in a header cannot contain. */
const UNQUOTABLE = /[^\x20-\x7e\xa0-\xff]|["\\]/;

/** Answers a request. */
export type Respond = (received: Received) => Response | Promise<Response>;

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

/** Answers that repeat the secrets, by name. */
export const ECHOES: Readonly<Record<string, Respond>> = {
  "with an error in JSON": ({ secrets }) =>
    json({
      error: `refused ${secrets}`,
      error_description: `it was ${secrets}.`,
      error_uri: `https://docs.example/?about=${secrets}`,
    }, 400),
  "with status 200 and an error in JSON": ({ secrets }) =>
    json({ error: secrets, data: [secrets] }),
  "with an error in a form": ({ secrets }) =>
    new Response(
      new URLSearchParams({ error: "x", error_description: secrets }),
      { status: 401 },
    ),
  "with a challenge": ({ header }) =>
    new Response(null, {
      status: 401,
      headers: {
        "www-authenticate":
          `Bearer error="invalid_token", error_description="${header}"`,
      },
    }),
  "with a redirect to the same origin": ({ header }) =>
    new Response(null, {
      status: 307,
      headers: { location: `/to?note=${header}` },
    }),
  "with a redirect to another origin": ({ header }) =>
    new Response(null, {
      status: 302,
      headers: { location: `https://other.example/?x=${header}` },
    }),
  "with a redirect to an invalid URL": ({ header }) =>
    new Response(null, {
      status: 302,
      headers: { location: `https://[${header}` },
    }),
  "with the request in JSON": ({ secrets, body }) =>
    json({ data: body, secrets, nested: { secrets: [{ secrets }] } }, 400),
  "with status 200 and the request in JSON": ({ secrets }) =>
    json({ secrets, nested: { secrets } }),
  "with the request in a form": ({ secrets, body }) =>
    new Response(new URLSearchParams({ secrets, body })),
  "with the request as text": ({ secrets, body }) =>
    new Response(`${secrets} ${body}`, { status: 500 }),
  "with invalid JSON": ({ secrets }) =>
    new Response(`{"secrets":"${secrets}`, {
      headers: { "content-type": "application/json" },
    }),
  "with a page": ({ secrets, url }) =>
    new Response(`<p>${secrets} ${url}`, {
      status: 404,
      headers: { "content-type": "text/html" },
    }),
  "with a body over the limit": ({ secrets }) => new Response(endless(secrets)),
  "with a body that fails": ({ secrets }) =>
    new Response(
      new ReadableStream({ pull: (to) => to.error(new Error(secrets)) }),
    ),
  "by a failed connection": ({ secrets }) => fail(`cannot send ${secrets}`),
  "by a failed connection with the URL in its message": ({ url }) =>
    fail(`error sending request for url (${url})`),
  "by a failed connection with causes": ({ secrets, url }) =>
    fail("fetch failed", new Error(url, { cause: new Error(secrets) })),
  "by a failed connection with a string as its cause": ({ secrets }) =>
    fail("failed", secrets),
  "by a failed connection with an object as its cause": ({ secrets, url }) =>
    fail("failed", { url, options: { body: secrets } }),
  "by a failed connection with other properties": ({ secrets, url }) => {
    throw Object.assign(new Error("failed"), {
      url,
      config: { data: secrets },
    });
  },
  "by an AggregateError": ({ secrets }) => {
    throw new AggregateError([new Error(secrets)], "all failed");
  },
  "by a rejection with an object": ({ secrets, url }) => {
    throw { url, secrets };
  },
  "by no answer": NO_ANSWER,
};

/** Everything that a call shows. */
export interface Shown {
  readonly text: string;
  /** Basic credentials that the client sent. */
  readonly credentials: readonly string[];
}

/** Options of {@linkcode shownBy}. */
export interface ShownByOptions {
  /** Encoding in which the server repeats the secrets. */
  readonly spell: Spell;
  /** Secrets that the server repeats. */
  readonly secrets: readonly string[];
  readonly clientSecret?: string;
  readonly options?: ClientOptions;
}

/** Runs a call with an answer, and returns everything that it shows. */
export async function shownBy(
  call: (client: Client) => Promise<unknown>,
  respond: Respond,
  { spell, secrets, clientSecret = "", options = {} }: ShownByOptions,
): Promise<Shown> {
  const lines: string[] = [];
  const credentials: string[] = [];
  const client = createClient({
    id: "ação:%+",
    secret: clientSecret,
    logger: loggerTo(lines),
    debug: true,
    ...options,
    connectionOpts: {
      maxBodyBytes: 4096,
      timeout: respond === NO_ANSWER ? 1 : 0,
    },
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      const [, basic] =
        /^Basic (.*)/.exec(headers.get("authorization") ?? "") ?? [];
      if (basic) credentials.push(basic);
      // Only JSON can carry a lone surrogate.
      const sent = secrets.map((secret) => spell(secret.toWellFormed()));
      return await respond({
        secrets: [...sent, ...credentials].join(" and "),
        header: sent
          .map((text, i) =>
            UNQUOTABLE.test(text)
              ? encodeURIComponent(secrets[i]!.toWellFormed())
              : text
          )
          .concat(credentials, "end").join(" and "),
        url,
        body: String(init.body ?? ""),
        signal: init.signal!,
      });
    },
  });
  const outcome = await call(client)
    .catch((error: unknown) => error) as { response?: unknown } | undefined;
  const response = outcome instanceof OAuth2Response
    ? outcome
    : outcome?.response as OAuth2Response | undefined;
  const error = response?.error;
  const text = [
    ...lines,
    show([client, client.authCode, response], { depth: 20 }),
    print(outcome),
    error ? print(error) : "",
  ].join("\n");
  return { text, credentials };
}

/** Returns the lines that contain a part of a secret. */
export function leaks({ text, credentials }: Shown): string[] {
  return text.split("\n").filter((line) =>
    line.toLowerCase().includes(MARK) ||
    credentials.some((value) => line.includes(value))
  );
}
