/**
 * `POST /ceps`: records of many CEPs.
 *
 * @module
 */
import type { Reader } from "../../store/store.ts";
import { answerLines, type EarlyEnd } from "../answer_lines.ts";
import { CepAnswers, errorText } from "../cep_answers.ts";
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
  STRING,
} from "../open_api/schema.ts";
import { contentType, readJson } from "../read_body.ts";
import type { LookupCount } from "./lookup.ts";
import { requireRelease } from "./require_release.ts";

/** Maximum number of CEPs in an array, and of lines per token of the limit. */
const MAX_CEPS = 1000;

/** Maximum size of an array, several times that of the CEPs alone. */
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
  errorSchema("rate_limited"),
);

/** Records of many CEPs. */
export const BATCH: Endpoint = {
  method: "POST",
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
      ...linesContent(STRING),
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
    "findJson" | "gazetteer" | "history" | "release"
  >;
  /** Counters of records served. */
  readonly lookups: LookupCount;
}

/** Creates the route of batches. */
export function batch(
  { store, lookups }: BatchOptions,
): Route[] {
  const answers = new CepAnswers(store, lookups);

  async function answerArray(exchange: Exchange): Promise<Answer> {
    const ceps = await readJson(exchange, MAX_BYTES);
    if (!Array.isArray(ceps)) {
      throw new HttpError("body_invalid", {
        motivo: "o corpo deve ser um array de CEPs",
      });
    }
    if (ceps.length > MAX_CEPS) {
      throw new HttpError("body_too_large", { limite: `${MAX_CEPS} CEPs` });
    }
    await requireRelease(store);
    const texts: string[] = [];
    for (const cep of ceps) {
      const answer = answers.answer(cep);
      texts.push(typeof answer === "string" ? answer : await answer);
    }
    return { status: 200, body: jsonBody(`[${texts.join(",")}]`) };
  }

  async function answerStream(
    { request, bodyMs, charge }: Exchange,
  ): Promise<Answer> {
    await requireRelease(store);
    const content = answerLines(request.body ?? new Blob([]).stream(), {
      answer: (line) => answers.answerLine(line),
      answerEnd: (reason) => errorText(END_ERRORS[reason]),
      linesPerPart: MAX_CEPS,
      refusePart() {
        const allowance = charge?.();
        if (allowance === undefined || allowance.allowed) return undefined;
        return errorText(
          new HttpError("rate_limited", {
            retry_after: allowance.waitSeconds,
          }),
        );
      },
      idleMs: bodyMs,
    });
    const type = "application/x-ndjson";
    return { status: 200, body: { type, content, length: undefined } };
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

const END_ERRORS: Readonly<Record<EarlyEnd, HttpError>> = {
  timeout: new HttpError("body_timeout"),
  "cut off": new HttpError("body_invalid", {
    motivo: "o corpo foi interrompido",
  }),
};
