/**
 * The one place where errors become answers.
 *
 * @module
 */
import type { Logger } from "../logger.ts";
import { DatabaseError } from "../store/store.ts";
import {
  type Answer,
  type Exchange,
  json,
  type Middleware,
} from "./exchange.ts";

/** Every error that a client can get: its status and what it says. */
const ERRORS = {
  cep_missing: [400, "Informe o CEP na rota, por exemplo /cep/01310100."],
  cep_invalid: [400, "CEP inválido: informe oito dígitos, como 01310-100."],
  prefix_invalid: [400, "Prefixo inválido: informe de um a oito dígitos."],
  cep_not_found: [404, "CEP não encontrado."],
  route_not_found: [404, "Rota não encontrada."],
  method_not_allowed: [405, "Método não permitido: use GET ou HEAD."],
  rate_limited: [429, "Limite de requisições excedido: tente mais tarde."],
  internal: [500, "Erro interno: informe o código da requisição ao suporte."],
  database_not_ready: [503, "Base de dados indisponível: tente mais tarde."],
} as const;

/** The stable name of an error. */
export type ErrorCode = keyof typeof ERRORS;

/** A failure that the client is told of. */
export class HttpError extends Error {
  /** Always `HttpError`. */
  override readonly name = "HttpError";

  constructor(
    /** Its stable name. */
    readonly code: ErrorCode,
  ) {
    super(ERRORS[code][1]);
  }
}

/** The status and the members that every error answer has. */
export function describeError(
  code: ErrorCode,
): { status: number; body: { error: string; code: ErrorCode } } {
  const [status, error] = ERRORS[code];
  return { status, body: { error, code } };
}

/** Turns whatever is thrown into an answer, and logs what nobody expected. */
export function errors(logger: Logger): Middleware {
  return (next) => async (exchange) => {
    try {
      return await next(exchange);
    } catch (error) {
      return toAnswer(error, exchange, logger);
    }
  };
}

function toAnswer(error: unknown, exchange: Exchange, logger: Logger): Answer {
  exchange.headers["cache-control"] = "no-store";
  if (error instanceof HttpError) {
    const { status, body } = describeError(error.code);
    return json(body, status);
  }
  logger.error("Request failed", {
    request_id: exchange.id,
    route: exchange.route.pattern,
    error: error instanceof Error ? error.stack ?? error.message : `${error}`,
  });
  const { status, body } = describeError(
    error instanceof DatabaseError ? "database_not_ready" : "internal",
  );
  return json({ ...body, request_id: exchange.id }, status);
}
