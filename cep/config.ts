/**
 * The settings of the service: one table from which the parser, `--help` and
 * the README's table come.
 *
 * @module
 */
import {
  boolean,
  integer,
  mustBe,
  oneOf,
  origins,
  percentage,
  positive,
  proxies,
  type Setting,
  text,
  tokens,
} from "./setting.ts";

export type { Kind, Setting, Translated } from "./setting.ts";

/** Everything that an operator may set. */
export interface Config {
  /** Task of the process: to answer requests or to import the directory. */
  readonly mode: "listen" | "seed";
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on, 0 for any free one. */
  readonly port: number;
  /** True if `/metrics` is served. */
  readonly metrics: boolean;
  /** True if answers are compressed. */
  readonly gzip: boolean;
  /** Compression level, 1 to 9. */
  readonly gzipLevel: number;
  /** True if clients have a rate limit. */
  readonly rateLimit: boolean;
  /** Requests that a client regains per window. */
  readonly rateLimitMax: number;
  /** Requests that a client may spend at once on top of these. */
  readonly rateLimitBurst: number;
  /** Length of the window in minutes. */
  readonly rateLimitMinutes: number;
  /**
   * Proxies whose `X-Forwarded-For` is believed: addresses, networks, `unix`
   * for whatever calls over a Unix socket.
   */
  readonly trustedProxies: readonly string[];
  /**
   * Origins that browsers may call from: `https://loja.com.br`,
   * `https://*.loja.com.br` for all below it, `*` for all.
   */
  readonly corsOrigins: readonly string[];
  /** Methods that browsers may use. */
  readonly corsMethods: readonly string[];
  /** Request headers that browsers may send. */
  readonly corsHeaders: readonly string[];
  /** Seconds for which clients may keep a record. */
  readonly cacheSeconds: number;
  /** Seconds granted to running requests when the process is stopped. */
  readonly shutdownSeconds: number;
  /** `true` for answers from a snapshot of all records in memory. */
  readonly snapshot: boolean;
  /** Directory of the embedded database. */
  readonly databasePath: string;
  /** Directory of the DNE text files. */
  readonly rawPath: string;
  /** Share of a file's lines, in percent, that may be rejected. */
  readonly maxRejectedPercent: number;
  /**
   * Share of a file's rows, in percent, whose locality, neighbourhood or
   * municipality may be unknown.
   */
  readonly maxDanglingPercent: number;
  /**
   * Percentage of the present release's CEPs that an import may lack, in total
   * and of each file.
   */
  readonly maxShrinkPercent: number;
  /** Format of a log line. */
  readonly logFormat: "json" | "text";
  /** The least level that is logged. */
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

/** Every setting, in the order in which they are documented. */
export const SETTINGS: { readonly [K in keyof Config]: Setting<Config[K]> } = {
  mode: {
    name: "MODE",
    help: { en: "operating mode", pt: "modo de operação" },
    default: "listen",
    ...oneOf("listen", "seed"),
  },
  host: {
    name: "API_HOST",
    help: {
      en: "address to listen on",
      pt: "endereço em que o serviço escuta",
    },
    default: "0.0.0.0",
    ...text({ en: "a host name or address", pt: "nome ou endereço" }),
  },
  port: {
    name: "API_PORT",
    help: {
      en: "HTTP port, 0 for any free one",
      pt: "porta HTTP, 0 para qualquer uma livre",
    },
    default: "8080",
    ...integer(0, 65535),
  },
  metrics: {
    name: "API_METRICS_ENABLE",
    alias: "API_PROMETHEUS_ENABLE",
    help: { en: "expose `/metrics`", pt: "expõe `/metrics`" },
    default: "true",
    ...boolean,
  },
  gzip: {
    name: "API_ENABLE_GZIP",
    help: { en: "gzip compression", pt: "compressão gzip" },
    default: "true",
    ...boolean,
  },
  gzipLevel: {
    name: "API_GZIP_COMPRESSION_LEVEL",
    help: { en: "gzip level", pt: "nível do gzip" },
    default: "5",
    ...integer(1, 9),
  },
  rateLimit: {
    name: "API_RATE_LIMIT_ENABLE",
    help: { en: "rate limiting", pt: "limite de requisições" },
    default: "true",
    ...boolean,
  },
  rateLimitMax: {
    name: "API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW",
    help: {
      en: "requests per window and client",
      pt: "requisições por janela e cliente",
    },
    default: "100",
    ...integer(1),
  },
  rateLimitBurst: {
    name: "API_RATE_LIMIT_REQUESTS_BURST",
    help: { en: "burst allowed on top", pt: "rajada permitida além disso" },
    default: "20",
    ...integer(0),
  },
  rateLimitMinutes: {
    name: "API_RATE_LIMIT_EXPIRE_MINUTES",
    help: {
      en: "window length in minutes",
      pt: "duração da janela em minutos",
    },
    default: "15",
    ...positive,
  },
  trustedProxies: {
    name: "API_TRUSTED_PROXIES",
    help: {
      en: "proxies whose `X-Forwarded-For` is believed",
      pt: "proxies cujo `X-Forwarded-For` é aceito",
    },
    default: "",
    ...proxies,
  },
  corsOrigins: {
    name: "API_CORS_ALLOW_ORIGINS",
    help: { en: "allowed origins", pt: "origens permitidas" },
    default: "*",
    ...origins,
  },
  corsMethods: {
    name: "API_CORS_ALLOW_METHODS",
    help: { en: "allowed methods", pt: "métodos permitidos" },
    default: "GET,HEAD,PUT,PATCH,POST,DELETE",
    ...tokens,
  },
  corsHeaders: {
    name: "API_CORS_ALLOW_HEADERS",
    help: { en: "allowed headers", pt: "cabeçalhos permitidos" },
    default: "Origin,Content-Type,Accept,Authorization",
    ...tokens,
  },
  cacheSeconds: {
    name: "API_CACHE_SECONDS",
    help: {
      en: "seconds for which clients may keep a record",
      pt: "segundos pelos quais o cliente pode guardar um registro",
    },
    default: "300",
    ...integer(0),
  },
  snapshot: {
    name: "API_SNAPSHOT",
    help: {
      en: "answer from a snapshot of all records in memory",
      pt: "responde a partir de um snapshot de todos os registros em memória",
    },
    default: "true",
    ...boolean,
  },
  shutdownSeconds: {
    name: "API_SHUTDOWN_SECONDS",
    help: {
      en: "seconds granted to running requests on `SIGTERM` and `SIGINT`",
      pt: "segundos concedidos às requisições em andamento no `SIGTERM` e " +
        "no `SIGINT`",
    },
    default: "10",
    ...integer(0, 3600),
  },
  databasePath: {
    name: "DB_PATH",
    help: { en: "folder of the database", pt: "pasta do banco de dados" },
    default: "./data",
    ...text({ en: "a path", pt: "caminho" }),
  },
  rawPath: {
    name: "DB_RAW_PATH",
    help: {
      en: "folder of the DNE text files",
      pt: "pasta dos arquivos de texto do DNE",
    },
    default: "./dne",
    ...text({ en: "a path", pt: "caminho" }),
  },
  maxRejectedPercent: {
    name: "SEED_MAX_REJECTED_PERCENT",
    help: {
      en: "rejected lines allowed, in percent of a file",
      pt: "linhas rejeitadas permitidas, em % de um arquivo",
    },
    default: "1",
    ...percentage,
  },
  maxDanglingPercent: {
    name: "SEED_MAX_DANGLING_PERCENT",
    help: {
      en: "rows allowed with an unknown locality, neighbourhood or " +
        "municipality, in percent of a file",
      pt: "linhas permitidas com localidade, bairro ou município " +
        "desconhecido, em % de um arquivo",
    },
    default: "1",
    ...percentage,
  },
  maxShrinkPercent: {
    name: "SEED_MAX_SHRINK_PERCENT",
    help: {
      en: "loss of CEPs allowed against the present data, in percent, in " +
        "total and by file",
      pt: "perda de CEPs permitida em relação à base atual, em %, no total " +
        "e por arquivo",
    },
    default: "5",
    ...percentage,
  },
  logFormat: {
    name: "LOG_FORMAT",
    help: { en: "log format", pt: "formato do log" },
    default: "json",
    ...oneOf("json", "text"),
  },
  logLevel: {
    name: "LOG_LEVEL",
    help: { en: "log level", pt: "nível do log" },
    default: "info",
    ...oneOf("debug", "info", "warn", "error"),
  },
};

/** Settings that cannot be used, all of them at once. */
export class ConfigError extends Error {
  /** Always `ConfigError`. */
  override readonly name = "ConfigError";

