import { parseCep, readCep } from "../record/address.ts";
import { adviseCep } from "../record/nearly_cep.ts";
import { describeError, HttpError } from "./errors.ts";
import type { Parameter, Variables } from "./exchange.ts";
import { CEP_TEXT } from "./open_api/schema.ts";
import {
  type Reader,
  type Rendered,
  UnreachableError,
} from "../store/store.ts";
import { suggestionBody } from "./place_bodies.ts";

/** CEP in the path, in one of its written forms. */
export const CEP_PARAMETER: Parameter = {
  name: "cep",
  in: "path",
  description: {
    en: "eight digits, with or without the usual dot and hyphen, or a blank",
    pt: "oito dígitos, com ou sem o ponto e o hífen usuais, ou um espaço",
  },
  example: "01310-100",
  schema: CEP_TEXT,
};

/**
 * Returns the eight digits of the CEP in a path.
 *
 * @throws {HttpError} If it is not a CEP.
 */
export function requireCep({ cep: text }: Variables): string {
  const cep = parseCep(text!);
  if (cep === undefined) throw invalidCep(text);
  return cep;
}

/** Returns the error for a value that is not a CEP. */
function invalidCep(value: unknown): HttpError {
  const motivo = adviseCep(value);
  return new HttpError("cep_invalid", motivo === undefined ? {} : { motivo });
}

/** Store of the history and of the ranges of municipalities. */
type MissingStore = Pick<Reader, "gazetteer" | "lastChange">;

/**
 * Returns the error for a CEP that has no record. If an earlier release had
 * one, the error gives its successor. Without a successor, it suggests the
 * municipality in whose range the CEP lies, if any.
 */
export async function missingCep(
  store: MissingStore,
  cep: string,
): Promise<HttpError> {
  try {
    return await explain(store, cep);
  } catch (error) {
    // The records in memory are complete, even if the server is away.
    if (error instanceof UnreachableError) {
      return new HttpError("cep_not_found");
    }
    throw error;
  }
}

async function explain(store: MissingStore, cep: string): Promise<HttpError> {
  const gazetteer = await store.gazetteer();
  if (gazetteer === undefined) return new HttpError("database_not_ready");
  const municipality = gazetteer.municipalityOf(cep);
  const hint = municipality && { sugestao: suggestionBody(municipality) };
  const last = await store.lastChange(cep);
  if (last === undefined) return new HttpError("cep_not_found", hint);
  const { successor: cep_novo, dneVersion: release } = last;
  return new HttpError("cep_replaced", {
    cep_novo,
    release,
    ...(cep_novo === null ? hint : {}),
  });
}

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
interface RecordCount {
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
