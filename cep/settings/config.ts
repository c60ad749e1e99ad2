/**
 * Settings of the service: the single source of the parser, `--help` and the
 * tables of the documents.
 */
import {
  boolean,
  dneVersion,
  integer,
  mustBe,
  oneOf,
  origins,
  percentage,
  positive,
  proxies,
  type Setting,
  someOf,
  text,
  tokens,
} from "./setting.ts";
import { redisUrl } from "../serve/limits/redis_url.ts";
import {
  databaseConflicts,
  databasePath,
  paths,
  rawPath,
  releaseConflicts,
  releaseUrl,
  remoteToken,
  remoteUrl,
  sourceConflicts,
} from "./data_settings.ts";
import { type ColumnNames, columnNames } from "../tables/columns.ts";

export type { Kind, Setting, Task, Translated } from "./setting.ts";
export type { AddressColumn, ColumnNames, Part } from "../tables/columns.ts";

/** Settings of the service. */
export interface Config {
  /**
   * Operating mode: answer requests, import the DNE or the CNEFE, apply a delta,
   * upgrade a release, export the records, match addresses, or compare the DNE
   * with the CNEFE.
   */
  readonly mode:
    | "listen"
    | "seed"
    | "update"
    | "upgrade"
    | "export"
    | "match"
    | "compare";
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on, 0 for any free port. */
  readonly port: number;
  /**
   * Seconds within which the headers of a request must arrive, 0 for the
   * default of the runtime: 60 on Node, none on Deno.
   */
  readonly headerSeconds: number;
  /** Serves `/metrics`. */
  readonly metrics: boolean;
  /** Compresses responses. */
  readonly gzip: boolean;
  /** Compression level, 1 to 9. */
  readonly gzipLevel: number;
  /** Limits the rate of requests. */
  readonly rateLimit: boolean;
  /** Requests that a client regains per window. */
  readonly rateLimitMax: number;
  /** Additional requests that a client may send in a burst. */
  readonly rateLimitBurst: number;
  /** Length of the window in minutes. */
  readonly rateLimitMinutes: number;
  /**
   * URL of the Valkey or Redis server in which instances share the rate limits,
   * `""` for none. It may hold a password.
   */
  readonly rateLimitStore: string;
  /**
   * Proxies whose `X-Forwarded-For` is trusted: addresses, networks, or `unix`
   * for connections over a Unix socket.
   */
  readonly trustedProxies: readonly string[];
  /**
   * Origins that browsers may send requests from: `https://loja.com.br`,
   * `https://*.loja.com.br` for its subdomains, or `*` for all.
   */
  readonly corsOrigins: readonly string[];
  /** Methods that browsers may use. */
  readonly corsMethods: readonly string[];
  /** Request headers that browsers may send. */
  readonly corsHeaders: readonly string[];
  /** Seconds for which clients may cache a record. */
  readonly cacheSeconds: number;
  /** Services whose routes are served, too. */
  readonly compatibility: readonly ("viacep" | "brasilapi" | "opencep")[];
  /** Names the successor of a replaced CEP on the routes of ViaCEP. */
  readonly viacepSuccessor: boolean;
  /** Seconds to wait for requests in flight when the process is stopped. */
  readonly shutdownSeconds: number;
  /** Processes that answer requests on the same port. */
  readonly workers: number;
  /** Serves records from a snapshot in memory. */
  readonly snapshot: boolean;
  /** Serves the page for people at `/`. */
  readonly page: boolean;
  /** Serves tools for agents at `/mcp`, by the service alone. */
  readonly mcp: boolean;
  /** Serves searches, from an index in memory. */
  readonly search: boolean;
  /**
   * Folder of the database. With `databaseUrl`, the folder of its replica, `""`
   * for none.
   */
  readonly databasePath: string;
  /**
   * Folder of releases that a server takes, or its address; `""` without one.
   * The query string may be a secret.
   */
  readonly releaseUrl: string;
  /** Seconds between two polls of that folder, on average. */
  readonly releasePollSeconds: number;
  /** URL of the libSQL server with the database, `""` for a folder. */
  readonly databaseUrl: string;
  /** Token of that server, `""` for none. */
  readonly databaseToken: string;
  /** Seconds between two comparisons of a replica with that server. */
  readonly syncSeconds: number;
  /**
   * Folder or zip file of the DNE or of a delta. With `cnefePaths`, `""` for
   * `./dne` if it exists.
   */
  readonly rawPath: string;
  /** Zip files, text files and folders of the CNEFE. */
  readonly cnefePaths: readonly string[];
  /** Version of the DNE, `""` for that in LEIAME.TXT or in a file name. */
  readonly dneVersion: string;
  /** Maximum percentage of rejected lines, per file. */
  readonly maxRejectedPercent: number;
  /**
   * Maximum percentage of lines that refer to an unknown locality,
   * neighbourhood or municipality, per file.
   */
  readonly maxDanglingPercent: number;
  /**
   * Maximum percentage of the current release's CEPs that are missing from the
   * new one, in total and per file.
   */
  readonly maxShrinkPercent: number;
  /**
   * Format of an export; `static` is a folder of files for a CDN, `release` one
   * of release files for other instances.
   */
  readonly exportFormat: "ndjson" | "csv" | "static" | "release";
  /** Folder of a static export, or of releases. */
  readonly exportPath: string;
  /** Applies a delta that is older than the release. */
  readonly force: boolean;
  /** Table of addresses to match, `-` for the standard input. */
  readonly matchInput: string;
  /** File of the answers, `-` for the standard output. */
  readonly matchOutput: string;
  /** Continues the answers in an existing file. */
  readonly matchResume: boolean;
  /** Format of the table and of the answers. */
  readonly matchFormat: "csv" | "ndjson";
  /** Columns of the table by the parts of addresses in them. */
  readonly matchColumns: ColumnNames;
  /** Delimiter of the cells of CSV; `auto` is that of the header. */
  readonly matchDelimiter: "auto" | "," | ";" | "tab" | "pipe";
  /** Encoding of the table. The answers are UTF-8. */
  readonly matchEncoding: "utf-8" | "iso-8859-1";
  /** New file for the differences, `-` for the standard output. */
  readonly compareOutput: string;
  /** Format of a log line. */
  readonly logFormat: "json" | "text";
  /** Lowest level that is logged. */
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

/** Every setting, in the order of the documentation. */
export const SETTINGS: { readonly [K in keyof Config]: Setting<Config[K]> } = {
  mode: {
    name: "MODE",
    task: "start",
    help: { en: "operating mode", pt: "modo de operação" },
    default: "listen",
    ...oneOf(
      "listen",
      "seed",
      "update",
      "upgrade",
      "export",
      "match",
      "compare",
    ),
  },
  host: {
    name: "API_HOST",
    task: "serve",
    help: {
      en: "address to listen on",
      pt: "endereço em que o serviço escuta",
    },
    default: "0.0.0.0",
    ...text({ en: "a host name or address", pt: "nome de host ou endereço" }),
  },
  port: {
    name: "API_PORT",
    task: "start",
    help: {
      en: "HTTP port, 0 for any free port",
      pt: "porta HTTP, 0 para qualquer porta livre",
    },
    default: "8080",
    ...integer(0, 65535),
  },
  headerSeconds: {
    name: "API_HEADER_SECONDS",
    task: "serve",
    help: {
      en: "seconds within which the headers of a request must arrive, 0 for " +
        "the default of the runtime (Node 60, Deno and the executable none)",
      pt: "segundos em que os cabeçalhos de uma requisição devem chegar, 0 " +
        "para o padrão do runtime (Node 60, Deno e o executável nenhum)",
    },
    default: "0",
    ...integer(0, 3600),
  },
  metrics: {
    name: "API_METRICS_ENABLE",
    alias: "API_PROMETHEUS_ENABLE",
    task: "watch",
    help: { en: "expose `/metrics`", pt: "expõe `/metrics`" },
    default: "true",
    ...boolean,
  },
  gzip: {
    name: "API_ENABLE_GZIP",
    task: "serve",
    help: { en: "gzip compression", pt: "compressão gzip" },
    default: "true",
    ...boolean,
  },
  gzipLevel: {
    name: "API_GZIP_COMPRESSION_LEVEL",
    task: "serve",
    help: { en: "gzip level", pt: "nível do gzip" },
    default: "5",
    ...integer(1, 9),
  },
  rateLimit: {
    name: "API_RATE_LIMIT_ENABLE",
    task: "limits",
    help: { en: "rate limiting", pt: "limite de requisições" },
    default: "true",
    ...boolean,
  },
  rateLimitMax: {
    name: "API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW",
    task: "limits",
    help: {
      en: "requests per window and client",
      pt: "requisições por janela e cliente",
    },
    default: "100",
    ...integer(1),
  },
  rateLimitBurst: {
    name: "API_RATE_LIMIT_REQUESTS_BURST",
    task: "limits",
    help: {
      en: "additional requests allowed in a burst",
      pt: "requisições adicionais permitidas em uma rajada",
    },
    default: "20",
    ...integer(0),
  },
  rateLimitMinutes: {
    name: "API_RATE_LIMIT_EXPIRE_MINUTES",
    task: "limits",
    help: {
      en: "window length in minutes",
      pt: "duração da janela em minutos",
    },
    default: "15",
    ...positive,
  },
  rateLimitStore: {
    name: "API_RATE_LIMIT_STORE",
    task: "limits",
    help: {
      en: "Valkey or Redis in which instances share the rate limits",
      pt: "Valkey ou Redis em que instâncias compartilham os limites",
    },
    default: "",
    secret: true,
    ...redisUrl,
  },
  trustedProxies: {
    name: "API_TRUSTED_PROXIES",
    task: "limits",
    help: {
      en: "proxies whose `X-Forwarded-For` is trusted",
      pt: "proxies confiáveis, cujo `X-Forwarded-For` é aceito",
    },
    default: "",
    ...proxies,
  },
  corsOrigins: {
    name: "API_CORS_ALLOW_ORIGINS",
    task: "serve",
    help: { en: "allowed origins", pt: "origens permitidas" },
    default: "*",
    ...origins,
  },
  corsMethods: {
    name: "API_CORS_ALLOW_METHODS",
    task: "serve",
    help: { en: "allowed methods", pt: "métodos permitidos" },
    default: "GET,HEAD,PUT,PATCH,POST,DELETE",
    ...tokens,
  },
  corsHeaders: {
    name: "API_CORS_ALLOW_HEADERS",
    task: "serve",
    help: { en: "allowed headers", pt: "cabeçalhos permitidos" },
    default: "Origin,Content-Type,Accept,Authorization",
    ...tokens,
  },
  cacheSeconds: {
    name: "API_CACHE_SECONDS",
    task: "serve",
    help: {
      en: "seconds for which clients may cache a record",
      pt:
        "segundos durante os quais o cliente pode manter um registro em cache",
    },
    default: "300",
    ...integer(0),
  },
  snapshot: {
    name: "API_SNAPSHOT",
    task: "serve",
    help: {
      en: "serve records from a snapshot in memory",
      pt: "serve os registros a partir de um snapshot em memória",
    },
    default: "true",
    ...boolean,
  },
  page: {
    name: "API_PAGE",
    task: "serve",
    help: {
      en: "serve the page for people at `/`, and the reference at `/docs`",
      pt: "serve a página para pessoas em `/` e a referência em `/docs`",
    },
    default: "true",
    ...boolean,
  },
  mcp: {
    name: "API_MCP",
    task: "serve",
    help: {
      en: "serve tools for agents at `/mcp`",
      pt: "serve ferramentas para agentes em `/mcp`",
    },
    default: "false",
    ...boolean,
  },
  search: {
    name: "API_SEARCH_ENABLE",
    task: "serve",
    help: {
      en: "serve `/busca` and `/enderecos` from an index in memory",
      pt: "serve `/busca` e `/enderecos` a partir de um índice em memória",
    },
    default: "true",
    ...boolean,
  },
  compatibility: {
    name: "API_COMPATIBILITY",
    task: "serve",
    help: {
      en: "services whose routes are served, too",
      pt: "serviços cujas rotas também são atendidas",
    },
    default: "viacep,brasilapi,opencep",
    ...someOf("viacep", "brasilapi", "opencep"),
  },
  viacepSuccessor: {
    name: "API_VIACEP_SUCCESSOR",
    task: "serve",
    help: {
      en: "name the successor of a replaced CEP in `cep_novo` beside `erro` " +
        "on the routes of ViaCEP",
      pt: "informa o sucessor de um CEP substituído em `cep_novo` ao lado de " +
        "`erro` nas rotas do ViaCEP",
    },
    default: "false",
    ...boolean,
  },
  shutdownSeconds: {
    name: "API_SHUTDOWN_SECONDS",
    task: "serve",
    help: {
      en: "seconds to wait for requests in flight on `SIGTERM` or `SIGINT`",
      pt: "segundos de espera pelas requisições em andamento ao receber " +
        "`SIGTERM` ou `SIGINT`",
    },
    default: "10",
    ...integer(0, 3600),
  },
  workers: {
    name: "WORKERS",
    task: "serve",
    help: {
      en: "threads that answer requests on the same port",
      pt: "threads que atendem requisições na mesma porta",
    },
    default: "1",
    ...integer(1, 256),
  },
  databasePath: {
    name: "DB_PATH",
    flag: "db",
    task: "start",
    help: {
      en: "folder of the database; with `DB_URL`, of a replica",
      pt: "pasta do banco de dados; com `DB_URL`, de uma réplica",
    },
    default: "./data",
    ...databasePath,
  },
  releaseUrl: {
    name: "RELEASE_URL",
    task: "replicas",
    help: {
      en: "folder, or address of a folder, of which a server takes releases",
      pt: "pasta, ou endereço de uma pasta, de onde o servidor obtém a base",
    },
    default: "",
    secret: true,
    ...releaseUrl,
  },
  releasePollSeconds: {
    name: "RELEASE_POLL_SECONDS",
    task: "replicas",
    help: {
      en: "seconds between two polls of `RELEASE_URL`, on average",
      pt: "segundos entre duas consultas a `RELEASE_URL`, em média",
    },
    default: "60",
    ...integer(1, 86_400),
  },
  databaseUrl: {
    name: "DB_URL",
    task: "replicas",
    help: {
      en: "libSQL server with the database, instead of a folder",
      pt: "servidor libSQL com o banco de dados, em vez de uma pasta",
    },
    default: "",
    secret: true,
    ...remoteUrl,
  },
  databaseToken: {
    name: "DB_AUTH_TOKEN",
    task: "replicas",
    help: {
      en: "token of the libSQL server",
      pt: "token do servidor libSQL",
    },
    default: "",
    secret: true,
    ...remoteToken,
  },
  syncSeconds: {
    name: "DB_SYNC_SECONDS",
    task: "replicas",
    help: {
      en: "seconds between two comparisons of the folder with the libSQL " +
        "server, with both `DB_URL` and `DB_PATH`",
      pt: "segundos entre duas comparações da pasta com o servidor libSQL, " +
        "com `DB_URL` e `DB_PATH`",
    },
    default: "10",
    ...integer(1, 86_400),
  },
  rawPath: {
    name: "DB_RAW_PATH",
    flag: "dne",
    task: "start",
    help: {
      en: "folder or zip file of the DNE, or of the delta with `MODE=update`",
      pt: "pasta ou arquivo zip do DNE, ou do delta com `MODE=update`",
    },
    default: "./dne",
    ...rawPath,
  },
  cnefePaths: {
    name: "CNEFE_PATH",
    flag: "cnefe",
    task: "start",
    help: {
      en: "zip files of the CNEFE, or folders of them, for `MODE=seed`; " +
        "without `DB_RAW_PATH`, the DNE is not needed",
      pt: "arquivos zip do CNEFE, ou pastas com eles, para `MODE=seed`; sem " +
        "`DB_RAW_PATH`, o DNE é dispensável",
    },
    default: "",
    ...paths,
  },
  dneVersion: {
    name: "DNE_VERSION",
    task: "import",
    help: {
      en:
        "version of the DNE, instead of that in `LEIAME.TXT` or in the name " +
        "of the zip file",
      pt: "versão do DNE, em vez da que consta no `LEIAME.TXT` ou no nome do " +
        "arquivo zip",
    },
    default: "",
    ...dneVersion,
  },
  maxRejectedPercent: {
    name: "SEED_MAX_REJECTED_PERCENT",
    task: "import",
    help: {
      en: "maximum percentage of rejected lines, per file",
      pt: "percentual máximo de linhas rejeitadas, por arquivo",
    },
    default: "1",
    ...percentage,
  },
  maxDanglingPercent: {
    name: "SEED_MAX_DANGLING_PERCENT",
    task: "import",
    help: {
      en: "maximum percentage of lines that refer to an unknown locality, " +
        "neighbourhood or municipality, per file",
      pt: "percentual máximo de linhas que se referem a uma localidade, um " +
        "bairro ou um município desconhecido, por arquivo",
    },
    default: "1",
    ...percentage,
  },
  maxShrinkPercent: {
    name: "SEED_MAX_SHRINK_PERCENT",
    task: "import",
    help: {
      en: "maximum percentage of the current release's CEPs that are missing " +
        "from the new one, in total and per file",
      pt: "percentual máximo de CEPs da base atual ausentes na nova, no " +
        "total e por arquivo",
    },
    default: "5",
    ...percentage,
  },
  exportFormat: {
    name: "EXPORT_FORMAT",
    task: "export",
    help: {
      en: "format of an export; `static` writes a folder of files for a CDN, " +
        "`release` one for `RELEASE_URL`",
      pt: "formato da exportação; `static` grava uma pasta de arquivos para " +
        "uma CDN, `release` uma para `RELEASE_URL`",
    },
    default: "ndjson",
    ...oneOf("ndjson", "csv", "static", "release"),
  },
  exportPath: {
    name: "EXPORT_PATH",
    task: "export",
    help: {
      en: "folder of a static export, or of releases",
      pt: "pasta da exportação estática ou da base",
    },
    default: "./site",
    ...text({ en: "a path", pt: "caminho" }),
  },
  force: {
    name: "UPDATE_FORCE",
    task: "import",
    help: {
      en: "apply a delta that is older than the release",
      pt: "aplica um delta mais antigo que a base",
    },
    default: "false",
    ...boolean,
  },
  matchInput: {
    name: "MATCH_INPUT",
    flag: "input",
    task: "match",
    help: {
      en: "table of addresses to match, `-` for the standard input",
      pt: "tabela de endereços a localizar, `-` para a entrada padrão",
    },
    default: "-",
    ...text({ en: "a path or `-`", pt: "caminho ou `-`" }),
  },
  matchOutput: {
    name: "MATCH_OUTPUT",
    flag: "output",
    task: "match",
    help: {
      en: "new file for the answers, `-` for the standard output",
      pt: "arquivo novo para as respostas, `-` para a saída padrão",
    },
    default: "-",
    ...text({ en: "a path or `-`", pt: "caminho ou `-`" }),
  },
  matchResume: {
    name: "MATCH_RESUME",
    flag: "resume",
    task: "match",
    help: {
      en: "continue the answers in `MATCH_OUTPUT` after an interruption",
      pt: "continua as respostas em `MATCH_OUTPUT` após uma interrupção",
    },
    default: "false",
    ...boolean,
  },
  matchFormat: {
    name: "MATCH_FORMAT",
    flag: "format",
    task: "match",
    help: {
      en: "format of the table and of the answers",
      pt: "formato da tabela e das respostas",
    },
    default: "csv",
    ...oneOf("csv", "ndjson"),
  },
  matchColumns: {
    name: "MATCH_COLUMNS",
    flag: "columns",
    task: "match",
    help: {
      en:
        "columns with addresses; by default, those with the names of the parts",
      pt:
        "colunas com os endereços; por padrão, as que têm os nomes das partes",
    },
    default: "",
    ...columnNames,
  },
  matchDelimiter: {
    name: "MATCH_DELIMITER",
    flag: "delimiter",
    task: "match",
    help: {
      en: "delimiter of CSV; `auto` is the one of the header",
      pt: "separador do CSV; `auto` é o do cabeçalho",
    },
    default: "auto",
    ...oneOf("auto", ",", ";", "tab", "pipe"),
  },
  matchEncoding: {
    name: "MATCH_ENCODING",
    flag: "encoding",
    task: "match",
    help: {
      en: "encoding of the table; the answers are UTF-8",
      pt: "codificação da tabela; as respostas são UTF-8",
    },
    default: "utf-8",
    ...oneOf("utf-8", "iso-8859-1"),
  },
  compareOutput: {
    name: "COMPARE_OUTPUT",
    task: "import",
    help: {
      en:
        "new CSV file for the differences of the DNE and the CNEFE, `-` for " +
        "the standard output",
      pt: "arquivo CSV novo para as diferenças entre DNE e CNEFE, `-` para a " +
        "saída padrão",
    },
    default: "-",
    ...text({ en: "a path or `-`", pt: "caminho ou `-`" }),
  },
  logFormat: {
    name: "LOG_FORMAT",
    task: "watch",
    help: { en: "log format", pt: "formato do log" },
    default: "json",
    ...oneOf("json", "text"),
  },
  logLevel: {
    name: "LOG_LEVEL",
    task: "watch",
    help: { en: "log level", pt: "nível do log" },
    default: "info",
    ...oneOf("debug", "info", "warn", "error"),
  },
};

/** Error that lists every setting whose value is not allowed. */
export class ConfigError extends Error {
  /** Always `ConfigError`. */
  override readonly name = "ConfigError";

