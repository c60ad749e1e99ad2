/**
 * `POST /enderecos`: the record of an address, or of each of many.
 */
import {
  type Match,
  Matcher,
  type MatcherStore,
  type MatchOptions,
  MAX_ADDRESS,
} from "../../search/matcher.ts";
import { PARTS } from "../../record/address_parts.ts";
import { DatabaseError } from "../../store/store.ts";
import { HttpError } from "../errors.ts";
import { type Endpoint, json, type Route } from "../exchange.ts";
import { errorSchema } from "../open_api/error_schema.ts";
import { RECORD } from "../open_api/record_schema.ts";
import {
  anyOf,
  array,
  BOOLEAN,
  CEP_DIGITS,
  described,
  jsonContent,
  linesContent,
  named,
  nullable,
  number,
  object,
  oneOfStrings,
  type Schema,
  STRING,
} from "../open_api/schema.ts";
import { refuseParameter, refuseUnknown } from "../parameters.ts";
import { readRelease } from "./read_release.ts";
import { contentType, parseJson, readJson } from "../read_body.ts";
import { streamAnswer } from "../stream_answer.ts";

/** Maximum number of lines per token of the limit, if they took no work. */
const MAX_LINES = 250;

/** Searches per token of the limit if each takes all the work that it may. */
const MAX_SEARCHES = 25;

/**
 * Lines of a stream that are read together, so that the threads of the search
 * do not wait between two.
 */
const READ_AT_ONCE = 16;

/** Maximum size of a body or a line, several times that of an address. */
const MAX_BYTES = 16_384;

/** Highest number as a part: that of a CEP without its hyphen. */
const MAX_NUMBER = 99_999_999;

const MEMBERS: readonly string[] = ["endereco", ...PARTS];

/**
 * Text of an address or of a part. Numbers are accepted, because a spreadsheet
 * may have one, but not every generator of clients knows a choice of types.
 */
const TEXT: Schema = { type: ["string", "null"], maxLength: MAX_ADDRESS };

const ADDRESS: Schema = {
  ...object({}, Object.fromEntries(MEMBERS.map((name) => [name, TEXT]))),
  additionalProperties: false,
  minProperties: 1,
};

const MATCHED: Schema = named(
  "Correspondencia",
  object({
    cep: described({
      en: "CEP of the record, null with a score below 0.5",
      pt: "CEP do registro, null com pontuação abaixo de 0,5",
    }, nullable(CEP_DIGITS)),
    pontuacao: described({
      en:
        "probability that the CEP is right; exactly 0.5 if the street is right, but not which of its CEPs",
      pt: "probabilidade de que o CEP esteja certo; exatamente 0,5 se o " +
        "logradouro é certo, mas não qual dos seus CEPs",
    }, number(0, 1)),
    diferencas: described(
      {
        en: "parts that differ, in the words of the address",
        pt: "partes que diferem, com as palavras do endereço",
      },
      array(object({
        campo: oneOfStrings(...PARTS),
        informado: STRING,
        encontrado: STRING,
      })),
    ),
    outros_ceps: described({
      en: "other possible CEPs, the likeliest first",
      pt: "outros CEPs possíveis, o mais provável primeiro",
    }, array(CEP_DIGITS)),
    nome_encontrado: described({
      en: "old or alternative name by which the street was found",
      pt: "nome antigo ou alternativo pelo qual o logradouro foi encontrado",
    }, nullable(STRING)),
    cep_novo: described({
      en: "CEP that replaced the given one",
      pt: "CEP que substituiu o informado",
    }, nullable(CEP_DIGITS)),
    endereco: described({
      en: "address as it was understood",
      pt: "endereço como foi entendido",
    }, object(Object.fromEntries(PARTS.map((part) => [part, STRING])))),
    registro: described({
      en: "record of the CEP, null without one",
      pt: "registro do CEP, null sem ele",
    }, nullable(RECORD)),
  }, {
    parcial: described({
      en:
        "the search ended early because it cost too much: there may be a better answer",
      pt: "a busca terminou antes do fim por custar demais: pode haver uma " +
        "resposta melhor",
    }, BOOLEAN),
  }),
);

/** Line of a stream: an answer, or an error in its place. */
const LINE: Schema = anyOf(
  MATCHED,
  errorSchema("parameter_invalid"),
  errorSchema("body_invalid"),
  errorSchema("body_timeout"),
  errorSchema("body_too_large"),
  errorSchema("database_not_ready"),
  errorSchema("rate_limited"),
);

