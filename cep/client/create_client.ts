import type { Address } from "../record/address.ts";
import type { CensusBody } from "../http/census_body.ts";
import type {
  DistrictBody,
  MunicipalityBody,
  NeighbourhoodBody,
  StateBody,
} from "../http/place_bodies.ts";
import {
  type CepChangeBody,
  iteratePages,
  type NearAddress,
  type Page,
  toAddress,
  toMatch,
  toNearAddress,
  toObject,
  toPage,
} from "./answers.ts";
import type { Match } from "../search/matcher.ts";
import type { AddressParts } from "../record/address_parts.ts";
import {
  nearestParameters,
  type NearestQuery,
  requireCep,
  requireIbge,
  requireState,
  type SearchPageQuery,
  type SearchQuery,
} from "./arguments.ts";
import { BaseUrl } from "./base_url.ts";
import { type BatchItem, lookUpBatch, toBatches } from "./batch.ts";
import { CepError } from "./error.ts";
import {
  type CallOptions,
  type CepClientOptions,
  completeOptions,
} from "./options.ts";
import { Server } from "./server.ts";
import type { Source } from "./source.ts";
import { StaticSite } from "./static_site.ts";
import { Transport } from "./transport.ts";

/**
 * Client of a server or of a static site. Every method rejects with a
 * `CepError` on failure, and with the signal's reason if it is aborted. The
 * methods can be used without their object.
 */
export interface CepClient {
  /**
   * Returns the record of a CEP: `01310100`, `01310-100` or `01.310-100`.
   *
   * Rejects with the code `cep_not_found` for an unknown CEP (`sugestao` may
   * have its municipality), with `cep_replaced` for a replaced one (`cepNovo`
   * is its successor), and, without a request, with `cep_invalid`.
   */
  lookup(cep: string, options?: CallOptions): Promise<Address>;
  /**
   * Returns the record of a CEP, or `undefined` if it has none. Otherwise it is
   * the same as `lookup`.
   */
  find(cep: string, options?: CallOptions): Promise<Address | undefined>;
  /**
   * Looks up many CEPs, a thousand per request. The results, records or errors,
   * are in the order of the CEPs.
   */
  batch(
    ceps: Iterable<string>,
    options?: CallOptions,
  ): Promise<readonly BatchItem[]>;
  /**
   * Looks up any number of CEPs while they arrive, a thousand per request, and
   * yields the results in their order.
   */
  lookupAll(
    ceps: Iterable<string> | AsyncIterable<string>,
    options?: CallOptions,
  ): AsyncGenerator<BatchItem>;
  /**
   * Searches addresses, the best match first. Rejects with the code
   * `unsupported` on a static site.
   */
  search(
    query: SearchPageQuery,
    options?: CallOptions,
  ): Promise<Page<Address>>;
  /**
   * Searches addresses, and yields the results of all pages. A new release ends
   * it with the code `cursor_invalid`.
   */
  searchAll(
    query: SearchQuery,
    options?: CallOptions,
  ): AsyncGenerator<Address>;
  /**
   * Returns the record that fits an address best, and a score from 0 to 1.
   * Rejects with the code `unsupported` on a static site.
   *
   * @param address A written address, or its parts.
   */
  match(
    address: string | Partial<AddressParts>,
    options?: CallOptions,
  ): Promise<Match>;
  /**
   * Returns the changes of a CEP, of its successors and of the CEPs that it
   * replaced, in order of time. Rejects with the code `unsupported` on a static
   * site.
   */
  history(
    cep: string,
    options?: CallOptions,
  ): Promise<readonly CepChangeBody[]>;
  /**
   * Returns the records nearest to a place, with their distances. Rejects with
   * the code `census_missing` if the data of the server have no coordinates,
   * and with `unsupported` on a static site.
   */
  nearest(
    query: NearestQuery,
    options?: CallOptions,
  ): Promise<readonly NearAddress[]>;
  /**
   * Returns the addresses of a CEP in the CNEFE. Rejects with the code
   * `census_not_found` for a CEP without addresses, with `census_missing` if
   * the server has no CNEFE, and with `unsupported` on a static site.
   */
  census(cep: string, options?: CallOptions): Promise<CensusBody>;
  /** Returns the 26 states and the Federal District. */
  states(options?: CallOptions): Promise<readonly StateBody[]>;
  /**
   * Returns the municipalities of a state. Rejects with the code
   * `place_not_found` for an unknown one.
   */
  municipalities(
    uf: string,
    options?: CallOptions,
  ): Promise<readonly MunicipalityBody[]>;
  /**
   * Returns a municipality by its IBGE code of seven digits. Rejects with the
   * code `place_not_found` for an unknown one.
   */
  municipality(ibge: string, options?: CallOptions): Promise<MunicipalityBody>;
  /** Returns the districts and villages of a municipality. */
  districts(
    ibge: string,
    options?: CallOptions,
  ): Promise<readonly DistrictBody[]>;
  /** Returns the neighbourhoods of a municipality. */
  neighbourhoods(
    ibge: string,
    options?: CallOptions,
  ): Promise<readonly NeighbourhoodBody[]>;
}

