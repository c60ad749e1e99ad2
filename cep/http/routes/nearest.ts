/**
 * `GET /proximos`: records nearest to a place.
 */
import type { Config } from "../../settings/config.ts";
import type { NearestRecord, Reader } from "../../store/store.ts";
import { HttpError } from "../errors.ts";
import type { Endpoint, Parameter, Route } from "../exchange.ts";
import {
  collectionContent,
  FORMAT_PARAMETER,
  geoJsonBody,
  readFormat,
  recordFeature,
  toCollection,
} from "../geo_json.ts";
import { NEAR_RECORD, pageOf } from "../open_api/record_schema.ts";
import { integer, jsonContent, number } from "../open_api/schema.ts";
import { pageAnswer } from "../page.ts";
import { readLimit, refuseParameter } from "../parameters.ts";

/** Coordinate of a place. */
interface Coordinate extends Pick<Parameter, "description" | "example"> {
  readonly name: "lat" | "lng";
  /** Highest value, in degrees. */
  readonly most: number;
}

const LATITUDE: Coordinate = {
  name: "lat",
  description: {
    en: "latitude in degrees, with a decimal point",
    pt: "latitude em graus, com ponto decimal",
  },
  example: "-23.56168",
  most: 90,
};

const LONGITUDE: Coordinate = {
  name: "lng",
  description: {
    en: "longitude in degrees, with a decimal point",
    pt: "longitude em graus, com ponto decimal",
  },
  example: "-46.65598",
  most: 180,
};

/** Records nearest to a place. */
export const NEAREST: Endpoint = {
  id: "findNearest",
  pattern: "/proximos",
  summary: {
    en: "the records nearest to a place, with their distances: " +
      "`?lat=-23.56168&lng=-46.65598`",
    pt: "os registros mais próximos de um lugar, com as distâncias: " +
      "`?lat=-23.56168&lng=-46.65598`",
  },
  parameters: [
    ...[LATITUDE, LONGITUDE].map(({ most, ...it }): Parameter => ({
      ...it,
      in: "query",
      schema: number(-most, most),
      unless: [],
    })),
    {
      name: "limite",
      in: "query",
      description: {
        en: "maximum number of records, 1 to 100 (default: 10)",
        pt: "número máximo de registros, de 1 a 100 (padrão: 10)",
      },
      example: "5",
      schema: integer(1, 100),
    },
    FORMAT_PARAMETER,
  ],
  answers: {
    200: {
      en: "`{total, data, cursor}`, the nearest first, with `distancia_m`; " +
        "`total` and `cursor` are null",
      pt: "`{total, data, cursor}`, do mais próximo em diante, com " +
        "`distancia_m`; `total` e `cursor` são null",
      content: {
        ...jsonContent(pageOf(NEAR_RECORD)),
        ...collectionContent(NEAR_RECORD),
      },
    },
  },
  errors: ["census_missing", "database_not_ready", "parameter_invalid"],
};

/** Options of {@linkcode nearest}. */
export interface NearestOptions extends Pick<Config, "cacheSeconds"> {
  /** Store of the records. */
  readonly store: Pick<Reader, "nearest">;
}

/** Creates the route of the records nearest to a place. */
export function nearest(
  { store, cacheSeconds: maxAge }: NearestOptions,
): Route[] {
  return [{
    ...NEAREST,
    async handle({ query }) {
      const parameters = new URLSearchParams(query);
      const latitude = readDegrees(parameters, LATITUDE);
      const longitude = readDegrees(parameters, LONGITUDE);
      const limit = readLimit(parameters);
      const format = readFormat(parameters);
      const page = await store.nearest({ latitude, longitude, limit });
      if (page === undefined) throw new HttpError("database_not_ready");
      // At least one record is nearest, unless none has coordinates.
      if (page.data.length === 0) {
        throw new HttpError("census_missing");
      }
      const items = page.data.map(withDistance);
      if (format === "json") {
        return pageAnswer({ total: null, items, next: null }, { maxAge });
      }
      const text = toCollection(items.map(recordFeature));
      return { status: 200, body: geoJsonBody(text), maxAge };
    },
  }];
}

/** Adds the distance to the JSON of a record. */
function withDistance({ json, distance }: NearestRecord): string {
  return `${json.slice(0, -1)},"distancia_m":${Math.round(distance)}}`;
}

const NUMBER = /^[+-]?(?:\d{1,3}(?:\.\d{0,30})?|\.\d{1,30})$/;

/**
 * Returns a coordinate in degrees.
 *
 * @throws {HttpError} If it is missing, or not a number in its range.
 */
function readDegrees(
  parameters: URLSearchParams,
  { name, example, most }: Coordinate,
): number {
  const text = parameters.get(name)?.trim() ?? "";
  if (text === "") refuseParameter(name, `informe os graus, como ${example}`);
  if (/^[+-]?\d+,\d*$/.test(text)) {
    refuseParameter(name, `use ponto em vez de vírgula, como ${example}`);
  }
  if (!NUMBER.test(text)) {
    refuseParameter(name, `deve ser um número em graus, como ${example}`);
  }
  const degrees = Number(text);
  if (Math.abs(degrees) <= most) return degrees;
  refuseParameter(name, `deve estar entre -${most} e ${most} graus`);
}
