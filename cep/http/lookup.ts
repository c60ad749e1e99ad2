/**
 * `GET /cep/:cep`: the record of a code.
 *
 * @module
 */
import { ifNoneMatch } from "@std/http/etag";
import { LRUCache } from "lru-cache";
import { parseCep } from "../address.ts";
import type { Release, Store } from "../store/store.ts";
import { HttpError } from "./errors.ts";
import { type Body, jsonBody, type Route } from "./exchange.ts";
import { requireRelease } from "./require_release.ts";

/** Options of {@linkcode lookup}. */
export interface LookupOptions {
  /** Where the records are. */
  readonly store: Store;
  /** Records kept rendered in memory, 0 for none. */
  readonly cacheRecords: number;
  /** Seconds for which clients may keep a record. */
  readonly cacheSeconds: number;
}

/** How often a record was in memory when it was asked for. */
export interface CacheCount {
  hits: number;
  misses: number;
}

/**
 * The route that answers records, and the one for whoever forgot the code.
 *
 * @param count Is kept up to date.
 */
export function lookup(
  options: LookupOptions,
  count: CacheCount = { hits: 0, misses: 0 },
): Route[] {
  const { store } = options;
  const cacheControl = `max-age=${options.cacheSeconds}`;
  const cache = options.cacheRecords > 0
    ? new LRUCache<string, Rendered>({ max: options.cacheRecords })
    : undefined;
  let cachedRelease: number | undefined;

  async function render(cep: string, release: Release): Promise<Rendered> {
    if (release.id !== cachedRelease) cache?.clear();
    cachedRelease = release.id;
    const cached = cache?.get(cep);
    if (cached !== undefined) {
      count.hits++;
      return cached;
    }
    count.misses++;
    const address = await store.find(cep);
    if (address === undefined) throw new HttpError("cep_not_found");
    const text = JSON.stringify(address);
    const rendered = { body: jsonBody(text), etag: entityTag(release, text) };
    // Another release may have come meanwhile.
    if (release.id === cachedRelease) cache?.set(cep, rendered);
    return rendered;
  }

  return [
    {
      pattern: "/cep",
      handle: () => Promise.reject(new HttpError("cep_missing")),
    },
    {
      pattern: "/cep/:cep",
      async handle({ param, request, headers }) {
        const cep = parseCep(decode(param));
        if (cep === undefined) throw new HttpError("cep_invalid");
        const release = await requireRelease(store);
        const { body, etag } = await render(cep, release);
        headers["etag"] = etag;
        headers["cache-control"] = cacheControl;
        const known = request.headers.get("if-none-match");
        const status = known !== null && !ifNoneMatch(known, etag) ? 304 : 200;
        return { status, body };
      },
    },
  ];
}

/** A record as it is sent. */
interface Rendered {
  readonly body: Body;
  readonly etag: string;
}

/**
 * Names what one release says of one code: a hash (FNV-1a) of both. The body is
 * part of it because a record may be newer than the release that is known.
 */
function entityTag({ id }: Release, body: string): string {
  let hash = id ^ 0x811C9DC5;
  for (let i = 0; i < body.length; i++) {
    hash = Math.imul(hash ^ body.charCodeAt(i), 0x01000193);
  }
  return `"${(hash >>> 0).toString(36)}"`;
}

/** What cannot be decoded is not a code either. */
function decode(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
