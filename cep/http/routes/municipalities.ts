/**
 * `GET /municipios…`: municipalities, their districts and neighbourhoods.
 */
import type { Config } from "../../settings/config.ts";
import type { Gazetteer, GazetteerLocality } from "../../release/gazetteer.ts";
import type { Reader } from "../../store/store.ts";
import { answerList, PAGE_PARAMETERS } from "../page.ts";
import { HttpError } from "../errors.ts";
import {
  type Endpoint,
  type Exchange,
  json,
  type Parameter,
  type Route,
} from "../exchange.ts";
import {
  DISTRICT_PLACE,
  MUNICIPALITY_PLACE,
  NEIGHBOURHOOD_PLACE,
} from "../open_api/place_schema.ts";
import { pageOf } from "../open_api/record_schema.ts";
import { jsonContent, matching } from "../open_api/schema.ts";
import { refuseParameter } from "../parameters.ts";
import {
  districtBody,
  municipalityBody,
  neighbourhoodBody,
} from "../place_bodies.ts";
import { readRelease } from "./read_release.ts";

const IBGE: Parameter = {
  name: "ibge",
  in: "path",
  description: {
    en: "IBGE code of the municipality, seven digits",
    pt: "código IBGE do município, sete dígitos",
  },
  example: "3550308",
  schema: matching(/^\d{7}$/, "3550308"),
};

const DISTRICT: Parameter = {
  name: "distrito",
  in: "query",
  description: {
    en: "name of a district or village, without regard to case and accents",
    pt: "nome de um distrito ou povoado, sem distinção de caixa e acentos",
  },
  example: "Parelheiros",
};

/** Municipality. */
export const MUNICIPALITY: Endpoint = {
  id: "getMunicipality",
  pattern: "/municipios/:ibge",
  summary: {
    en: "a municipality: `nome`, `uf`, `codigo_ibge`, `ddd`, `siafi`, " +
      "`latitude`, `longitude`, `cep` if it has a general one, `faixas`",
    pt: "um município: `nome`, `uf`, `codigo_ibge`, `ddd`, `siafi`, " +
      "`latitude`, `longitude`, `cep` se tiver um geral, `faixas`",
  },
  parameters: [IBGE],
  answers: {
    200: {
      en: "the municipality",
      pt: "o município",
      content: jsonContent(MUNICIPALITY_PLACE),
    },
  },
  errors: ["parameter_invalid", "place_not_found", "database_not_ready"],
};

const LIST_ERRORS: Endpoint["errors"] = [
  ...MUNICIPALITY.errors,
  "cursor_invalid",
];

/** Districts of a municipality. */
export const DISTRICT_LIST: Endpoint = {
  id: "listDistricts",
  pattern: "/municipios/:ibge/distritos",
  summary: {
    en: "the districts and villages of a municipality: `nome`, `tipo`, " +
      "`cep`, `faixas`",
    pt: "os distritos e povoados de um município: `nome`, `tipo`, `cep`, " +
      "`faixas`",
  },
  parameters: [IBGE, ...PAGE_PARAMETERS],
  answers: {
    200: {
      en: "the districts and villages, by name",
      pt: "os distritos e povoados, em ordem de nome",
      content: jsonContent(pageOf(DISTRICT_PLACE)),
    },
  },
  errors: LIST_ERRORS,
};

/** Neighbourhoods of a municipality. */
export const NEIGHBOURHOOD_LIST: Endpoint = {
  id: "listNeighbourhoods",
  pattern: "/municipios/:ibge/bairros",
  summary: {
    en: "the neighbourhoods of a municipality, or of `?distrito=`: `nome`, " +
      "`distrito`, `faixas`",
    pt: "os bairros de um município, ou de `?distrito=`: `nome`, " +
      "`distrito`, `faixas`",
  },
  parameters: [IBGE, DISTRICT, ...PAGE_PARAMETERS],
  answers: {
    200: {
      en: "the neighbourhoods, by name",
      pt: "os bairros, em ordem de nome",
      content: jsonContent(pageOf(NEIGHBOURHOOD_PLACE)),
    },
  },
  errors: LIST_ERRORS,
};

/** Options of {@linkcode municipalities}. */
export interface MunicipalitiesOptions extends Pick<Config, "cacheSeconds"> {
  /** Store of the places. */
  readonly store: Pick<Reader, "read">;
}

/** Creates the routes of municipalities. */
export function municipalities(
  { store, cacheSeconds: maxAge }: MunicipalitiesOptions,
): Route[] {
  async function requireMunicipality(
    { variables }: Exchange,
  ): Promise<{ gazetteer: Gazetteer; municipality: GazetteerLocality }> {
    const ibge = variables["ibge"]!;
    if (!/^\d{7}$/.test(ibge)) {
      refuseParameter("ibge", "deve ter sete dígitos, como 3550308");
    }
    const gazetteer = await readRelease(
      store,
      (release) => release.gazetteer(),
    );
    const municipality = gazetteer.municipality(ibge);
    if (municipality === undefined) throw new HttpError("place_not_found");
    return { gazetteer, municipality };
  }

  return [
    {
      ...MUNICIPALITY,
      async handle(exchange) {
        const { gazetteer, municipality } = await requireMunicipality(exchange);
        const body = municipalityBody(gazetteer.release, municipality);
        return { ...json(body), maxAge };
      },
    },
    {
      ...DISTRICT_LIST,
      async handle(exchange) {
        const { gazetteer, municipality } = await requireMunicipality(exchange);
        const { release } = gazetteer;
        return answerList(gazetteer.districts(municipality), {
          release,
          name: `distritos ${municipality.ibge}`,
          query: exchange.query,
          toBody: (it) => districtBody(release, it),
          maxAge,
        });
      },
    },
    {
      ...NEIGHBOURHOOD_LIST,
      async handle(exchange) {
        const { gazetteer, municipality } = await requireMunicipality(exchange);
        const { release } = gazetteer;
        const { query } = exchange;
        const district = new URLSearchParams(query).get("distrito");
        const all = await gazetteer.neighbourhoods(municipality);
        const list = district === null
          ? all
          : all.filter((it) => isSameName(it.district, district));
        return answerList(list, {
          release,
          name: `bairros ${municipality.ibge} ${district}`,
          query,
          toBody: (it) => neighbourhoodBody(release, it),
          maxAge,
        });
      },
    },
  ];
}

const BASE = new Intl.Collator("pt", { sensitivity: "base" });

/** True if a name is that of a district, but for case, accents and blanks. */
function isSameName(district: string, name: string): boolean {
  const trimmed = name.trim();
  // Control characters compare as equal to nothing.
  return (district === "") === (trimmed === "") &&
    BASE.compare(district, trimmed) === 0;
}
