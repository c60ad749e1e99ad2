/**
 * Response with a record: entity tag, conditional request, caching.
 */
import type { Build } from "../build.ts";
import type { Config } from "../settings/config.ts";
import type { Release, Rendered } from "../store/store.ts";
import { digest } from "./digest.ts";
import { knowsTag } from "./entity_tag.ts";
import type { Answer, Body, Exchange } from "./exchange.ts";

/** Options of {@linkcode recordAnswers}. */
export interface RecordAnswersOptions extends Pick<Config, "cacheSeconds"> {
  /** Counters of records served. */
  readonly lookups: { memory: number; database: number };
  /** Running build. */
  readonly build: Pick<Build, "version">;
}

/**
 * Creates the function that answers with a record: 304 if the client has its
 * current version.
 */
export function recordAnswers(
  { cacheSeconds, lookups, build }: RecordAnswersOptions,
): (exchange: Exchange, cep: string, found: Rendered, body: Body) => Answer {
  const tagOf = entityTagger(build);
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
    const status = knowsTag(requestHeaders, tag) ? 304 : 200;
    return { status, body, maxAge: cacheSeconds };
  };
}

/**
 * Creates ETags from release, CEP and version of the program, which adds data of
 * its own to some responses. They are short, because Deno needs a quarter less
 * time for a response of at most 512 bytes, headers included.
 */
function entityTagger(
  { version }: Pick<Build, "version">,
): (release: Release, cep: string) => string {
  const program = digest(version);
  return ({ id }, cep) => {
    const sum = (id >>> 0) + program + Number(cep);
    return `"${(sum >>> 0).toString(36)}"`;
  };
}
