/**
 * Response with a record: entity tag, conditional request, caching.
 *
 * @module
 */
import type { Config } from "../config.ts";
import type { Release, Rendered } from "../store/store.ts";
import type { Answer, Body, Exchange } from "./exchange.ts";

/** Options of {@linkcode recordAnswers}. */
export interface RecordAnswersOptions extends Pick<Config, "cacheSeconds"> {
  /** Counters of records served. */
  readonly lookups: { memory: number; database: number };
}

/**
 * Creates the function that answers with a record: 304 if the client has its
 * current version.
 */
export function recordAnswers(
  { cacheSeconds, lookups }: RecordAnswersOptions,
): (exchange: Exchange, cep: string, found: Rendered, body: Body) => Answer {
  const tagOf = entityTagger();
  return (
    { requestHeaders, headers },
    cep,
    { release, fromMemory },
    body,
  ) => {
    if (fromMemory) lookups.memory++;
    else lookups.database++;
    const tag = tagOf(release, cep);
    headers["etag"] = tag;
    const known = requestHeaders.get("if-none-match");
    const status = known !== null && listsTag(known, tag) ? 304 : 200;
    return { status, body, maxAge: cacheSeconds };
  };
}

/** Creates ETags from release and CEP; the release id is formatted once. */
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
 * True if `If-None-Match` lists a tag, by weak comparison (RFC 9110, 13.1.2).
 * The tags of this service contain no comma.
 */
function listsTag(header: string, tag: string): boolean {
  if (header.trim() === "*") return true;
  return header.split(",").some((item) => {
    const given = item.trim();
    return given === tag || given === `W/${tag}`;
  });
}
