/**
 * Parameters of a query string.
 *
 * @module
 */
import { STATES } from "../address.ts";
import { HttpError } from "./errors.ts";

/** Error for a parameter, with the reason in Portuguese. */
export function refuseParameter(parametro: string, motivo: string): never {
  throw new HttpError("parameter_invalid", { parametro, motivo });
}

/**
 * Returns `limite`.
 *
 * @throws {HttpError} If it is not a whole number from 1 to `most`.
 */
export function readLimit(
  parameters: URLSearchParams,
  { initial = 10, most = 100 } = {},
): number {
  const text = parameters.get("limite");
  if (text === null) return initial;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= most) return limit;
  refuseParameter("limite", `deve ser um número inteiro de 1 a ${most}`);
}

/**
 * Checks the abbreviation of a state in any letter case.
 *
 * @returns The abbreviation in upper case.
 * @throws {HttpError} If there is no such state.
 */
export function toState(text: string): string {
  const uf = text.trim().toUpperCase();
  if (STATES.includes(uf)) return uf;
  refuseParameter("uf", "deve ser a sigla de um estado, como SP");
}