  /** Created by {@linkcode parseConfig} and {@linkcode completeConfig}. */
  constructor(
    /** One message per setting. */
    readonly problems: readonly string[],
  ) {
    super(`Cannot use the settings:\n  ${problems.join("\n  ")}`);
  }
}

/**
 * Reads the settings from environment variables. An empty variable counts as
 * unset.
 *
 * @throws {ConfigError} If a value is not allowed. The message lists every such
 * variable, with its value and the values allowed.
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
    const { alias = setting.name } = setting;
    const name = [setting.name, alias]
      .find((name) => env[name]?.trim()) ?? setting.name;
    const given = env[name]?.trim();
    const text = given || setting.default;
    return {
      name,
      shown: `"${text}"`,
      value: setting.parse(text),
      isDefault: !given,
    };
  });
}

/**
 * Completes settings given in code with the defaults. The same values are
 * allowed as in the environment.
 *
 * @throws {ConfigError} If a value is not allowed. The message lists every such
 * member, with its value and the values allowed.
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
    const isDefault = changes[name] === undefined;
    return { name, shown: show(value), value, isDefault };
  });
}

/** Value of a setting, with its name and its text for messages. */
interface Given {
  readonly name: string;
  readonly shown: string;
  /** `undefined` if its text cannot be parsed. */
  readonly value: unknown;
  readonly isDefault: boolean;
}

/** Reads and checks the value of every setting. */
function collect(
  get: (member: keyof Config, setting: Setting<unknown>) => Given,
): Config {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  const defaults = new Set<string>();
  for (const [member, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const { name, shown, value, isDefault } = get(
      member as keyof Config,
      setting,
    );
    const problem = value === undefined
      ? mustBe(setting.values)
      : setting.check(value);
    if (problem !== undefined) {
      const text = setting.secret ? "***" : shown;
      problems.push(`${name}=${text}: ${problem}`);
    }
    config[member] = value;
    if (isDefault) defaults.add(member);
  }
  // A server needs no folder.
  if (config["databaseUrl"] && defaults.has("databasePath")) {
    config["databasePath"] = "";
  }
  // The CNEFE alone makes a release; an update always reads a delta.
  const hasCensus = (config["cnefePaths"] as Config["cnefePaths"])?.length > 0;
  if (hasCensus && config["mode"] !== "update" && defaults.has("rawPath")) {
    config["rawPath"] = "";
  }
  problems.push(
    ...releaseConflicts(config),
    ...databaseConflicts(config),
    ...sourceConflicts(config),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return config as unknown as Config;
}

/** Formats a value as in code; JSON cannot represent NaN. */
function show(value: unknown): string {
  return typeof value === "string" || Array.isArray(value)
    ? JSON.stringify(value)
    : String(value);
}
