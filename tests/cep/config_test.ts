import {
  assert,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  type Config,
  ConfigError,
  parseConfig,
  SETTINGS,
} from "../../cep/config.ts";

const DEFAULTS: readonly (readonly [
  variable: string,
  key: keyof Config,
  value: Config[keyof Config],
])[] = [
  ["MODE", "mode", "listen"],
  ["API_HOST", "host", "0.0.0.0"],
  ["API_PORT", "port", 8080],
  ["API_METRICS_ENABLE", "metrics", true],
  ["API_ENABLE_GZIP", "gzip", true],
  ["API_GZIP_COMPRESSION_LEVEL", "gzipLevel", 5],
  ["API_RATE_LIMIT_ENABLE", "rateLimit", true],
  ["API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW", "rateLimitMax", 100],
  ["API_RATE_LIMIT_REQUESTS_BURST", "rateLimitBurst", 20],
  ["API_RATE_LIMIT_EXPIRE_MINUTES", "rateLimitMinutes", 15],
  ["API_TRUSTED_PROXIES", "trustedProxies", []],
  ["API_CORS_ALLOW_ORIGINS", "corsOrigins", ["*"]],
  [
    "API_CORS_ALLOW_METHODS",
    "corsMethods",
    ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"],
  ],
  [
    "API_CORS_ALLOW_HEADERS",
    "corsHeaders",
    ["Origin", "Content-Type", "Accept", "Authorization"],
  ],
  ["API_CACHE_RECORDS", "cacheRecords", 50_000],
  ["API_CACHE_SECONDS", "cacheSeconds", 300],
  ["API_SHUTDOWN_SECONDS", "shutdownSeconds", 10],
  ["DB_PATH", "databasePath", "./data"],
  ["DB_RAW_PATH", "rawPath", "./dne"],
  ["SEED_MAX_REJECTED_PERCENT", "maxRejectedPercent", 1],
  ["LOG_FORMAT", "logFormat", "json"],
  ["LOG_LEVEL", "logLevel", "info"],
];

for (const [variable, key, value] of DEFAULTS) {
  Deno.test(`parseConfig takes ${variable} for its default when not set`, () => {
    assertEquals(SETTINGS[key].name, variable);
    assertEquals(parseConfig()[key], value);
    assertEquals(parseConfig({ [variable]: undefined })[key], value);
  });

  Deno.test(`parseConfig takes an empty ${variable} for not set`, () => {
    assertEquals(parseConfig({ [variable]: "" })[key], value);
  });
}

Deno.test("parseConfig takes a variable of blanks for not set", () => {
  const blank = DEFAULTS.map(([variable]) => [variable, " \t"]);
  assertEquals(parseConfig(Object.fromEntries(blank)), parseConfig());
});

Deno.test("SETTINGS has no setting that is not tested here", () => {
  assertEquals(
    Object.values(SETTINGS).map(({ name }) => name).toSorted(),
    DEFAULTS.map(([variable]) => variable).toSorted(),
  );
});

Deno.test("SETTINGS tells of each setting what it is for and may be", () => {
  for (const { name, help, values } of Object.values(SETTINGS)) {
    assert(help !== "" && values !== "", name);
  }
});

const BOOLEANS = [
  ["API_METRICS_ENABLE", "metrics"],
  ["API_ENABLE_GZIP", "gzip"],
  ["API_RATE_LIMIT_ENABLE", "rateLimit"],
] as const;

const WORDS = {
  true: true,
  "1": true,
  yes: true,
  on: true,
  false: false,
  "0": false,
  no: false,
  off: false,
};

for (const [word, value] of Object.entries(WORDS)) {
  Deno.test(`parseConfig reads "${word}" as ${value} in any case`, () => {
    const capital = word.charAt(0).toUpperCase() + word.slice(1);
    const mixed = word.slice(0, -1) + word.slice(-1).toUpperCase();
    for (const text of [word, word.toUpperCase(), capital, mixed]) {
      for (const [variable, key] of BOOLEANS) {
        assertEquals(parseConfig({ [variable]: text })[key], value, text);
      }
    }
  });
}

for (const text of ["2", "-1", "y", "t", "sim", "enabled", "truefalse"]) {
  Deno.test(`parseConfig refuses "${text}" for a boolean`, () => {
    for (const [variable] of BOOLEANS) {
      assertEquals(problems({ [variable]: text }), [
        `${variable}="${text}": must be true, false, 1, 0, yes, no, on, off`,
      ]);
    }
  });
}

