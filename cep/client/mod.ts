/**
 * Client for browsers, workers, Deno, Node and Bun: lookups, batches, searches
 * and places, over `fetch`, from a server or from a static export. It has no
 * dependency.
 *
 * @module
 */
export { formatCep, parseCep } from "../record/address.ts";
export type {
  Address,
  CensusFieldName,
  FieldName,
  FIELDS,
  Origin,
  OwnFieldName,
} from "../record/address.ts";
export type {
  CensusBody,
  CensusStreetBody,
  NumberRangeBody,
} from "../http/census_body.ts";
export type { ErrorCode } from "../http/errors.ts";
export type {
  DistrictBody,
  LocalityRangeBody,
  MunicipalityBody,
  NeighbourhoodBody,
  RangeBody,
  StateBody,
  SuggestionBody,
} from "../http/place_bodies.ts";
export type { AddressParts, Part, PARTS } from "../record/address_parts.ts";
export type { Difference } from "../search/matcher.ts";
export type { Match } from "../search/matcher.ts";
export type { CepChangeBody, NearAddress, Page } from "./answers.ts";
export type {
  NearestQuery,
  SearchPageQuery,
  SearchQuery,
} from "./arguments.ts";
export type { BatchItem } from "./batch.ts";
export * from "./create_client.ts";
export * from "./error.ts";
export type {
  CallOptions,
  CepClientOptions,
  Clock,
  ConnectionOptions,
  Fetch,
  ServerOptions,
  StaticSiteOptions,
} from "./options.ts";
