import type { RequestHeaders } from "./reply.ts";
import type { Build } from "../build.ts";
import type { Config } from "../settings/config.ts";
import type { Release, Rendered } from "../store/store.ts";
import type { Answer, Body, Exchange } from "./exchange.ts";

/**
 * Returns a hash of 32 bits (FNV-1a). It detects mistakes and changes, not
 * forgery.
 */
export function digest(text: string): number {
  let hash = 0x811C9DC5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash;
}

/**
 * True if `If-None-Match` lists a tag, by weak comparison (RFC 9110, 13.1.2).
 * The tags of this service contain no comma.
 */
export function knowsTag(requestHeaders: RequestHeaders, tag: string): boolean {
  const header = requestHeaders.get("if-none-match");
  if (header === null) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((item) => {
    const given = item.trim();
    return given === tag || given === `W/${tag}`;
  });
}

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