const LISTS: readonly (readonly [text: string, items: string[]])[] = [
  ["GET", ["GET"]],
  ["GET,HEAD", ["GET", "HEAD"]],
  ["GET HEAD", ["GET", "HEAD"]],
  ["GET, HEAD", ["GET", "HEAD"]],
  ["GET\tHEAD\nPOST", ["GET", "HEAD", "POST"]],
  ["  ,GET ,, HEAD, ", ["GET", "HEAD"]],
  [",", []],
];

for (const [text, items] of LISTS) {
  Deno.test(`parseConfig splits the list ${JSON.stringify(text)}`, () => {
    const config = parseConfig({
      API_CORS_ALLOW_ORIGINS: text,
      API_CORS_ALLOW_METHODS: text,
      API_CORS_ALLOW_HEADERS: text,
    });
    assertEquals(config.corsOrigins, items);
    assertEquals(config.corsMethods, items);
    assertEquals(config.corsHeaders, items);
  });
}

const ACCEPTED: readonly (readonly [
  variable: string,
  text: string,
  key: keyof Config,
  value: Config[keyof Config],
])[] = [
  ["MODE", "seed", "mode", "seed"],
  ["MODE", "LISTEN", "mode", "listen"],
  ["API_HOST", "::1", "host", "::1"],
  ["API_PORT", "0", "port", 0],
  ["API_PORT", "1", "port", 1],
  ["API_PORT", "65535", "port", 65535],
  ["API_PORT", " 9090 ", "port", 9090],
  ["API_GZIP_COMPRESSION_LEVEL", "1", "gzipLevel", 1],
  ["API_GZIP_COMPRESSION_LEVEL", "9", "gzipLevel", 9],
  ["API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW", "1", "rateLimitMax", 1],
  ["API_RATE_LIMIT_REQUESTS_BURST", "0", "rateLimitBurst", 0],
  ["API_RATE_LIMIT_EXPIRE_MINUTES", "0.5", "rateLimitMinutes", 0.5],
  ["API_RATE_LIMIT_EXPIRE_MINUTES", ".25", "rateLimitMinutes", 0.25],
  ["API_RATE_LIMIT_EXPIRE_MINUTES", "1440", "rateLimitMinutes", 1440],
  ["API_CACHE_RECORDS", "0", "cacheRecords", 0],
  ["API_CACHE_RECORDS", "1000000", "cacheRecords", 1_000_000],
  ["API_CACHE_SECONDS", "0", "cacheSeconds", 0],
  ["API_SHUTDOWN_SECONDS", "0", "shutdownSeconds", 0],
  ["API_SHUTDOWN_SECONDS", "3600", "shutdownSeconds", 3600],
  ["SEED_MAX_REJECTED_PERCENT", "0", "maxRejectedPercent", 0],
  ["SEED_MAX_REJECTED_PERCENT", "100", "maxRejectedPercent", 100],
  ["SEED_MAX_REJECTED_PERCENT", "0.1", "maxRejectedPercent", 0.1],
  ["DB_PATH", "/srv/a path", "databasePath", "/srv/a path"],
  ["DB_RAW_PATH", "/srv/dne", "rawPath", "/srv/dne"],
  ["LOG_FORMAT", "TEXT", "logFormat", "text"],
  ["LOG_LEVEL", "debug", "logLevel", "debug"],
  ["LOG_LEVEL", "Warn", "logLevel", "warn"],
  ["LOG_LEVEL", "error", "logLevel", "error"],
  ["API_TRUSTED_PROXIES", "192.0.2.1", "trustedProxies", ["192.0.2.1"]],
  ["API_TRUSTED_PROXIES", "10.0.0.0/8", "trustedProxies", ["10.0.0.0/8"]],
  ["API_TRUSTED_PROXIES", "0.0.0.0/0", "trustedProxies", ["0.0.0.0/0"]],
  [
    "API_TRUSTED_PROXIES",
    "::1, 2001:db8::/32 192.0.2.1/32",
    "trustedProxies",
    ["::1", "2001:db8::/32", "192.0.2.1/32"],
  ],
];

for (const [variable, text, key, value] of ACCEPTED) {
  Deno.test(`parseConfig accepts ${variable}="${text}"`, () => {
    assertEquals(parseConfig({ [variable]: text })[key], value);
  });
}

