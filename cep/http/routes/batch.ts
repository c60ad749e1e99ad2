/**
 * `POST /ceps`: records of many CEPs.
 */
import type { Reader } from "../../store/store.ts";
import { CepAnswers } from "../cep_answers.ts";
import { HttpError } from "../errors.ts";
import {
  type Answer,
  type Endpoint,
  type Exchange,
  jsonBody,
  type Route,
} from "../exchange.ts";
import { errorSchema } from "../open_api/error_schema.ts";
import { RECORD } from "../open_api/record_schema.ts";
import {
  anyOf,
  array,
  jsonContent,
  linesContent,
  type Schema,
} from "../open_api/schema.ts";
import { contentType, readJson } from "../read_body.ts";
import { streamAnswer } from "../stream_answer.ts";
import type { LookupCount } from "./lookup.ts";
import { readRelease } from "./read_release.ts";

/** Maximum number of CEPs in an array, and of lines per token of the limit. */
const MAX_CEPS = 1000;

/** Maximum number of lines whose CEPs a store on a server looks up together. */
const LOOKED_UP_AT_ONCE = 250;

/** Maximum size of an array or a line, several times that of 1,000 CEPs. */
const MAX_BYTES = 65_536;

/** Record, or an error in its place. */
const ITEM: Schema = anyOf(
  RECORD,
  errorSchema("cep_invalid"),
  errorSchema("cep_not_found"),
  errorSchema("cep_replaced"),
  errorSchema("database_not_ready"),
);

/** Line of a stream, whose last one may tell why it ends early. */
const LINE: Schema = anyOf(
  ITEM,
  errorSchema("body_invalid"),
  errorSchema("body_timeout"),
  errorSchema("body_too_large"),
  errorSchema("rate_limited"),
);

/** Records of many CEPs. */
export const BATCH: Endpoint = {
  method: "POST",
  id: "getCeps",
  pattern: "/ceps",
  summary: {
    en: "the records of many CEPs, in order, an error object in place of " +
      "each invalid or unknown one",
    pt: "os registros de vários CEPs, em ordem, um objeto de erro no lugar " +
      "de cada um inválido ou desconhecido",
  },
  parameters: [],
  content: {
    description: {
      en: `a JSON array of up to ${MAX_CEPS} CEPs, or any number of lines ` +
        "with a CEP each",
      pt: `um array JSON de até ${MAX_CEPS} CEPs, ou qualquer número de ` +
        "linhas com um CEP cada",
    },
    examples: {
      "application/json": '["01310-100", "20040020"]',
      "application/x-ndjson": '"01310-100"\n"20040020"\n',
    },
    content: {
      ...jsonContent(array({}, MAX_CEPS)),
      ...linesContent({ type: "string" }),
    },
  },
  answers: {
    200: {
      en: "an array or lines, like the request",
      pt: "um array ou linhas, como na requisição",
      content: { ...jsonContent(array(ITEM, MAX_CEPS)), ...linesContent(LINE) },
    },
  },
  errors: [
    "body_invalid",
    "body_timeout",
    "body_too_large",
    "content_type_unsupported",
    "database_not_ready",
  ],
};

/** Options of {@linkcode batch}. */
export interface BatchOptions {
  /** Store of the records. */
  readonly store: Pick<
    Reader,
    "read" | "findJson" | "gazetteer" | "lastChange"
  >;
  /** Counters of records served. */
  readonly lookups: LookupCount;
}

/** Creates the route of batches. */
export function batch(
  { store, lookups }: BatchOptions,
): Route[] {
  async function answerArray(exchange: Exchange): Promise<Answer> {
    const ceps = await readJson(exchange, MAX_BYTES);
    if (!Array.isArray(ceps)) {
      throw new HttpError("body_invalid", {
        motivo: 'deve ser um array de CEPs, como ["01310-100", "20040020"]',
      });
    }
    if (ceps.length > MAX_CEPS) {
      throw new HttpError("body_too_large", {
        limite: `${MAX_CEPS} CEPs; para mais, envie application/x-ndjson`,
      });
    }
    const texts = await readRelease(
      store,
      (release) => answerAll(new CepAnswers(release, lookups), ceps, exchange),
    );
    return { status: 200, body: jsonBody(`[${texts.join(",")}]`) };
  }

  async function answerAll(
    answers: CepAnswers,
    ceps: readonly unknown[],
    { turns }: Exchange,
  ): Promise<string[]> {
    // Requests to a server are sent together. A promise for each CEP would
    // halve the speed of a store in memory.
    const started: (string | Promise<string>)[] = [];
    while (started.length < ceps.length) {
      await turns.run((isOver) => {
        do {
          const answered = answers.answer(ceps[started.length]);
          started.push(answered);
          // A failure is thrown below, when the others are awaited, too.
          if (answered instanceof Promise) answered.catch(() => {});
        } while (started.length < ceps.length && !isOver());
      });
    }
    return started.some((it) => it instanceof Promise)
      ? await Promise.all(started)
      : started as string[];
  }

  async function answerStream(exchange: Exchange): Promise<Answer> {
    await readRelease(store, ({ facts }) => facts);
    // A stream may be longer than a release is in use.
    const answers = new CepAnswers(store, lookups);
    return streamAnswer(exchange, {
      answer: (line) => answers.answerLine(line),
      answersAtOnce: LOOKED_UP_AT_ONCE,
      linesPerPart: MAX_CEPS,
      maxBytes: MAX_BYTES,
    });
  }

  return [{
    ...BATCH,
    handle(exchange) {
      const type = contentType(
        exchange,
        "application/json",
        "application/x-ndjson",
      );
      return type === "application/json"
        ? answerArray(exchange)
        : answerStream(exchange);
    },
  }];
}
