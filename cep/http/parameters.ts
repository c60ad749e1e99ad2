import { STATES } from "../record/address.ts";
import { nearestName } from "../record/nearest_name.ts";
import { HttpError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";

/** Error for a parameter, with the reason in Portuguese. */
export function refuseParameter(parametro: string, motivo: string): never {
  throw new HttpError("parameter_invalid", { parametro, motivo });
}

/** Characters of an unknown name that an error repeats. */
const MAX_NAME = 40;

/**
 * Refuses a parameter, or a member of a body, that is not one of the allowed
 * ones.
 */
export function refuseUnknown(name: string, allowed: readonly string[]): never {
  const characters = [...name];
  const shown = characters.length > MAX_NAME
    ? `${characters.slice(0, MAX_NAME).join("")}…`
    : name;
  if (allowed.length === 0) {
    refuseParameter(shown, "esta rota não tem parâmetros");
  }
  const nearest = nearestName(shown, allowed);
  const guess = nearest === undefined ? "" : `talvez ${nearest}; `;
  const names = allowed.join(", ");
  refuseParameter(shown, `${guess}deve ser um destes: ${names}`);
}

/**
 * Checks that the route has the parameters of the query string.
 *
 * @throws {HttpError} If it lacks one.
 */
export function refuseUnknownParameters({ query, route }: Exchange): void {
  if (query === "" || route.free || route.lenient) return;
  const allowed = route.parameters.filter((it) => it.in === "query")
    .map(({ name }) => name);
  for (const name of new URLSearchParams(query).keys()) {
    if (!allowed.includes(name)) refuseUnknown(name, allowed);
  }
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
