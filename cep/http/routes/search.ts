/**
 * `GET /busca`: records by the words of their addresses.
 */
import type { Config } from "../../settings/config.ts";
import type { Reader, SearchQuery, SearchResult } from "../../store/store.ts";
import { parseStreetNumber } from "../../record/street_number.ts";
import type { Endpoint, Route } from "../exchange.ts";
import { HttpError } from "../errors.ts";
import { FOUND_RECORD, pageOf } from "../open_api/record_schema.ts";
import { integer, jsonContent, STATE_TEXT } from "../open_api/schema.ts";
import { decodeCursor, encodeCursor, pageAnswer } from "../page.ts";
import { readLimit, refuseParameter, toState } from "../parameters.ts";
import { readRelease } from "./read_release.ts";

/** Options of {@linkcode search}. */
export interface SearchOptions extends Pick<Config, "cacheSeconds"> {
  /** Store of the records. */
  readonly store: Pick<Reader, "read">;
}

/** Search for records. */
export const SEARCH: Endpoint = {
  id: "searchAddresses",
  pattern: "/busca",
  typed: true,
  summary: {
    en: "the records that an address may mean, best first: " +
      "`?q=av paulista 1578, sao paulo`",
    pt: "os registros que um endereço pode indicar, os melhores primeiro: " +
      "`?q=av paulista 1578, sao paulo`",
  },
  parameters: [
    {
      name: "q",
      in: "query",
      description: {
        en: "words of street, neighbourhood, municipality and state in any " +
          "order and spelling, the last one may be incomplete; or a whole " +
          "address, with its number, unit and CEP; or the first digits of a " +
          "CEP; at most 1,000 results",
        pt: "palavras do logradouro, do bairro, do município e do estado em " +
          "qualquer ordem e grafia, a última pode estar incompleta; ou um " +
          "endereço inteiro, com número, complemento e CEP; ou os primeiros " +
          "dígitos de um CEP; no máximo 1.000 resultados",
      },
      example: "av paulista",
      unless: ["uf", "cidade", "bairro"],
    },
    {
      name: "uf",
      in: "query",
      description: { en: "state of the records", pt: "estado dos registros" },
      example: "SP",
      schema: STATE_TEXT,
    },
    {
      name: "cidade",
      in: "query",
      description: {
        en: "municipality, district or village of the records",
        pt: "município, distrito ou povoado dos registros",
      },
      example: "sao paulo",
    },
    {
      name: "bairro",
      in: "query",
      description: {
        en: "neighbourhood of the records",
        pt: "bairro dos registros",
      },
      example: "bela vista",
    },
    {
      name: "numero",
      in: "query",
      description: {
        en: "building number: only the records of its range and side; " +
          "without ranges, those where the census saw such numbers first",
        pt: "número do imóvel: só os registros do seu trecho e lado; sem " +
          "trechos, primeiro aqueles em que o censo viu tais números",
      },
      example: "1578",
    },
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
    {
      name: "cursor",
      in: "query",
      description: {
        en: "`cursor` of the previous page",
        pt: "`cursor` da página anterior",
      },
      example: "",
    },
  ],
  answers: {
    200: {
      en: "records: `{total, data, cursor}`",
      pt: "registros: `{total, data, cursor}`",
      content: jsonContent(pageOf(FOUND_RECORD)),
    },
  },
  errors: [
    "parameter_invalid",
    "cursor_invalid",
    "database_not_ready",
    "service_busy",
  ],
};

/** Creates the route of searches. */
export function search({ store, cacheSeconds }: SearchOptions): Route[] {
  return [{
    ...SEARCH,
    async handle({ query }) {
      const parameters = new URLSearchParams(query);
      const given = readQuery(parameters);
      const key = keyOf(given);
      const cursor = parameters.get("cursor");
      const page = await readRelease(store, async (release) => {
        const after = cursor
          ? { after: decodeCursor(release.facts, key, cursor) }
          : {};
        return await release.search({ ...given, ...after }).catch((error) => {
          throw error instanceof RangeError
            ? new HttpError("cursor_invalid")
            : error;
        });
      });
      const next = page.next && encodeCursor(page.release, key, page.next);
      const items = page.data.map(toItem);
      return pageAnswer({ total: page.total, items, next }, {
        maxAge: cacheSeconds,
      });
    },
  }];
}

/** Returns the JSON of a record, with the old name by which it was found. */
function toItem({ json, foundName }: SearchResult): string {
  return foundName === undefined
    ? json
    : `${json.slice(0, -1)},"nome_encontrado":${JSON.stringify(foundName)}}`;
}

function readQuery(parameters: URLSearchParams): SearchQuery {
  const text = parameters.get("q") ?? "";
  const uf = parameters.get("uf");
  const city = parameters.get("cidade");
  const neighbourhood = parameters.get("bairro");
  const number = parameters.get("numero")?.trim();
  if (number && parseStreetNumber(number) === undefined) {
    refuseParameter("numero", "deve ser o número de um imóvel, como 1578");
  }
  const filters = {
    ...(uf?.trim() ? { uf: toState(uf) } : {}),
    ...(city?.trim() ? { city } : {}),
    ...(neighbourhood?.trim() ? { neighbourhood } : {}),
  };
  if (text.trim() === "" && Object.keys(filters).length === 0) {
    refuseParameter("q", "informe palavras do endereço ou um CEP");
  }
  return {
    text,
    ...filters,
    ...(number ? { number } : {}),
    limit: readLimit(parameters),
  };
}

/** Returns the query as text, to bind cursors to it. */
function keyOf({ text, uf, city, neighbourhood, number }: SearchQuery): string {
  return JSON.stringify([text, uf, city, neighbourhood, number]);
}
