import { parseCep } from "../record/address.ts";
import { adviseCep } from "../record/nearly_cep.ts";
import { HttpError } from "./errors.ts";
import type { Parameter, Variables } from "./exchange.ts";
import { CEP_TEXT } from "./open_api/schema.ts";

/** CEP in the path, in one of its written forms. */
export const CEP_PARAMETER: Parameter = {
  name: "cep",
  in: "path",
  description: {
    en: "eight digits, with or without the usual dot and hyphen, or a blank",
    pt: "oito dígitos, com ou sem o ponto e o hífen usuais, ou um espaço",
  },
  example: "01310-100",
  schema: CEP_TEXT,
};

/**
 * Returns the eight digits of the CEP in a path.
 *
 * @throws {HttpError} If it is not a CEP.
 */
export function requireCep({ cep: text }: Variables): string {
  const cep = parseCep(text!);
  if (cep === undefined) throw invalidCep(text);
  return cep;
}

/** Returns the error for a value that is not a CEP. */
export function invalidCep(value: unknown): HttpError {
  const motivo = adviseCep(value);
  return new HttpError("cep_invalid", motivo === undefined ? {} : { motivo });
}
