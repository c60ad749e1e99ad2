/**
 * `GET /debug/…`: what the database holds.
 *
 * @module
 */
import type { Reader } from "../../store/store.ts";
import { HttpError } from "../errors.ts";
import { type Endpoint, json, type Route } from "../exchange.ts";
import { requireRelease } from "./require_release.ts";

/** Records that a list shows at most. */
const LIST_LIMIT = 100;

const PREFIX = /^(?:\d{1,5}|\d{5}-?\d{0,3})$/;

/** The first records. */
export const LIST: Endpoint = {
  pattern: "/debug/list",
  summary: {
    en: "`{total, data}`: the first 100 records; with `?prefix=`, of those " +
      "that begin with its 1 to 8 digits",
    pt:
      "`{total, data}`: os 100 primeiros registros; com `?prefix=`, dos que " +
      "começam pelos seus 1 a 8 dígitos",
  },
  parameters: [{
    name: "prefix",
    in: "query",
    description: {
      en: "1 to 8 digits, with or without the hyphen; without it, all records",
      pt: "1 a 8 dígitos, com ou sem o hífen; sem ele, todos os registros",
    },
    example: "01310",
  }],
  answers: {
    200: {
      en: "the number of records and the first of them in CEP order",
      pt: "o número de registros e os primeiros deles na ordem dos CEPs",
    },
  },
  errors: ["prefix_invalid", "database_not_ready"],
};

/** The number of records. */
export const COUNT: Endpoint = {
  pattern: "/debug/count",
  summary: { en: "`{total_ceps}`", pt: "`{total_ceps}`" },
  parameters: [],
  answers: {
    200: { en: "the number of records", pt: "o número de registros" },
  },
  errors: ["database_not_ready"],
};

/** The number of records by state. */
export const STATS: Endpoint = {
  pattern: "/debug/stats",
  summary: { en: "`{total_ceps, por_uf}`", pt: "`{total_ceps, por_uf}`" },
  parameters: [],
  answers: {
    200: {
      en: "the number of records, in all and by state",
      pt: "o número de registros, no total e por estado",
    },
  },
  errors: ["database_not_ready"],
};

/** The list, the count and the statistics. */
export function debug(store: Pick<Reader, "list" | "release">): Route[] {
  return [
    {
      ...LIST,
      async handle({ query }) {
        const prefix = new URLSearchParams(query).get("prefix");
        if (prefix !== null && !PREFIX.test(prefix)) {
          throw new HttpError("prefix_invalid");
        }
        await requireRelease(store);
        const digits = prefix?.replace("-", "") ?? "";
        return json(await store.list(digits, LIST_LIMIT));
      },
    },
    {
      ...COUNT,
      async handle() {
        const { totalCeps } = await requireRelease(store);
        return json({ total_ceps: totalCeps });
      },
    },
    {
      ...STATS,
      async handle() {
        const { totalCeps, totalByState } = await requireRelease(store);
        return json({ total_ceps: totalCeps, por_uf: totalByState });
      },
    },
  ];
}
