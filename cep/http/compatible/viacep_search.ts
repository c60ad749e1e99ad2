import { STATES } from "../../record/address.ts";
import type { Config } from "../../settings/config.ts";
import type {
  Answer,
  Endpoint,
  Exchange,
  Parameter,
  Route,
} from "../exchange.ts";
import { HttpError } from "../errors.ts";
import {
  array,
  type Content,
  jsonContent,
  type Schema,
  STATE_TEXT,
} from "../open_api/schema.ts";
import { type RawRecord, rawRecord } from "./raw_record.ts";
import {
  CALLBACK,
  callbackOf,
  MALFORMED_DOC,
  scriptContent,
  VIACEP_MALFORMED,
  VIACEP_RECORD,
  XML_CONTENT,
} from "./viacep.ts";
import {
  viacepBody,
  viacepElements,
  viacepJson,
  viacepXml,
} from "./viacep_bodies.ts";

/** Maximum number of records in an answer. */
const LIMIT = 50;

/** Minimum number of characters of the city and of the street. */
const MIN_LENGTH = 3;

/** Search for records. */
export interface AddressSearch {
  /** Searches for the streets of a city; `undefined` without a release. */
  search(query: {
    readonly text: string;
    readonly uf: string;
    readonly city: string;
    readonly limit: number;
    readonly streets: boolean;
  }): Promise<{ readonly data: readonly { json: string }[] } | undefined>;
}

const LONG_ENOUGH: Schema = { type: "string", minLength: MIN_LENGTH };

const PARAMETERS: readonly Parameter[] = [
  {
    name: "uf",
    in: "path",
    description: { en: "abbreviation of the state", pt: "sigla do estado" },
    example: "SP",
    schema: STATE_TEXT,
  },
  {
    name: "cidade",
    in: "path",
    description: {
      en: "municipality, at least 3 characters",
      pt: "município, no mínimo 3 caracteres",
    },
    example: "São Paulo",
    schema: LONG_ENOUGH,
  },
  {
    name: "logradouro",
    in: "path",
    description: {
      en: "words of the street, at least 3 characters",
      pt: "palavras do logradouro, no mínimo 3 caracteres",
    },
    example: "Avenida Paulista",
    schema: LONG_ENOUGH,
  },
];

function endpoint(
  form: string,
  content: Content,
  parameters: readonly Parameter[],
): Endpoint {
  return {
    id: `searchViaCep${form === "json" ? "Json" : "Xml"}`,
    pattern: `/ws/:uf/:cidade/:logradouro/${form}`,
    lenient: true,
    summary: {
      en: `as ViaCEP: up to ${LIMIT} records of an address in ` +
        form.toUpperCase(),
      pt: `como o ViaCEP: até ${LIMIT} registros de um endereço em ` +
        form.toUpperCase(),
    },
    parameters: [...PARAMETERS, ...parameters],
    answers: {
      200: {
        en: "the records, best match first",
        pt: "os registros, a começar pelo mais parecido",
        content,
      },
      400: MALFORMED_DOC,
    },
    errors: ["database_not_ready", "service_busy"],
  };
}

const JSON_ROUTE = endpoint(
  "json",
  scriptContent(jsonContent(array(VIACEP_RECORD, LIMIT))),
  [CALLBACK],
);

const XML_ROUTE = endpoint("xml", XML_CONTENT, []);

/** Options of {@linkcode viacepSearch}. */
export interface ViacepSearchOptions extends Pick<Config, "cacheSeconds"> {
  /** Store of the records. */
  readonly store: AddressSearch;
}

/** Creates the routes of the search. */
export function viacepSearch(
  { store, cacheSeconds: maxAge }: ViacepSearchOptions,
): Route[] {
  /** Returns the records of an address, none if it is malformed. */
  async function find(exchange: Exchange): Promise<RawRecord[] | undefined> {
    const { uf, cidade, logradouro } = exchange.variables;
    const [state, city, text] = [uf, cidade, logradouro].map(plain);
    if (
      !STATES.includes(state!.toUpperCase()) || isShort(city!) || isShort(text!)
    ) return undefined;
    const found = await store.search({
      text: text!,
      uf: state!.toUpperCase(),
      city: city!,
      limit: LIMIT,
      streets: true,
    });
    if (found === undefined) throw new HttpError("database_not_ready");
    return found.data.map(({ json }) => rawRecord(json));
  }

  return [
    {
      ...JSON_ROUTE,
      async handle(exchange): Promise<Answer> {
        const callback = callbackOf(exchange);
        if (callback === null) return VIACEP_MALFORMED;
        const records = await find(exchange);
        if (records === undefined) return VIACEP_MALFORMED;
        const json = `[${records.map(viacepJson).join(",")}]`;
        return { status: 200, body: viacepBody(json, callback), maxAge };
      },
    },
    {
      ...XML_ROUTE,
      async handle(exchange): Promise<Answer> {
        const records = await find(exchange);
        return records === undefined
          ? VIACEP_MALFORMED
          : { status: 200, body: viacepXml(addresses(records)), maxAge };
      },
    },
  ];
}

/** Returns a segment with `+` as a space, as ViaCEP accepts it. */
function plain(segment = ""): string {
  return segment.replaceAll("+", " ");
}

/** True for a text that is too short, or that has no word to search for. */
function isShort(text: string): boolean {
  return [...text].length < MIN_LENGTH || !/[\p{L}\p{N}]/u.test(text);
}

function addresses(records: readonly RawRecord[]): string {
  if (records.length === 0) return "  <enderecos/>\n";
  const lines = records.map((record) =>
    `    <endereco>\n${viacepElements(record, "      ")}    </endereco>\n`
  );
  return `  <enderecos>\n${lines.join("")}  </enderecos>\n`;
}
