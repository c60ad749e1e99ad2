import { describeError, type ErrorCode, ERRORS } from "../errors.ts";
import { SUGGESTION } from "./place_schema.ts";
import {
  array,
  CEP_DIGITS,
  described,
  integer,
  named,
  nullable,
  object,
  type Properties,
  type Schema,
  STRING,
} from "./schema.ts";

const URL: Schema = { type: "string", format: "uri" };

/** Members of an error's body in addition to those of every error. */
interface Members {
  /** Members of every such error. */
  readonly details?: Properties;
  /** Members that only some of these errors have. */
  readonly hints?: Properties;
}

/** Members by error, `ERRORS` being literals whose types can be inferred. */
const MEMBERS: Readonly<Partial<Record<ErrorCode, Members>>> = {
  cep_invalid: { hints: { motivo: STRING } },
  cep_not_found: { hints: { cep: CEP_DIGITS, sugestao: SUGGESTION } },
  cep_replaced: {
    details: { cep_novo: nullable(CEP_DIGITS), release: STRING },
    hints: { cep: CEP_DIGITS, sugestao: SUGGESTION },
  },
  parameter_invalid: { details: { parametro: STRING, motivo: STRING } },
  body_invalid: { details: { motivo: STRING } },
  body_too_large: { details: { limite: STRING } },
  content_type_unsupported: {
    details: { motivo: STRING, aceitos: array(STRING) },
  },
  method_not_allowed: { details: { aceitos: array(STRING) } },
  rate_limited: { details: { retry_after: integer() } },
  internal: { details: { request_id: STRING } },
  database_not_ready: { hints: { request_id: STRING } },
};

/** Returns the schema of the body of an error. */
export function errorSchema(code: ErrorCode): Schema {
  const { details, hints }: Members = MEMBERS[code] ?? {};
  return {
    ...named(
      `Erro_${code}`,
      object({
        error: described({
          en: "reason, for people",
          pt: "motivo, para pessoas",
        }, STRING),
        code: { type: "string", const: code },
        docs: described({
          en: "URL of the documentation of the code",
          pt: "endereço da documentação do código",
        }, URL),
        ...details,
      }, hints),
    ),
    examples: [describeError(code, ERRORS[code].example).body],
  };
}
