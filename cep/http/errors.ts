/**
 * The errors that a client can get.
 *
 * @module
 */

/** Every error: its status and what it says. */
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
