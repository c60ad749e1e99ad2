/**
 * The settings of the service: one table from which the parser, `--help` and
 * the README's table come.
 *
 * @module
 */
import { isIP } from "node:net";

/** Everything that an operator may set. */
export interface Config {
  /** What the process does: answer requests or import the directory. */
  readonly mode: "listen" | "seed";
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on, 0 for any free one. */
  readonly port: number;
  /** Whether `/metrics` is served. */
  readonly metrics: boolean;
  /** Whether answers are compressed. */
  readonly gzip: boolean;
  /** Compression level, 1 to 9. */
  readonly gzipLevel: number;
  /** Whether clients are limited. */
  readonly rateLimit: boolean;
  /** Requests that a client regains per window. */
  readonly rateLimitMax: number;
  /** Requests that a client may spend at once on top of these. */
  readonly rateLimitBurst: number;
  /** Length of the window in minutes. */
  readonly rateLimitMinutes: number;
  /** Addresses or networks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Origins that browsers may call from, `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Methods that browsers may use. */
  readonly corsMethods: readonly string[];
  /** Request headers that browsers may send. */
  readonly corsHeaders: readonly string[];
  /** Records kept rendered in memory, 0 for none. */
  readonly cacheRecords: number;
  /** Seconds for which clients may keep a record. */
  readonly cacheSeconds: number;
  /** Seconds granted to running requests when the process is stopped. */
  readonly shutdownSeconds: number;
  /** Directory of the embedded database. */
  readonly databasePath: string;
  /** Directory of the DNE text files. */
  readonly rawPath: string;
  /** Share of a file's lines, in percent, that may be rejected. */
  readonly maxRejectedPercent: number;
  /** How a log line is written. */
  readonly logFormat: "json" | "text";
  /** The least level that is logged. */
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

/** One row of the table of settings. */
export interface Setting<T> {
  /** The environment variable. */
  readonly name: string;
  /** Another variable that is read when the first is not set. */
  readonly alias?: string;
  /** What it is for. */
  readonly help: string;
  /** The values allowed, for people. */
  readonly values: string;
  /** The value, as written in the environment, when the variable is not set. */
  readonly default: string;
  /** The value meant by a text, `undefined` when the text is not allowed. */
  readonly parse: (text: string) => T | undefined;
}

type Values<T> = Pick<Setting<T>, "values" | "parse">;

const boolean: Values<boolean> = {
  values: "true, false, 1, 0, yes, no, on, off",
  parse(text) {
    const word = text.toLowerCase();
    if (["true", "1", "yes", "on"].includes(word)) return true;
    if (["false", "0", "no", "off"].includes(word)) return false;
    return undefined;
  },
};

function text(values: string): Values<string> {
  return { values, parse: (text) => text };
}

const list = {
  values: "list, split on commas and blanks",
  parse: (text: string): string[] =>
    text.split(/[\s,]+/).filter((item) => item !== ""),
};

const networks: Values<string[]> = {
  values: "list of addresses or networks, e.g. 10.0.0.0/8",
  parse(text) {
    const items = list.parse(text);
    return items.every(isNetwork) ? items : undefined;
  },
};

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const most = isIP(address) === 6 ? 128 : 32;
  // A zone (`fe80::1%eth0`) means something to one machine only.
  return isIP(address) !== 0 && !address.includes("%") && rest.length === 0 &&
    (bits === undefined || integer(0, most).parse(bits) !== undefined);
}

function integer(
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): Values<number> {
  return {
    values: most === Number.MAX_SAFE_INTEGER
      ? `whole number, ${least} or more`
      : `whole number, ${least} to ${most}`,
    parse(text) {
      const number = /^\d+$/.test(text) ? Number(text) : NaN;
      return number >= least && number <= most ? number : undefined;
    },
  };
}

function decimal(
  values: string,
  allows: (number: number) => boolean,
): Values<number> {
  return {
    values,
    parse(text) {
      const number = /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
      return allows(number) ? number : undefined;
    },
  };
}

function oneOf<const T extends string>(...words: T[]): Values<T> {
  return {
    values: words.join(", "),
    parse: (text) => words.find((word) => word === text.toLowerCase()),
  };
}

