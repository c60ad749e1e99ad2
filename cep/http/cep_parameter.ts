/**
 * Parameter of the routes of one CEP.
 *
 * @module
 */
import type { Parameter } from "./exchange.ts";
import { CEP_TEXT } from "./open_api/schema.ts";

/** CEP in the path, in one of its written forms. */
export const CEP_PARAMETER: Parameter = {
  name: "cep",
  in: "path",
  description: {
    en: "eight digits, with or without the usual dot and hyphen",
    pt: "oito dígitos, com ou sem o ponto e o hífen usuais",
  },
  example: "01310-100",
  schema: CEP_TEXT,
};
