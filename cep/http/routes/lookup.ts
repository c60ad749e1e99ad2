/**
 * `GET /cep/:cep`: the record of a code.
 *
 * @module
 */
import { parseCep } from "../../address.ts";
import type { Reader, Release, Rendered } from "../../store/store.ts";
import { HttpError } from "../errors.ts";
import {
  type Answer,
  type Endpoint,
  type Exchange,
  jsonBody,
  type Route,
} from "../exchange.ts";
import { requireRelease } from "./require_release.ts";

/** Options of {@linkcode lookup}. */
export interface LookupOptions {
  /** Store of the records. */
  readonly store: Pick<Reader, "findJson" | "release">;
  /** Seconds for which clients may keep a record. */
  readonly cacheSeconds: number;
}

/** Numbers of records by their source. */
export interface LookupCount {
  /** From the snapshot in memory. */
  memory: number;
  /** From the database. */
  database: number;
}

/** The path of a record without its code. */
export const CEP_MISSING: Endpoint = {
  pattern: "/cep",
  summary: {
    en: "400: the CEP is missing",
    pt: "400: CEP faltando",
  },
  parameters: [],
  answers: {},
  errors: ["cep_missing"],
};

/** The record of a code. */
export const CEP: Endpoint = {
  pattern: "/cep/:cep",
  summary: {
    en: "the record; `01310100`, `01310-100` and `01.310-100` are accepted",
    pt: "o registro; aceita `01310100`, `01310-100` e `01.310-100`",
  },
  parameters: [{
    name: "cep",
    in: "path",
    description: {
      en: "eight digits, with or without the usual hyphen and point",
      pt: "oito dígitos, com ou sem o hífen e o ponto usuais",
    },
    example: "01310-100",
  }],
  answers: {
    200: { en: "the record", pt: "o registro" },
    304: {
      en: "the record is the one named in `If-None-Match`",
      pt: "o registro é o indicado em `If-None-Match`",
    },
  },
  errors: ["cep_invalid", "cep_not_found", "database_not_ready"],
};

/**
 * The route of records, and that of a path without a code.
 *
 * @param count Is kept up to date.
 */
export function lookup(
  { store, cacheSeconds }: LookupOptions,
  count: LookupCount,
): Route[] {
  const tagOf = entityTagger();

  function answer(
    { requestHeaders, headers }: Exchange,
    cep: string,
    { json, release, fromMemory }: Rendered,
  ): Answer {
    if (fromMemory) count.memory++;
    else count.database++;
    const tag = tagOf(release, cep);
    headers["etag"] = tag;
    const known = requestHeaders.get("if-none-match");
    const status = known !== null && listsTag(known, tag) ? 304 : 200;
    return { status, body: jsonBody(json), maxAge: cacheSeconds };
  }

  async function answerLater(
    exchange: Exchange,
    cep: string,
    found: Rendered | undefined | Promise<Rendered | undefined>,
  ): Promise<Answer> {
    const rendered = await found;
    if (rendered !== undefined) return answer(exchange, cep, rendered);
    await requireRelease(store);
    throw new HttpError("cep_not_found");
  }

  return [
    {
      ...CEP_MISSING,
      handle() {
        throw new HttpError("cep_missing");
      },
    },
    {
      ...CEP,
      handle(exchange) {
        const cep = parseCep(exchange.variables["cep"]!);
        if (cep === undefined) throw new HttpError("cep_invalid");
        const found = store.findJson(cep);
        return found === undefined || found instanceof Promise
          ? answerLater(exchange, cep, found)
          : answer(exchange, cep, found);
      },
    },
  ];
}

/**
 * Names the record of a code by the code and its release, whose name is written
 * once.
 */
function entityTagger(): (release: Release, cep: string) => string {
  let [id, name] = [0, "0"];
  return (release, cep) => {
    if (release.id !== id) {
      id = release.id;
      name = (id >>> 0).toString(36);
    }
    return `"${name}${cep}"`;
  };
}

/**
 * True if `If-None-Match` lists a tag, by the weak comparison (RFC 9110,
 * 13.1.2). The tags of this service hold no comma.
 */
function listsTag(header: string, tag: string): boolean {
  if (header.trim() === "*") return true;
  return header.split(",").some((item) => {
    const given = item.trim();
    return given === tag || given === `W/${tag}`;
  });
}
