import { type Kind, mustBe } from "../../settings/setting.ts";

/** Parts of a URL, for a connection. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Number of the database. */
  readonly database: number;
}

/** True for TLS, by protocol. */
const PROTOCOLS: ReadonlyMap<string, boolean> = new Map([
  ["redis:", false],
  ["valkey:", false],
  ["rediss:", true],
  ["valkeys:", true],
]);

/**
 * Parses `redis://user:password@host:6379/0`, whose user, password, port and
 * database may be missing. Returns `undefined` for any other text.
 */
export function parseRedisUrl(text: string): RedisAddress | undefined {
  const url = URL.parse(text);
  const isEncrypted = PROTOCOLS.get(url?.protocol ?? "");
  if (url === null || isEncrypted === undefined) return undefined;
  const database = /^\/?(\d{0,5})$/.exec(url.pathname)?.[1];
  if (database === undefined || url.search || url.hash) return undefined;
  const port = url.port === "" ? 6379 : Number(url.port);
  try {
    const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1");
    if (port === 0 || !/^[\w.:-]+$/.test(host)) return undefined;
    return {
      host,
      port,
      isEncrypted,
      username: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      database: Number(database),
    };
  } catch {
    return undefined; // an invalid percent-encoding
  }
}

/** Returns a URL without user and password, for the log. */
export function publicRedisUrl(
  { host, port, isEncrypted, database }: RedisAddress,
): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `redis${isEncrypted ? "s" : ""}://${name}:${port}/${database}`;
}

/** URL of a server, or an empty text. */
export const redisUrl: Kind<string> = {
  values: {
    en: "a URL such as `redis://cache.local:6379`, or " +
      "`rediss://user:password@cache.local:6380/1` with TLS",
    pt: "URL como `redis://cache.local:6379`, ou " +
      "`rediss://user:password@cache.local:6380/1` com TLS",
  },
  parse: (text) => text,
  check: (value) =>
    typeof value === "string" &&
      (value === "" || parseRedisUrl(value) !== undefined)
      ? undefined
      : mustBe(redisUrl.values),
};
