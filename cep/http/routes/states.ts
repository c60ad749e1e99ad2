/**
 * `GET /estados…`: states and their municipalities.
 */
import { STATES } from "../../record/address.ts";
import type { Config } from "../../settings/config.ts";
import type { Reader } from "../../store/store.ts";
import { answerList, PAGE_PARAMETERS } from "../page.ts";
import { HttpError } from "../errors.ts";
import type { Endpoint, Exchange, Parameter, Route } from "../exchange.ts";
import { MUNICIPALITY_PLACE, STATE_PLACE } from "../open_api/place_schema.ts";
import { pageOf } from "../open_api/record_schema.ts";
import { jsonContent, STATE_TEXT } from "../open_api/schema.ts";
import { refuseParameter } from "../parameters.ts";
import { municipalityBody, stateBody } from "../place_bodies.ts";
import { readRelease } from "./read_release.ts";

const UF: Parameter = {
  name: "uf",
  in: "path",
  description: {
    en: "abbreviation of the state, in any letter case",
    pt: "sigla do estado, em maiúsculas ou minúsculas",
  },
  example: "SP",
  schema: STATE_TEXT,
};

/** States. */
export const STATE_LIST: Endpoint = {
  id: "listStates",
  pattern: "/estados",
  summary: {
    en: "the states: `sigla`, `nome`, `regiao`, `codigo_ibge`, `faixas`",
    pt: "os estados: `sigla`, `nome`, `regiao`, `codigo_ibge`, `faixas`",
  },
  parameters: [],
  answers: {
    200: {
      en: "the states and the Federal District, by abbreviation",
      pt: "os estados e o Distrito Federal, em ordem de sigla",
      content: jsonContent(pageOf(STATE_PLACE)),
    },
  },
  errors: ["database_not_ready"],
};

/** Municipalities of a state. */
export const MUNICIPALITY_LIST: Endpoint = {
  id: "listMunicipalities",
  pattern: "/estados/:uf/municipios",
  summary: {
    en: "the municipalities of a state, each as in `/municipios/:ibge`",
    pt: "os municípios de um estado, cada um como em `/municipios/:ibge`",
  },
  parameters: [UF, ...PAGE_PARAMETERS],
  answers: {
    200: {
      en: "the municipalities, by name",
      pt: "os municípios, em ordem de nome",
      content: jsonContent(pageOf(MUNICIPALITY_PLACE)),
    },
  },
  errors: [
    "parameter_invalid",
    "cursor_invalid",
    "place_not_found",
    "database_not_ready",
  ],
};

/** Options of {@linkcode states}. */
export interface StatesOptions extends Pick<Config, "cacheSeconds"> {
  /** Store of the places. */
  readonly store: Pick<Reader, "read">;
}

/** Creates the routes of states. */
export function states(
  { store, cacheSeconds: maxAge }: StatesOptions,
): Route[] {
  return [
    {
      ...STATE_LIST,
      async handle() {
        const gazetteer = await readRelease(
          store,
          (release) => release.gazetteer(),
        );
        const { release } = gazetteer;
        return answerList(STATES, {
          release,
          name: "estados",
          toBody: (uf) => stateBody(gazetteer, uf),
          maxAge,
        });
      },
    },
    {
      ...MUNICIPALITY_LIST,
      async handle(exchange) {
        const uf = requireState(exchange);
        const gazetteer = await readRelease(
          store,
          (release) => release.gazetteer(),
        );
        const { release } = gazetteer;
        return answerList(gazetteer.municipalities(uf), {
          release,
          name: `municipios ${uf}`,
          query: exchange.query,
          toBody: (it) => municipalityBody(release, it),
          maxAge,
        });
      },
    },
  ];
}

function requireState({ variables }: Exchange): string {
  const text = variables["uf"]!;
  if (!/^[a-z]{2}$/i.test(text)) {
    refuseParameter("uf", "deve ser a sigla de um estado, como SP");
  }
  const uf = text.toUpperCase();
  if (STATES.includes(uf)) return uf;
  throw new HttpError("place_not_found");
}
