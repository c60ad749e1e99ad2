/**
 * `GET /cep/:cep/censo`: addresses of a CEP in the CNEFE.
 */
import type { CensusRow } from "../../record/census.ts";
import type { Config } from "../../settings/config.ts";
import { stateOfIbge } from "../../record/states.ts";
import type { Reader, ReleaseReader } from "../../store/store.ts";
import { type CensusBody, censusBody } from "../census_body.ts";
import { CEP_PARAMETER, missingCep, requireCep } from "../cep_answers.ts";
import { HttpError } from "../errors.ts";
import { type Endpoint, jsonBody, type Route } from "../exchange.ts";
import {
  featureContent,
  FORMAT_PARAMETER,
  geoJsonBody,
  readFormat,
  toFeature,
} from "../geo_json.ts";
import { CENSUS } from "../open_api/census_schema.ts";
import { jsonContent } from "../open_api/schema.ts";
import { readRelease } from "./read_release.ts";

/** Addresses of a CEP in the CNEFE. */
export const CEP_CENSUS: Endpoint = {
  id: "getCepCensus",
  pattern: "/cep/:cep/censo",
  summary: {
    en: "the addresses of a CEP in the CNEFE of IBGE: place, count, streets, " +
      "building numbers seen",
    pt: "os endereços de um CEP no CNEFE do IBGE: lugar, quantidade, " +
      "logradouros, números vistos",
  },
  parameters: [CEP_PARAMETER, FORMAT_PARAMETER],
  answers: {
    200: {
      en: "the addresses of the CEP",
      pt: "os endereços do CEP",
      content: { ...jsonContent(CENSUS), ...featureContent(CENSUS) },
    },
  },
  errors: [
    "cep_invalid",
    "cep_not_found",
    "cep_replaced",
    "census_missing",
    "census_not_found",
    "database_not_ready",
    "parameter_invalid",
  ],
};

/** Options of {@linkcode census}. */
export interface CensusOptions extends Pick<Config, "cacheSeconds"> {
  /** Store of the addresses. */
  readonly store: Pick<Reader, "read">;
}

/** Creates the route of the addresses of a CEP in the CNEFE. */
export function census(
  { store, cacheSeconds: maxAge }: CensusOptions,
): Route[] {
  return [{
    ...CEP_CENSUS,
    async handle({ variables, query }) {
      const cep = requireCep(variables);
      const format = readFormat(new URLSearchParams(query));
      const body = await readRelease(store, async (release) => {
        const row = await requireRow(release, cep);
        return await toBody(release, row);
      });
      const text = JSON.stringify(body);
      return {
        status: 200,
        body: format === "json"
          ? jsonBody(text)
          : geoJsonBody(toFeature(text, body)),
        maxAge,
      };
    },
  }];
}

async function requireRow(
  release: ReleaseReader,
  cep: string,
): Promise<CensusRow> {
  const found = await release.census(cep);
  if (found.row !== undefined) return found.row;
  if (!found.release.sources.includes("cnefe")) {
    throw new HttpError("census_missing");
  }
  if (await release.findJson(cep) === undefined) {
    throw await missingCep(release, cep);
  }
  throw new HttpError("census_not_found");
}

async function toBody(
  release: ReleaseReader,
  row: CensusRow,
): Promise<CensusBody> {
  const gazetteer = await release.gazetteer();
  const town = gazetteer.municipality(row.ibge);
  return censusBody(row, {
    name: town?.name ?? "",
    uf: stateOfIbge(row.ibge) ?? "",
  });
}