const PORTS = "whole number, 0 to 65535";
const LEVELS = "whole number, 1 to 9";
const NETWORKS = "list of addresses or networks, e.g. 10.0.0.0/8";

const REFUSED: readonly (readonly [
  variable: string,
  texts: readonly string[],
  allowed: string,
])[] = [
  ["MODE", ["foo", "serve", "listen,seed"], "listen, seed"],
  ["API_PORT", ["abc", "-1", "65536", "80.5", "8e3", "0x50", "٨٠"], PORTS],
  ["API_GZIP_COMPRESSION_LEVEL", ["0", "10", "12", "-1", "5.5"], LEVELS],
  [
    "API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW",
    ["0", "-5", "1.5", "many"],
    "whole number, 1 or more",
  ],
  [
    "API_RATE_LIMIT_REQUESTS_BURST",
    ["-1", "0.5", "NaN", "99999999999999999999"],
    "whole number, 0 or more",
  ],
  [
    "API_RATE_LIMIT_EXPIRE_MINUTES",
    ["0", "0.0", "-1", "1e3", "Infinity", "15m"],
    "number above 0",
  ],
  [
    "API_CACHE_RECORDS",
    ["-1", "1000001", "1k"],
    "whole number, 0 to 1000000",
  ],
  ["API_CACHE_SECONDS", ["-1", "5m"], "whole number, 0 or more"],
  ["API_SHUTDOWN_SECONDS", ["-1", "3601"], "whole number, 0 to 3600"],
  [
    "SEED_MAX_REJECTED_PERCENT",
    ["-1", "100.1", "1%"],
    "number, 0 to 100",
  ],
  ["LOG_FORMAT", ["xml", "json,text"], "json, text"],
  ["LOG_LEVEL", ["trace", "warning", "3"], "debug, info, warn, error"],
  [
    "API_TRUSTED_PROXIES",
    [
      "localhost",
      "*",
      "10.0.0.0/33",
      "10.0.0.0/-1",
      "10.0.0.0/",
      "10.0.0.0/8/8",
      "10.0.0.0/255.0.0.0",
      "10.0.0",
      "10.0.0.1-10.0.0.9",
      "::1/129",
      "fe80::1%eth0",
      "10.0.0.0/8, proxy.example",
    ],
    NETWORKS,
  ],
];

for (const [variable, texts, allowed] of REFUSED) {
  for (const text of texts) {
    Deno.test(`parseConfig refuses ${variable}="${text}"`, () => {
      assertEquals(problems({ [variable]: text }), [
        `${variable}="${text}": must be ${allowed}`,
      ]);
    });
  }
}

Deno.test("parseConfig names everything wrong at once", () => {
  const error = assertThrows(
    () =>
      parseConfig({
        API_PORT: "abc",
        MODE: "foo",
        API_GZIP_COMPRESSION_LEVEL: "12",
        LOG_LEVEL: "info",
      }),
    ConfigError,
  );
  assertEquals(error.name, "ConfigError");
  assertEquals(error.problems, [
    'MODE="foo": must be listen, seed',
    'API_PORT="abc": must be whole number, 0 to 65535',
    'API_GZIP_COMPRESSION_LEVEL="12": must be whole number, 1 to 9',
  ]);
  for (const problem of error.problems) {
    assertStringIncludes(error.message, problem);
  }
});

Deno.test("parseConfig reads API_PROMETHEUS_ENABLE when API_METRICS_ENABLE is not set", () => {
  assertEquals(parseConfig({ API_PROMETHEUS_ENABLE: "off" }).metrics, false);
  assertEquals(
    parseConfig({ API_PROMETHEUS_ENABLE: "off", API_METRICS_ENABLE: "" })
      .metrics,
    false,
  );
});

Deno.test("parseConfig prefers API_METRICS_ENABLE to its alias", () => {
  const env = { API_PROMETHEUS_ENABLE: "off", API_METRICS_ENABLE: "on" };
  assertEquals(parseConfig(env).metrics, true);
});

Deno.test("parseConfig names the alias when that is what is wrong", () => {
  assertEquals(problems({ API_PROMETHEUS_ENABLE: "maybe" }), [
    'API_PROMETHEUS_ENABLE="maybe": must be ' +
    "true, false, 1, 0, yes, no, on, off",
  ]);
});

Deno.test("parseConfig pays no heed to other variables", () => {
  assertEquals(parseConfig({ PATH: "/bin", PORT: "abc" }), parseConfig());
});

function problems(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
  return [];
}
