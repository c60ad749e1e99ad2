import type { Reader, Rendered } from "../../store/store.ts";
import type { Answer, Body, Exchange } from "../exchange.ts";
import { recordAnswers, type RecordAnswersOptions } from "../entity_tag.ts";
import { readRelease } from "../routes/read_release.ts";
import { type RawRecord, rawRecord } from "./raw_record.ts";

/** Options of {@linkcode recordFinder}, and of all compatible routes. */
export interface FinderOptions extends RecordAnswersOptions {
  /** Store of the records. */
  readonly store: Pick<Reader, "read">;
}

/** Form of the answers to a request. */
export interface Form {
  /** Returns the body for a record. */
  readonly body: (record: RawRecord) => Body;
  /** Returns the answer for an unknown CEP. */
  readonly unknown: () => Answer | Promise<Answer>;
}

/**
 * Creates the function that answers with the record of a CEP, synchronously if
 * the store does.
 */
export function recordFinder(
  { store, ...options }: FinderOptions,
): (exchange: Exchange, cep: string, form: Form) => Answer | Promise<Answer> {
  const toAnswer = recordAnswers(options);

  function answer(
    exchange: Exchange,
    cep: string,
    form: Form,
    found: Rendered,
  ): Answer {
    const body = form.body(rawRecord(found.json));
    return toAnswer(exchange, cep, found, body);
  }

  async function answerLater(
    exchange: Exchange,
    cep: string,
    form: Form,
    finding: Promise<Rendered | undefined>,
  ): Promise<Answer> {
    const found = await finding;
    return found === undefined
      ? form.unknown()
      : answer(exchange, cep, form, found);
  }

  return (exchange, cep, form) =>
    readRelease(store, (release) => {
      const found = release.findJson(cep);
      if (found === undefined) return form.unknown();
      return found instanceof Promise
        ? answerLater(exchange, cep, form, found)
        : answer(exchange, cep, form, found);
    });
}
