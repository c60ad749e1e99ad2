/**
 * `GET /debug/…`: content of the database.
 */
import type { Reader } from "../../store/store.ts";
import { HttpError } from "../errors.ts";
import { type Endpoint, json, type Route } from "../exchange.ts";
import { RECORD } from "../open_api/record_schema.ts";
import {
  array,
  integer,
  jsonContent,
  matching,
  object,
  record,
} from "../open_api/schema.ts";
import { readRelease } from "./read_release.ts";

/** Maximum number of records in a list. */
const LIST_LIMIT = 100;

const PREFIX = /^(?:\d{1,5}|\d{5}-?\d{0,3})$/;

/** First records of a prefix. */
export const LIST: Endpoint = {
  id: "listRecords",
  pattern: "/debug/list",
  summary: {
    en: "`{total, data}`: number of records and the first 100; `?prefix=` " +
      "selects CEPs by their first 1 to 8 digits",
    pt: "`{total, data}`: número de registros e os 100 primeiros; " +
      "`?prefix=` filtra os CEPs pelos primeiros 1 a 8 dígitos",
  },
  parameters: [{
    name: "prefix",
    in: "query",
    description: {
      en: "1 to 8 digits, with or without the hyphen; without it, all records",
      pt: "1 a 8 dígitos, com ou sem o hífen; sem ele, todos os registros",
    },
    example: "01310",
    schema: matching(PREFIX, "01310"),
  }],
  answers: {
    200: {
      en: "the number of records and the first of them, by CEP",
      pt: "o número de registros e os primeiros deles, em ordem de CEP",
      content: jsonContent(
        object({ total: integer(), data: array(RECORD, LIST_LIMIT) }),
      ),
    },
  },
  errors: ["prefix_invalid", "database_not_ready"],
};

/** Number of records. */
export const COUNT: Endpoint = {
  id: "countRecords",
  pattern: "/debug/count",
  summary: { en: "`{total_ceps}`", pt: "`{total_ceps}`" },
  parameters: [],
  answers: {
    200: {
      en: "the number of records",
      pt: "o número de registros",
      content: jsonContent(object({ total_ceps: integer() })),
    },
  },
  errors: ["database_not_ready"],
};

/** Number of records by state. */
export const STATS: Endpoint = {
  id: "countRecordsByState",
  pattern: "/debug/stats",
  summary: { en: "`{total_ceps, por_uf}`", pt: "`{total_ceps, por_uf}`" },
  parameters: [],
  answers: {
    200: {
      en: "the number of records, in total and by state",
      pt: "o número de registros, no total e por estado",
      content: jsonContent(
        object({ total_ceps: integer(), por_uf: record(integer()) }),
      ),
    },
  },
  errors: ["database_not_ready"],
};

/** Options of {@linkcode debug}. */
export interface DebugOptions {
  /** Store of the records. */
  readonly store: Pick<Reader, "read">;
}

/** Creates the routes of the list, the count and the statistics. */
export function debug({ store }: DebugOptions): Route[] {
  return [
    {
      ...LIST,
      async handle({ query }) {
        const prefix = new URLSearchParams(query).get("prefix");
        if (prefix !== null && !PREFIX.test(prefix)) {
          throw new HttpError("prefix_invalid");
        }
        const digits = prefix?.replace("-", "") ?? "";
        return json(
          await readRelease(
            store,
            (release) => release.list(digits, LIST_LIMIT),
          ),
        );
      },
    },
    {
      ...COUNT,
      async handle() {
        const { totalCeps } = await readRelease(store, ({ facts }) => facts);
        return json({ total_ceps: totalCeps });
      },
    },
    {
      ...STATS,
      async handle() {
        const { totalCeps, totalByState } = await readRelease(
          store,
          ({ facts }) => facts,
        );
        return json({ total_ceps: totalCeps, por_uf: totalByState });
      },
    },
  ];
}
