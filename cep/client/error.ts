import type { ErrorCode } from "../http/errors.ts";
import type { SuggestionBody } from "../http/place_bodies.ts";

/**
 * Code of an error of the client itself:
 *
 * - `network`: no connection, or it was lost
 * - `timeout`: no complete response in time
 * - `response_invalid`: a response that is not of the API: HTML, incomplete
 *   JSON, wrong types, too large
 * - `unsupported`: a question that a static site cannot answer
 */
export type ClientErrorCode =
  | "network"
  | "timeout"
  | "response_invalid"
  | "unsupported";

/** Code of an error: of the API, of the client, or of a newer API. */
export type CepErrorCode =
  | ErrorCode
  | ClientErrorCode
  | (string & Record<never, never>);

/** Options of {@linkcode CepError}. */
export interface CepErrorOptions extends ErrorOptions {
  /** Status of the response. */
  readonly status?: number | undefined;
  /** Members of the body of the error. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Seconds to wait, as the server asks. */
  readonly retryAfter?: number | undefined;
}

/**
 * Failure of a call. The message of an error of the API is that of the API, in
 * Portuguese.
 *
 * @example
 * ```ts
 * import { CepError, createCepClient } from "@carteiro/cep/client";
 *
 * const client = createCepClient({
 *   baseUrl: "https://cep.example",
 *   fetch: () =>
 *     Promise.resolve(
 *       Response.json({ error: "CEP não encontrado.", code: "cep_not_found" }, {
 *         status: 404,
 *       }),
 *     ),
 * });
 * try {
 *   await client.lookup("01310-999");
 * } catch (error) {
 *   console.assert(error instanceof CepError && error.code === "cep_not_found");
 * }
 * ```
 */
export class CepError extends Error {
  /** Always `CepError`. */
  override readonly name = "CepError";
  /** Stable code. */
  readonly code: CepErrorCode;
  /** Status of the response, `undefined` without a response. */
  readonly status: number | undefined;
  /** Seconds to wait before the next try, as the server asks. */
  readonly retryAfter: number | undefined;
  /** Members of the body of the error. */
  readonly details: Readonly<Record<string, unknown>>;

  /** Creates an error. */
  constructor(
    code: CepErrorCode,
    message: string,
    { status, details = {}, retryAfter, ...options }: CepErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryAfter = retryAfter;
  }

  /** New CEP, if the CEP has been replaced (`cep_replaced`). */
  get cepNovo(): string | undefined {
    const { cep_novo: cep } = this.details;
    return typeof cep === "string" ? cep : undefined;
  }

  /** Municipality of an unknown CEP (`cep_not_found`), if known. */
  get sugestao(): SuggestionBody | undefined {
    const { sugestao } = this.details;
    return isSuggestion(sugestao) ? sugestao : undefined;
  }
}

function isSuggestion(value: unknown): value is SuggestionBody {
  const { cidade, uf, codigo_ibge } = Object(value);
  return [cidade, uf, codigo_ibge].every((it) => typeof it === "string");
}
