/**
 * `GET /cep/:cep`: the record of a CEP.
 */
import type { Reader, ReleaseReader, Rendered } from "../../store/store.ts";
import { CEP_PARAMETER, missingCep, requireCep } from "../cep_answers.ts";
import { HttpError } from "../errors.ts";
import {
  type Answer,
  type Body,
  type Endpoint,
  type Exchange,
  jsonBody,
  type Route,
} from "../exchange.ts";
import {
  featureContent,
  FORMAT_PARAMETER,
  readFormat,
  recordBodyIn,
} from "../geo_json.ts";
import { RECORD } from "../open_api/record_schema.ts";
import { jsonContent } from "../open_api/schema.ts";
import { recordAnswers, type RecordAnswersOptions } from "../entity_tag.ts";
import { readRelease } from "./read_release.ts";

/** Number of records served, by source. */
export class LookupCount {
  /** From the snapshot in memory. */
  memory = 0;
  /** From the database. */
  database = 0;
}

/** Options of {@linkcode lookup}. */
export interface LookupOptions extends RecordAnswersOptions {
  /** Store of the records. */
  readonly store: Pick<Reader, "read">;
}

/** Path of a record without its CEP. */
export const CEP_MISSING: Endpoint = {
  id: "getMissingCep",
  pattern: "/cep",
  lenient: true,
  summary: {
    en: "400: the CEP is missing",
    pt: "400: CEP faltando",
  },
  parameters: [],
  answers: {},
  errors: ["cep_missing"],
};

/** Record of a CEP. */
export const CEP: Endpoint = {
  id: "getCep",
  pattern: "/cep/:cep",
  summary: {
    en: "the record of a CEP: `01310100`, `01310-100` or `01.310-100`",
    pt: "o registro de um CEP: `01310100`, `01310-100` ou `01.310-100`",
  },
  parameters: [CEP_PARAMETER, FORMAT_PARAMETER],
  answers: {
    200: {
      en: "the record",
      pt: "o registro",
      content: { ...jsonContent(RECORD), ...featureContent(RECORD) },
    },
    304: {
      en: "`If-None-Match` names the current version of the record",
      pt: "`If-None-Match` indica a versão atual do registro",
    },
  },
  errors: [
    "cep_invalid",
    "cep_not_found",
    "cep_replaced",
    "database_not_ready",
    "parameter_invalid",
  ],
};

/** Creates the body of a record from its JSON. */
type ToBody = (record: string) => Body;

/** Creates the routes of records and of the path without a CEP. */
export function lookup(
  { store, ...options }: LookupOptions,
): Route[] {
  const toAnswer = recordAnswers(options);

  function answer(
    exchange: Exchange,
    cep: string,
    toBody: ToBody,
    found: Rendered,
  ): Answer {
    return toAnswer(exchange, cep, found, toBody(found.json));
  }

  async function answerLater(
    release: ReleaseReader,
    exchange: Exchange,
    cep: string,
    toBody: ToBody,
    found: Promise<Rendered | undefined> | undefined,
  ): Promise<Answer> {
    const rendered = await found;
    if (rendered === undefined) throw await missingCep(release, cep);
    return answer(exchange, cep, toBody, rendered);
  }

  return [
    {
      ...CEP_MISSING,
      handle() {
        throw new HttpError("cep_missing");
      },
    },
    {
      ...CEP,
      handle(exchange) {
        const cep = requireCep(exchange.variables);
        const toBody = bodyIn(exchange);
        return readRelease(store, (release) => {
          const found = release.findJson(cep);
          return found === undefined || found instanceof Promise
            ? answerLater(release, exchange, cep, toBody, found)
            : answer(exchange, cep, toBody, found);
        });
      },
    },
  ];
}

/** Returns the function that creates the body in the requested format. */
function bodyIn({ query }: Exchange): ToBody {
  // Almost no request has a query, and parsing one takes long.
  return query === ""
    ? jsonBody
    : recordBodyIn(readFormat(new URLSearchParams(query)));
}