/** Codes of a CEP without a record. */
const NOT_FOUND: ReadonlySet<string> = new Set([
  "cep_not_found",
  "cep_replaced",
]);

/**
 * Creates a client. It sends no request until a method is called.
 *
 * @throws {TypeError} If an option is not allowed.
 *
 * @example
 * ```ts
 * import { createHandler, openStore, seed } from "@carteiro/cep";
 * import { createCepClient } from "@carteiro/cep/client";
 *
 * const store = await openStore({ path: ":memory:" });
 * await seed({ directory: "./samples/dne", store });
 * const handler = createHandler({ store });
 *
 * const client = createCepClient({
 *   baseUrl: "https://cep.example",
 *   // Only in this example: no network.
 *   fetch: async (url, init) => await handler(new Request(url, init)),
 * });
 * const { logradouro } = await client.lookup("01310-100");
 * console.assert(logradouro === "Avenida Paulista");
 * console.assert(await client.find("99999-999") === undefined);
 *
 * await store.close();
 * ```
 */
export function createCepClient(options: CepClientOptions): CepClient {
  const source = openSource(options);

  async function lookup(cep: string, call: CallOptions = {}): Promise<Address> {
    return await source.lookup(requireCep(cep), call);
  }

  async function find(
    cep: string,
    call?: CallOptions,
  ): Promise<Address | undefined> {
    try {
      return await lookup(cep, call);
    } catch (error) {
      if (error instanceof CepError && NOT_FOUND.has(error.code)) {
        return undefined;
      }
      throw error;
    }
  }

  async function* lookupAll(
    ceps: Iterable<string> | AsyncIterable<string>,
    call: CallOptions = {},
  ): AsyncGenerator<BatchItem> {
    for await (const batch of toBatches(ceps)) {
      yield* await lookUpBatch(source, batch, call);
    }
  }

  async function batch(
    ceps: Iterable<string>,
    call?: CallOptions,
  ): Promise<BatchItem[]> {
    const items: BatchItem[] = [];
    for await (const item of lookupAll(ceps, call)) items.push(item);
    return items;
  }

  async function search(
    query: SearchPageQuery,
    call: CallOptions = {},
  ): Promise<Page<Address>> {
    const page = await source.get(["busca"], { ...query }, call);
    return toPage(page, toAddress);
  }

  function searchAll(
    query: SearchQuery,
    call?: CallOptions,
  ): AsyncGenerator<Address> {
    return iteratePages((cursor) => search({ ...query, cursor }, call));
  }

  async function nearest(
    query: NearestQuery,
    call: CallOptions = {},
  ): Promise<readonly NearAddress[]> {
    const parameters = nearestParameters(query);
    const page = await source.get(["proximos"], parameters, call);
    return toPage(page, toNearAddress).data;
  }

  async function census(
    cep: string,
    call: CallOptions = {},
  ): Promise<CensusBody> {
    const path = ["cep", requireCep(cep), "censo"];
    return toObject(await source.get(path, {}, call));
  }

  /** Returns all places of a list. */
  async function list<T>(
    path: readonly string[],
    call: CallOptions = {},
  ): Promise<T[]> {
    const items: T[] = [];
    const read = async (cursor: string | undefined) =>
      toPage(await source.get(path, { cursor }, call), toObject<T>);
    for await (const item of iteratePages(read)) items.push(item);
    return items;
  }

  return {
    lookup,
    find,
    lookupAll,
    batch,
    search,
    searchAll,
    match: async (address, call = {}) =>
      toMatch(
        await source.post(
          ["enderecos"],
          typeof address === "string" ? { endereco: address } : address,
          call,
        ),
      ),
    nearest,
    census,
    history: async (cep, call) =>
      await list(["cep", requireCep(cep), "historico"], call),
    states: (call) => list(["estados"], call),
    municipalities: async (uf, call) =>
      await list(["estados", requireState(uf), "municipios"], call),
    municipality: async (ibge, call = {}) =>
      toObject(await source.get(["municipios", requireIbge(ibge)], {}, call)),
    districts: async (ibge, call) =>
      await list(["municipios", requireIbge(ibge), "distritos"], call),
    neighbourhoods: async (ibge, call) =>
      await list(["municipios", requireIbge(ibge), "bairros"], call),
  };
}

function openSource(options: CepClientOptions): Source {
  const { baseUrl, staticSite } = options;
  const connection = completeOptions(options);
  const transport = new Transport(connection);
  if (baseUrl !== undefined && staticSite === undefined) {
    return new Server(transport, new BaseUrl("baseUrl", baseUrl));
  }
  if (staticSite !== undefined && baseUrl === undefined) {
    const base = new BaseUrl("staticSite", staticSite);
    return new StaticSite(transport, base, connection.clock);
  }
  throw new TypeError(
    "Cannot create a client: exactly one of baseUrl and staticSite is needed",
  );
}