/** Every setting, in the order in which they are documented. */
export const SETTINGS: { readonly [K in keyof Config]: Setting<Config[K]> } = {
  mode: {
    name: "MODE",
    help: "operating mode",
    default: "listen",
    ...oneOf("listen", "seed"),
  },
  host: {
    name: "API_HOST",
    help: "address to listen on",
    default: "0.0.0.0",
    ...text("host name or address"),
  },
  port: {
    name: "API_PORT",
    help: "HTTP port, 0 for any free one",
    default: "8080",
    ...integer(0, 65535),
  },
  metrics: {
    name: "API_METRICS_ENABLE",
    alias: "API_PROMETHEUS_ENABLE",
    help: "expose `/metrics`",
    default: "true",
    ...boolean,
  },
  gzip: {
    name: "API_ENABLE_GZIP",
    help: "gzip compression",
    default: "true",
    ...boolean,
  },
  gzipLevel: {
    name: "API_GZIP_COMPRESSION_LEVEL",
    help: "gzip level",
    default: "5",
    ...integer(1, 9),
  },
  rateLimit: {
    name: "API_RATE_LIMIT_ENABLE",
    help: "rate limiting",
    default: "true",
    ...boolean,
  },
  rateLimitMax: {
    name: "API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW",
    help: "requests per window and client",
    default: "100",
    ...integer(1),
  },
  rateLimitBurst: {
    name: "API_RATE_LIMIT_REQUESTS_BURST",
    help: "burst allowed on top",
    default: "20",
    ...integer(0),
  },
  rateLimitMinutes: {
    name: "API_RATE_LIMIT_EXPIRE_MINUTES",
    help: "window length in minutes",
    default: "15",
    ...decimal("number above 0", (number) => number > 0),
  },
  trustedProxies: {
    name: "API_TRUSTED_PROXIES",
    help: "proxies whose `X-Forwarded-For` is believed",
    default: "",
    ...networks,
  },
  corsOrigins: {
    name: "API_CORS_ALLOW_ORIGINS",
    help: "allowed origins, `*` for all",
    default: "*",
    ...list,
  },
  corsMethods: {
    name: "API_CORS_ALLOW_METHODS",
    help: "allowed methods",
    default: "GET,HEAD,PUT,PATCH,POST,DELETE",
    ...list,
  },
  corsHeaders: {
    name: "API_CORS_ALLOW_HEADERS",
    help: "allowed headers",
    default: "Origin,Content-Type,Accept,Authorization",
    ...list,
  },
  cacheRecords: {
    name: "API_CACHE_RECORDS",
    help: "records kept rendered in memory, 0 for none",
    default: "50000",
    ...integer(0, 1_000_000),
  },
  cacheSeconds: {
    name: "API_CACHE_SECONDS",
    help: "seconds for which clients may keep a record",
    default: "300",
    ...integer(0),
  },
  shutdownSeconds: {
    name: "API_SHUTDOWN_SECONDS",
    help: "seconds granted to running requests on SIGTERM and SIGINT",
    default: "10",
    ...integer(0, 3600),
  },
  databasePath: {
    name: "DB_PATH",
    help: "directory of the embedded database files",
    default: "./data",
    ...text("path"),
  },
  rawPath: {
    name: "DB_RAW_PATH",
    help: "directory of the DNE text files",
    default: "./dne",
    ...text("path"),
  },
  maxRejectedPercent: {
    name: "SEED_MAX_REJECTED_PERCENT",
    help: "share of a file's lines that may be rejected",
    default: "1",
    ...decimal("number, 0 to 100", (number) => number >= 0 && number <= 100),
  },
  logFormat: {
    name: "LOG_FORMAT",
    help: "log format",
    default: "json",
    ...oneOf("json", "text"),
  },
  logLevel: {
    name: "LOG_LEVEL",
    help: "log level",
    default: "info",
    ...oneOf("debug", "info", "warn", "error"),
  },
};

/** Settings that cannot be used, all of them at once. */
export class ConfigError extends Error {
  /** Always `ConfigError`. */
  override readonly name = "ConfigError";

  /** Made by {@linkcode parseConfig}. */
  constructor(
    /** One sentence a setting. */
    readonly problems: readonly string[],
  ) {
    super(`Cannot read the settings:\n  ${problems.join("\n  ")}`);
  }
}

/**
 * Reads the settings from environment variables. A variable that is empty
 * counts as not set.
 *
 * @throws {ConfigError} Naming every variable whose value is not allowed, the
 * value given and the values allowed.
 *
 * @example
 * ```ts
 * import { parseConfig } from "@carteiro/cep";
 *
 * console.assert(parseConfig({ API_PORT: "9090" }).port === 9090);
 * ```
 */
export function parseConfig(
  env: Readonly<Record<string, string | undefined>> = {},
): Config {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const given = [setting.name, setting.alias ?? ""].find((name) =>
      env[name]?.trim()
    );
    const name = given ?? setting.name;
    const value = env[name]?.trim() || setting.default;
    config[key] = setting.parse(value);
    if (config[key] === undefined) {
      problems.push(`${name}="${value}": must be ${setting.values}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config as unknown as Config;
}