/** Record of an address. */
export const MATCH: Endpoint = {
  method: "POST",
  id: "matchAddress",
  pattern: "/enderecos",
  summary: {
    en:
      "the record of an address, the probability that its CEP is right, and " +
      "what differs",
    pt:
      "o registro de um endereço, a probabilidade de que o CEP esteja certo " +
      "e o que difere",
  },
  parameters: [],
  content: {
    description: {
      en: `a free address in \`endereco\`, or its parts ${list("and")}; or ` +
        "any number of lines with such an address each",
      pt: `um endereço livre em \`endereco\`, ou suas partes ${list("e")}; ` +
        "ou qualquer número de linhas com um endereço desses cada",
    },
    examples: {
      "application/json":
        '{"endereco": "Av. Paulista 1578, Bela Vista, São Paulo/SP"}',
      "application/x-ndjson":
        '{"logradouro": "Av. Paulista", "numero": 1578, "uf": "SP"}\n' +
        '{"endereco": "Rua XV de Novembro 300, Curitiba"}\n',
    },
    content: { ...jsonContent(ADDRESS), ...linesContent(ADDRESS) },
  },
  answers: {
    200: {
      en:
        "the most likely record; `cep` and `registro` are null below 0.5; of " +
        "lines, one line each",
      pt: "o registro mais provável; `cep` e `registro` são null abaixo de " +
        "0,5; de linhas, uma linha para cada",
      content: { ...jsonContent(MATCHED), ...linesContent(LINE) },
    },
  },
  errors: [
    "parameter_invalid",
    "body_invalid",
    "body_timeout",
    "body_too_large",
    "content_type_unsupported",
    "database_not_ready",
    "service_busy",
  ],
};

function list(and: string): string {
  const names = PARTS.map((part) => `\`${part}\``);
  return `${names.slice(0, -1).join(", ")} ${and} ${names.at(-1)}`;
}

/** Creates the route of addresses. */
export function match({ store }: { readonly store: MatcherStore }): Route[] {
  const matcher = new Matcher(store);

  async function answer(
    body: unknown,
    options: MatchOptions = {},
  ): Promise<Match> {
    const { endereco = "", ...parts } = toAddress(body);
    const found = await matcher.match(endereco, parts, options);
    if (found === undefined) throw new HttpError("database_not_ready");
    return found;
  }

  async function answerLine(
    line: string,
    onWork: (work: number) => void,
  ): Promise<string> {
    try {
      const options = { inBulk: true, onWork };
      return JSON.stringify(await answer(parseJson(line), options));
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      throw new HttpError("database_not_ready");
    }
  }

  return [{
    ...MATCH,
    async handle(exchange) {
      const type = contentType(
        exchange,
        "application/json",
        "application/x-ndjson",
      );
      if (type === "application/json") {
        return json(await answer(await readJson(exchange, MAX_BYTES)));
      }
      await readRelease(store, ({ facts }) => facts);
      let searches = 0;
      const onWork = (work: number) => searches += work;
      return streamAnswer(exchange, {
        answer: (line) => answerLine(line, onWork),
        work: () => searches / MAX_SEARCHES,
        answersAtOnce: READ_AT_ONCE,
        linesPerPart: MAX_LINES,
        maxBytes: MAX_BYTES,
      });
    },
  }];
}

/**
 * Checks the members of a body.
 *
 * @throws {HttpError} If a member is unknown or unusable, or if all are missing.
 */
function toAddress(body: unknown): Record<string, string> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new HttpError("body_invalid", {
      motivo: "deve ser um objeto JSON",
    });
  }
  const address: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    if (!MEMBERS.includes(name)) refuseUnknown(name, MEMBERS);
    if (value === null) continue;
    if (typeof value !== "string" && !isSmallNumber(value)) {
      refuseParameter(
        name,
        `deve ser um texto, ou um número inteiro de 0 a ${MAX_NUMBER}`,
      );
    }
    address[name] = `${value}`;
    if (address[name].length > MAX_ADDRESS) {
      refuseParameter(name, `deve ter no máximo ${MAX_ADDRESS} caracteres`);
    }
  }
  if (Object.keys(body).length === 0) {
    refuseParameter("endereco", "informe um endereço, ou suas partes");
  }
  return address;
}

function isSmallNumber(value: unknown): value is number {
  return Number.isInteger(value) && value as number >= 0 &&
    value as number <= MAX_NUMBER;
}
