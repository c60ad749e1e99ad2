import { GEO_JSON_TYPE } from "../geo_json.ts";
import {
  array,
  type Content,
  described,
  named,
  nullable,
  number,
  object,
  type Schema,
} from "./schema.ts";

const POINT: Schema = named(
  "Ponto",
  object({
    type: constant("Point"),
    coordinates: described("longitude e latitude, em graus", {
      ...array(number(-180, 180), 2),
      minItems: 2,
    }),
  }),
);

/** Returns the schema of a Feature with some properties. */
function feature(properties: Schema): Schema {
  return object({
    type: constant("Feature"),
    geometry: described("null sem coordenadas", nullable(POINT)),
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
