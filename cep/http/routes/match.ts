/**
 * `POST /enderecos`: the record of an address.
 *
 * @module
 */
import {
  Matcher,
  type MatcherStore,
  MAX_ADDRESS,
} from "../../matching/matcher.ts";
import { PARTS } from "../../matching/parts.ts";
import { HttpError } from "../errors.ts";
import { type Endpoint, json, type Route } from "../exchange.ts";
import { RECORD } from "../open_api/record_schema.ts";
import {
  array,
  CEP_DIGITS,
  described,
  jsonContent,
  named,
  nullable,
  number,
  object,
  oneOfStrings,
  type Schema,
  STRING,
} from "../open_api/schema.ts";
import { refuseParameter } from "../parameters.ts";
import { contentType, readJson } from "../read_body.ts";

/** Maximum size of a body, several times that of an address. */
const MAX_BYTES = 16_384;

const MEMBERS: readonly string[] = ["endereco", ...PARTS];

/** Text of an address or of a part, where a spreadsheet may have a number. */
const TEXT: Schema = {
  type: ["string", "number", "null"],
  maxLength: MAX_ADDRESS,
};

const ADDRESS: Schema = {
  ...object({}, Object.fromEntries(MEMBERS.map((name) => [name, TEXT]))),
  additionalProperties: false,
  minProperties: 1,
};

const MATCHED: Schema = named(
  "Correspondencia",
  object({
    cep: described("CEP do registro", nullable(CEP_DIGITS)),
    pontuacao: described(
      "de 0, nada encontrado, a 1, tudo de acordo",
      number(0, 1),
    ),
    diferencas: described(
      "partes que diferem",
      array(object({
        campo: oneOfStrings(...PARTS),
        informado: STRING,
        encontrado: STRING,
      })),
    ),
    outros_ceps: described(
      "registros que correspondem igualmente, o que reduz a pontuação",
      array(CEP_DIGITS),
    ),
    endereco: described(
      "endereço como foi entendido",
      object(Object.fromEntries(PARTS.map((part) => [part, STRING]))),
    ),
    registro: described("registro encontrado", nullable(RECORD)),
  }),
);

/** Record of an address. */
export const MATCH: Endpoint = {
  method: "POST",
  pattern: "/enderecos",
  summary: {
    en: "the record that fits an address best, a score from 0 to 1, and what " +
      "differs",
    pt: "o registro que melhor corresponde a um endereço, uma pontuação de 0 " +
      "a 1 e o que difere",
  },
  parameters: [],
  content: {
    description: {
      en: `a free address in \`endereco\`, or its parts ${list("and")}`,
      pt: `um endereço livre em \`endereco\`, ou suas partes ${list("e")}`,
    },
    examples: {
      "application/json":
        '{"endereco": "Av. Paulista 1578, Bela Vista, São Paulo/SP"}',
    },
    content: jsonContent(ADDRESS),
  },
  answers: {
    200: {
      en: "the best record; `registro` is null if none fits",
      pt: "o melhor registro; `registro` é null se nenhum corresponde",
      content: jsonContent(MATCHED),
    },
  },
  errors: [
    "parameter_invalid",
    "body_invalid",
    "body_timeout",
    "body_too_large",
    "content_type_unsupported",
    "database_not_ready",
  ],
};

function list(and: string): string {
  const names = PARTS.map((part) => `\`${part}\``);
  return `${names.slice(0, -1).join(", ")} ${and} ${names.at(-1)}`;
}

/** Creates the route of addresses. */
export function match({ store }: { readonly store: MatcherStore }): Route[] {
  const matcher = new Matcher(store);
  return [{
    ...MATCH,
    async handle(exchange) {
      contentType(exchange, "application/json");
      const { endereco = "", ...parts } = toAddress(
        await readJson(exchange, MAX_BYTES),
      );
      const found = await matcher.match(endereco, parts);
      if (found === undefined) throw new HttpError("database_not_ready");
      return json(found);
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
      motivo: "o corpo deve ser um objeto JSON",
    });
  }
  const address: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    if (!MEMBERS.includes(name)) {
      refuseParameter(name, `deve ser um destes: ${MEMBERS.join(", ")}`);
    }
    if (value === null) continue;
    if (typeof value !== "string" && typeof value !== "number") {
      refuseParameter(name, "deve ser um texto");
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
