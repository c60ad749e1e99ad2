/**
 * Answers to the CEPs of a batch: records, or errors in their place.
 */
import { readCep } from "../record/address.ts";
import type { Reader, Rendered } from "../store/store.ts";
import { invalidCep } from "./cep_parameter.ts";
import { describeError, type HttpError } from "./errors.ts";
import { missingCep } from "./missing_cep.ts";

/**
 * Returns the JSON of an error in the place of an answer.
 *
 * @param members Further members of the object.
 */
export function errorText(
  { code, details }: HttpError,
  members: Readonly<Record<string, string>> = {},
): string {
  const { body } = describeError(code, { ...members, ...details });
  return JSON.stringify(body);
}

/** Counter of records served. */
export interface RecordCount {
  memory: number;
  database: number;
}

/** Answers the CEPs of batches with JSON texts. */
export class CepAnswers {
  readonly #store: Pick<Reader, "findJson" | "gazetteer" | "lastChange">;
  readonly #count: RecordCount;

  constructor(
    store: Pick<Reader, "findJson" | "gazetteer" | "lastChange">,
    count: RecordCount,
  ) {
    this.#store = store;
    this.#count = count;
  }

  /**
   * Answers a value of JSON. The answer is synchronous if the store is: a
   * promise for each CEP would halve the speed.
   */
  answer(value: unknown): string | Promise<string> {
    const cep = readCep(value);
    if (cep === undefined) return errorText(invalidCep(value));
    const found = this.#store.findJson(cep);
    if (found instanceof Promise) return this.#answerLater(cep, found);
    return found === undefined ? this.#missing(cep) : this.#record(found);
  }

  /** Answers a line: a value of JSON, or a CEP without the quotes of JSON. */
  answerLine(line: string): string | Promise<string> {
    const text = line.trim();
    return this.answer(MAYBE_JSON.test(text) ? parseJson(text) : text);
  }

  #record({ json, fromMemory }: Rendered): string {
    if (fromMemory) this.#count.memory++;
    else this.#count.database++;
    return json;
  }

  async #answerLater(
    cep: string,
    found: Promise<Rendered | undefined>,
  ): Promise<string> {
    const rendered = await found;
    return rendered ? this.#record(rendered) : await this.#missing(cep);
  }

  async #missing(cep: string): Promise<string> {
    return errorText(await missingCep(this.#store, cep), { cep });
  }
}

/** Texts of JSON, except for those that are certainly not a CEP. */
const MAYBE_JSON = /^(?:["[{-]|[1-9][\d.e+]*$)/i;

/** Parses JSON, and returns any other text as it is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
