/**
 * Errors of the API.
 *
 * @module
 */
import type { Translated } from "../setting.ts";

/** Kind of error. */
export interface ErrorKind {
  /** HTTP status. */
  readonly status: number;
  /** Message to the client. */
  readonly message: string;
  /** Cause, for the tables of both READMEs. */
  readonly cause: Translated;
}

/** Every error of the API, in the order of the documentation. */
export const ERRORS = {
  cep_missing: {
    status: 400,
    message: "Informe o CEP na rota, por exemplo /cep/01310100.",
    cause: { en: "`/cep` without a CEP", pt: "`/cep` sem o CEP" },
  },
  cep_invalid: {
    status: 400,
    message: "CEP inválido: informe oito dígitos, como 01310-100.",
    cause: {
      en: "not a CEP in an accepted form",
      pt: "CEP em formato não aceito",
    },
  },
  prefix_invalid: {
    status: 400,
    message: "Prefixo inválido: informe de um a oito dígitos.",
    cause: {
      en: "not a prefix of 1 to 8 digits",
      pt: "não é um prefixo de 1 a 8 dígitos",
    },
  },
  cep_not_found: {
    status: 404,
    message: "CEP não encontrado.",
    cause: { en: "no such CEP in the DNE", pt: "CEP inexistente no DNE" },
  },
  route_not_found: {
    status: 404,
    message: "Rota não encontrada.",
    cause: { en: "unknown path", pt: "rota desconhecida" },
  },
  method_not_allowed: {
    status: 405,
    message: "Método não permitido: use GET ou HEAD.",
    cause: {
      en: "any method but `GET` and `HEAD`, as listed in `Allow`",
      pt: "método diferente de `GET` e `HEAD`, listados em `Allow`",
    },
  },
  rate_limited: {
    status: 429,
    message: "Limite de requisições excedido: tente mais tarde.",
    cause: {
      en: "too many requests; `Retry-After` gives the seconds to wait",
      pt: "requisições demais; `Retry-After` informa quantos segundos esperar",
    },
  },
  internal: {
    status: 500,
    message: "Erro interno: informe o request_id ao suporte.",
    cause: {
      en: "unexpected failure, logged with the `request_id` of the response",
      pt: "falha inesperada, registrada no log com o `request_id` da resposta",
    },
  },
  database_not_ready: {
    status: 503,
    message: "Base de dados indisponível: tente mais tarde.",
    cause: {
      en: "nothing has been imported, or the database is unreadable",
      pt:
        "nada foi importado ainda, ou o banco está corrompido ou indisponível",
    },
  },
} as const satisfies Record<string, ErrorKind>;

/** Stable code of an error. */
export type ErrorCode = keyof typeof ERRORS;

/** Error that is sent to the client. */
export class HttpError extends Error {
  override readonly name = "HttpError";

  constructor(
    readonly code: ErrorCode,
  ) {
    super(ERRORS[code].message);
  }
}

/** Returns the status of an error and the members that every error body has. */
export function describeError(
  code: ErrorCode,
): { status: number; body: { error: string; code: ErrorCode } } {
  const { status, message: error } = ERRORS[code];
  return { status, body: { error, code } };
}
