import { CepError } from "./error.ts";

/**
 * Returns the abbreviation of a state in upper case.
 *
 * @throws {CepError} If it is not two letters.
 */
export function requireState(uf: string): string {
  if (/^[a-z]{2}$/i.test(uf)) return uf.toUpperCase();
  throw refused("uf", "deve ser a sigla de um estado, como SP");
}

/**
 * Returns an IBGE code.
 *
 * @throws {CepError} If it is not seven digits.
 */
export function requireIbge(ibge: string): string {
  if (/^\d{7}$/.test(ibge)) return `${ibge}`;
  throw refused("ibge", "deve ter sete dígitos, como 3550308");
}

/** Error of the API for a parameter, without a request. */
function refused(parametro: string, motivo: string): CepError {
  return new CepError(
    "parameter_invalid",
    `Parâmetro ${parametro} inválido: ${motivo}.`,
    { details: { parametro, motivo } },
  );
}