  /** Made by {@linkcode parseConfig} and {@linkcode completeConfig}. */
  constructor(
    /** One sentence a setting. */
    readonly problems: readonly string[],
  ) {
    super(`Cannot use the settings:\n  ${problems.join("\n  ")}`);
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
  return collect((_member, setting) => {
    const name = [setting.name, setting.alias ?? ""]
      .find((name) => env[name]?.trim()) ?? setting.name;
    const text = env[name]?.trim() || setting.default;
    return { name, shown: `"${text}"`, value: setting.parse(text) };
  });
}

/**
 * The default settings with changes that are given in code. They must be what
 * the environment may set.
 *
 * @throws {ConfigError} Naming every member whose value is not allowed, the
 * value given and the values allowed.
 *
 * @example
 * ```ts
 * import { completeConfig } from "@carteiro/cep";
 *
 * const config = completeConfig({ rateLimit: false });
 * console.assert(!config.rateLimit && config.port === 8080);
 * ```
 */
export function completeConfig(changes: Partial<Config> = {}): Config {
  return collect((name, setting) => {
    const { [name]: value = setting.parse(setting.default) } = changes;
    return { name, shown: show(value), value };
  });
}

/** The value of a setting, and how a problem with it is told. */
interface Given {
  readonly name: string;
  readonly shown: string;
  /** `undefined` for a text without a meaning. */
  readonly value: unknown;
}

/** Checks the value of every setting. */
function collect(
  give: (member: keyof Config, setting: Setting<unknown>) => Given,
): Config {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [member, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const { name, shown, value } = give(member as keyof Config, setting);
    const problem = value === undefined
      ? mustBe(setting.values)
      : setting.check(value);
    if (problem !== undefined) problems.push(`${name}=${shown}: ${problem}`);
    config[member] = value;
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config as unknown as Config;
}

/** A value as code writes it; JSON has no NaN. */
function show(value: unknown): string {
  return typeof value === "string" || Array.isArray(value)
    ? JSON.stringify(value)
    : String(value);
}
