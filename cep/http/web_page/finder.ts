import { type Address, formatCep, parseCep } from "../../record/address.ts";
import type { Config } from "../../settings/config.ts";
import { municipalityFacts } from "../../record/municipalities.ts";
import { inOneRelease } from "../../release/one_release.ts";
import type { Reader } from "../../store/store.ts";
import type { HttpError } from "../errors.ts";
import { missingCep } from "../missing_cep.ts";
import { fill, type PageTexts } from "./texts.ts";
import type { PageResult } from "./view.ts";

/** Maximum number of records in the result of a search. */
const RESULTS = 10;

/** Options of {@linkcode PageFinder}. */
export interface PageFinderOptions extends Pick<Config, "search"> {
  /** Store of the records. */
  readonly store: Reader;
}

/** Result of a query, and its status. */
export interface Found {
  /** Status of the response. */
  readonly status: number;
  readonly result: PageResult;
}

/** Finds the records of a query on the page. */
export class PageFinder {
  readonly #store: Reader;
  readonly #search: boolean;

  constructor({ store, search }: PageFinderOptions) {
    this.#store = store;
    this.#search = search;
  }

  /**
   * Finds the records of a query.
   *
   * @throws {DatabaseError} If the database cannot be read.
   */
  async find(query: string, texts: PageTexts): Promise<Found> {
    const cep = parseCep(query);
    if (cep === undefined && /^[\d.\-\s]*$/.test(query)) {
      return notice(400, fill(texts.invalid, { query }));
    }
    if (cep === undefined && !this.#search) return notice(400, texts.noSearch);
    return await inOneRelease(this.#store, async () => {
      if (await this.#store.release() === undefined) {
        return notice(503, texts.noData);
      }
      return cep === undefined
        ? await this.#findAddress(query, texts)
        : await this.#findCep(cep, texts);
    });
  }

  async #findCep(cep: string, texts: PageTexts): Promise<Found> {
    const found = await this.#store.findJson(cep);
    if (found === undefined) {
      return missing(cep, texts, await missingCep(this.#store, cep));
    }
    return { status: 200, result: recordResult(JSON.parse(found.json)) };
  }

  async #findAddress(text: string, texts: PageTexts): Promise<Found> {
    const page = await this.#store.search({ text, limit: RESULTS });
    const found = page?.data.map(({ json }): Address => JSON.parse(json)) ?? [];
    if (found.length === 0) {
      return notice(404, fill(texts.noResults, { query: text }));
    }
    const result: PageResult = found.length === 1
      ? recordResult(found[0]!)
      : { kind: "records", records: found };
    return { status: 200, result };
  }
}

/** Returns a notice in place of a record. */
export function notice(status: number, text: string, cep?: string): Found {
  return {
    status,
    result: { kind: "notice", text, ...(cep === undefined ? {} : { cep }) },
  };
}

function recordResult(record: Address): PageResult {
  const { latitude, longitude, codigo_ibge } = record;
  const point = latitude === undefined || longitude === undefined
    ? municipalityFacts(codigo_ibge)
    : { latitude, longitude };
  return { kind: "record", record, point };
}

/** Returns the notice about a CEP without a record. */
function missing(
  cep: string,
  texts: PageTexts,
  { code, details }: HttpError,
): Found {
  const names = { cep: formatCep(cep) };
  if (code === "database_not_ready") return notice(503, texts.noData);
  if (code === "cep_replaced") {
    const successor = details["cep_novo"];
    return typeof successor === "string"
      ? notice(404, fill(texts.replaced, names), successor)
      : notice(404, fill(texts.retiredCep, names));
  }
  const place = details["sugestao"] as
    | { readonly cidade: string; readonly uf: string }
    | undefined;
  return place === undefined
    ? notice(404, fill(texts.notFound, names))
    : notice(
      404,
      fill(texts.notFoundIn, { ...names, city: place.cidade, uf: place.uf }),
    );
}
