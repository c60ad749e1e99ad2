import { type Body, jsonBody, type Parameter, textBody } from "./exchange.ts";
import {
  array,
  type Content,
  described,
  named,
  nullable,
  number,
  object,
  oneOfStrings,
  type Schema,
} from "./open_api/schema.ts";
import { refuseParameter } from "./parameters.ts";

/** Media type of GeoJSON. */
const GEO_JSON_TYPE = "application/geo+json";

/** Form of a body. */
type Format = "json" | "geojson";

/** Parameter of the routes that return GeoJSON on request. */
export const FORMAT_PARAMETER: Parameter = {
  name: "formato",
  in: "query",
  description: {
    en: "`geojson` for GeoJSON (RFC 7946), by default `json`",
    pt: "`geojson` para GeoJSON (RFC 7946); o padrão é `json`",
  },
  example: "geojson",
  schema: oneOfStrings("json", "geojson"),
};

/**
 * Returns `formato`.
 *
 * @throws {HttpError} If it is neither `json` nor `geojson`.
 */
export function readFormat(parameters: URLSearchParams): Format {
  const format = parameters.get("formato") ?? "json";
  if (format === "json" || format === "geojson") return format;
  refuseParameter("formato", "deve ser json ou geojson");
}

/** Place in degrees, if it has one. */
interface Located {
  readonly latitude?: number | null;
  readonly longitude?: number | null;
}

/**
 * Returns a Feature, as JSON text: without a geometry if it has no place.
 *
 * @param properties JSON text of its properties.
 */
export function toFeature(
  properties: string,
  { latitude, longitude }: Located,
): string {
  // Longitude comes first (RFC 7946, 3.1.1).
  const geometry = typeof latitude === "number" && typeof longitude === "number"
    ? `{"type":"Point","coordinates":[${longitude},${latitude}]}`
    : "null";
  return `{"type":"Feature","geometry":${geometry},"properties":${properties}}`;
}

/** Returns the Feature of a record, as JSON text. */
export function recordFeature(record: string): string {
  return toFeature(record, JSON.parse(record));
}

/** Returns a FeatureCollection, as JSON text. */
export function toCollection(features: readonly string[]): string {
  return `{"type":"FeatureCollection","features":[${features.join(",")}]}`;
}

/** Creates a body of GeoJSON text. */
export function geoJsonBody(text: string): Body {
  return textBody(text, GEO_JSON_TYPE);
}

/** Returns the function that creates the body of a record in a format. */
export function recordBodyIn(format: Format): (record: string) => Body {
  return format === "json"
    ? jsonBody
    : (record) => geoJsonBody(recordFeature(record));
}

const POINT: Schema = named(
  "Ponto",
  object({
    type: constant("Point"),
    coordinates: described({
      en: "longitude and latitude, in degrees",
      pt: "longitude e latitude, em graus",
    }, {
      ...array(number(-180, 180), 2),
      minItems: 2,
    }),
  }),
);

/** Returns the schema of a Feature with some properties. */
function feature(properties: Schema): Schema {
  return object({
    type: constant("Feature"),
    geometry: described({
      en: "null without coordinates",
      pt: "null sem coordenadas",
    }, nullable(POINT)),
    properties,
  });
}

/** Returns the content of a Feature with some properties. */
export function featureContent(properties: Schema): Content {
  return { [GEO_JSON_TYPE]: feature(properties) };
}

/** Returns the content of a FeatureCollection. */
export function collectionContent(properties: Schema): Content {
  return {
    [GEO_JSON_TYPE]: object({
      type: constant("FeatureCollection"),
      features: array(feature(properties)),
    }),
  };
}

function constant(text: string): Schema {
  return { type: "string", const: text };
}
