/**
 * `GET /cep/:cep/historico`: changes of a CEP.
 */
import type { Config } from "../../settings/config.ts";
import type { CepChange, Reader } from "../../store/store.ts";
import { answerList, PAGE_PARAMETERS } from "../page.ts";
import { CEP_PARAMETER, missingCep, requireCep } from "../cep_answers.ts";
import { HttpError } from "../errors.ts";
import type { Endpoint, Route } from "../exchange.ts";
import { pageOf } from "../open_api/record_schema.ts";
import {
  CEP_DIGITS,
  described,
  jsonContent,
  named,
  nullable,
  object,
  type Schema,
  STRING,
} from "../open_api/schema.ts";

const CHANGE: Schema = named(
  "Alteracao",
  object({
    cep: CEP_DIGITS,
    cep_novo: described({
      en: "CEP that replaced it, null if it is extinct",
      pt: "CEP que o substituiu, null se foi extinto",
    }, nullable(CEP_DIGITS)),
    release: described({
      en: "version of the DNE that changed it, empty if unknown",
      pt: "versão do DNE que o alterou, vazia se desconhecida",
    }, STRING),
    alterado_em: described({
      en: "time of the import that changed it",
      pt: "momento da importação que o alterou",
    }, { ...STRING, format: "date-time" }),
  }),
);

/** Changes of a CEP. */
export const HISTORY: Endpoint = {
  id: "getCepHistory",
  pattern: "/cep/:cep/historico",
  summary: {
    en: "the changes of a CEP, of its successors and of the CEPs that it " +
      "replaced: `cep`, `cep_novo`, `release`, `alterado_em`",
    pt: "as alterações de um CEP, de seus sucessores e dos CEPs que ele " +
      "substituiu: `cep`, `cep_novo`, `release`, `alterado_em`",
  },
  parameters: [
    CEP_PARAMETER,
    ...PAGE_PARAMETERS,
  ],
  answers: {
    200: {
      en: "the changes, in order of time; none for a CEP that never changed",
      pt: "as alterações, em ordem de tempo; nenhuma se o CEP nunca mudou",
      content: jsonContent(pageOf(CHANGE)),
    },
  },
  errors: [
    "cep_invalid",
    "cep_not_found",
    "cursor_invalid",
    "database_not_ready",
    "parameter_invalid",
  ],
};

/** Options of {@linkcode history}. */
export interface HistoryOptions extends Pick<Config, "cacheSeconds"> {
  /** Store of the changes. */
  readonly store: Pick<Reader, "gazetteer" | "history" | "lastChange">;
}

/** Creates the route of the changes of a CEP. */
export function history(
  { store, cacheSeconds: maxAge }: HistoryOptions,
): Route[] {
  return [{
    ...HISTORY,
    async handle({ variables, query }) {
      const cep = requireCep(variables);
      const found = await store.history(cep);
      if (found === undefined) throw new HttpError("database_not_ready");
      const { release, isCurrent, changes } = found;
      if (!isCurrent && changes.length === 0) {
        throw await missingCep(store, cep);
      }
      return answerList(changes, {
        release,
        name: `historico ${cep}`,
        query,
        toBody: changeBody,
        maxAge,
      });
    },
  }];
}

function changeBody({ cep, successor, dneVersion, seededAt }: CepChange) {
  return {
    cep,
    cep_novo: successor,
    release: dneVersion,
    alterado_em: seededAt,
  };
}
