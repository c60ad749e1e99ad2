import { type Address, formatCep, parseCep } from "../../record/address.ts";
import type { Config } from "../../settings/config.ts";
import { municipalityFacts } from "../../record/municipalities.ts";
import { matchAddress } from "../../search/matcher.ts";
import type { Reader, Release, ReleaseReader } from "../../store/store.ts";
import type { HttpError } from "../errors.ts";
import { missingCep } from "../cep_answers.ts";
import { fill, type PageTexts } from "./texts.ts";
import type { PageResult } from "./view.ts";
import { stateFacts } from "../../record/states.ts";
import { fold } from "../../search/fold.ts";

/** Maximum number of records in the result of a search. */
const RESULTS = 10;

/** Options of {@linkcode PageFinder}. */
export interface PageFinderOptions extends Pick<Config, "search"> {
  /** Store of the records. */
  readonly store: Reader;
}

/** What someone asks the page for. */
export interface Question {
  /** CEP, or words of an address. */
  readonly query: string;
  /** True for records that only resemble the words. */
  readonly similar: boolean;
  /** Texts in the language of the page. */
  readonly texts: PageTexts;
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
  async find(question: Question): Promise<Found> {
    const { query, texts } = question;
    const cep = parseCep(query);
    if (cep === undefined && /^[\d.\-\s]*$/.test(query)) {
      return notice(400, fill(texts.invalid, { query }));
    }
    if (cep === undefined && !this.#search) return notice(400, texts.noSearch);
    const found = await this.#store.read((release) =>
      cep === undefined
        ? findAddress(release, question)
        : this.#findCep(release, cep, texts)
    );
    return found ?? notice(503, texts.noData);
  }

  async #findCep(
    release: ReleaseReader,
    cep: string,
    texts: PageTexts,
  ): Promise<Found> {
    const found = await release.findJson(cep);
    if (found !== undefined) {
      return { status: 200, result: recordResult(JSON.parse(found.json)) };
    }
    const error = await missingCep(release, cep);
    const near = this.#search ? await findNear(release, cep) : undefined;
    const date = dateOf(texts, release.facts);
    return missing(cep, error, { texts, near, date });
  }
}

/** Finds a record whose CEP begins as one that does not exist. */
async function findNear(
  release: ReleaseReader,
  cep: string,
): Promise<Address | undefined> {
  for (const digits of [5, 3]) {
    const text = cep.slice(0, digits);
    const { data: [found] } = await release.search({ text, limit: 1 });
    if (found?.cep.startsWith(text)) return JSON.parse(found.json);
  }
  return undefined;
}

async function findAddress(
  release: ReleaseReader,
  { query, texts, similar }: Question,
): Promise<Found> {
  const { data, next } = await release.search({ text: query, limit: RESULTS });
  if (data.length === 0) {
    return notice(404, fill(texts.noResults, { query }));
  }
  const records = data.map(({ json }): Address => JSON.parse(json));
  const isNamed = similar ||
    data.some(({ foundName }, i) => hasWords(query, records[i]!, foundName));
  if (!isNamed && (await matchAddress(release, query)).cep === null) {
    return {
      status: 404,
      result: {
        kind: "notice",
        text: fill(texts.noExact, { query }),
        similarTo: query,
      },
    };
  }
  const result: PageResult = records.length === 1
    ? recordResult(records[0]!)
    : { kind: "records", records, hasMore: next !== null };
  return { status: 200, result };
}

/** Returns the day of the import, in the language of the page. */
export function dateOf(texts: PageTexts, { seededAt }: Release): string {
  return new Date(seededAt).toLocaleDateString(texts.lang, {
    dateStyle: "long",
    timeZone: "America/Sao_Paulo",
  });
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
  { code, details }: HttpError,
  { texts, near, date }: {
    readonly texts: PageTexts;
    readonly near: Address | undefined;
    readonly date: string;
  },
): Found {
  const names = { cep: formatCep(cep), date };
  if (code === "database_not_ready") return notice(503, texts.noData);
  if (code === "cep_replaced") {
    const successor = details["cep_novo"];
    return typeof successor === "string"
      ? notice(404, fill(texts.replaced, names), successor)
      : notice(404, fill(texts.retiredCep, names));
  }
  const range = details["sugestao"] as
    | Pick<Address, "cidade" | "uf">
    | undefined;
  const place = range ?? near;
  if (place === undefined) return notice(404, fill(texts.notFound, names));
  const text = range ? texts.notFoundIn : texts.notFoundNear;
  return notice(
    404,
    fill(text, { ...names, city: place.cidade, uf: place.uf }),
  );
}

/** Words that say nothing about which street it is. */
const COMMON: readonly string[] =
  ("rua avenida alameda travessa praca rodovia estrada numero " +
    "casa apto apartamento bloco lote quadra das dos").split(" ");

/**
 * True if a record has all words of a text: a search also finds similar ones.
 *
 * @param foundName Alternative name by which it was found.
 */
function hasWords(
  text: string,
  { nome, logradouro, complemento, bairro, distrito, cidade, uf }: Address,
  foundName = "",
): boolean {
  const known = fold([
    ...[nome, logradouro, complemento, bairro, distrito, cidade, uf],
    ...[foundName, stateFacts(uf)?.name ?? ""],
  ].join(" "));
  return fold(text)
    .filter((it) => /^[a-z]{3,}$/.test(it) && !COMMON.includes(it))
    .every((it) => known.includes(it));
}
