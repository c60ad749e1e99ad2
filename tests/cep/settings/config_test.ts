import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  completeConfig,
  type Config,
  ConfigError,
  parseConfig,
  SETTINGS,
} from "../../../cep/settings/config.ts";
import { boolean, type Setting } from "../../../cep/settings/setting.ts";

const ROWS = Object.entries(SETTINGS) as [keyof Config, Setting<unknown>][];

for (const [member, setting] of ROWS) {
  const { name, alias = name, help, values } = setting;

  Deno.test(`SETTINGS.${member} has a variable, and meaning and values in both languages`, () => {
    for (const it of [name, alias]) assertMatch(it, /^[A-Z]+(_[A-Z]+)*$/);
    for (const text of [help.en, help.pt, values.en, values.pt]) {
      assertMatch(text, /^\S.*[^.\s]$/);
    }
  });

  Deno.test(`SETTINGS.${member} has an allowed default`, () => {
    const value = setting.parse(setting.default);
    assert(value !== undefined);
    assertEquals(setting.check(value), undefined);
  });

  Deno.test(`parseConfig returns the default of ${name} if it is not set, empty or blank`, () => {
    const value = setting.parse(setting.default);
    for (const variable of [name, alias]) {
      for (const text of [undefined, "", " \t"]) {
        assertEquals(parseConfig({ [variable]: text })[member], value);
      }
    }
  });
}

Deno.test("SETTINGS have distinct variables", () => {
  const names = ROWS.flatMap(([, { name, alias }]) =>
    alias ? [name, alias] : [name]
  );
  assertEquals(new Set(names).size, names.length);
});

Deno.test("parseConfig returns defaults of the right types", () => {
  const config = parseConfig();
  assertEquals(config.mode, "listen");
  assertEquals(config.port, 8080);
  assertEquals(config.metrics, true);
  assertEquals(config.rateLimitMinutes, 15);
  assertEquals(config.trustedProxies, []);
  assertEquals(config.corsOrigins, ["*"]);
  assertEquals(config.databasePath, "./data");
});

const BOOLEANS = ROWS.filter(([, { values }]) => values === boolean.values)
  .map(([member, { name }]) => [name, member] as const);

const BOOLEAN = "one of true, false, 1, 0, yes, no, on, off";

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
  Deno.test(`parseConfig reads "${word}" as ${value} in any letter case`, () => {
    const capital = word.charAt(0).toUpperCase() + word.slice(1);
    const mixed = word.slice(0, -1) + word.slice(-1).toUpperCase();
    for (const text of [word, word.toUpperCase(), capital, mixed]) {
      for (const [variable, key] of BOOLEANS) {
        assertEquals(parseConfig({ [variable]: text })[key], value, text);
      }
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
      API_CORS_ALLOW_METHODS: text,
      API_CORS_ALLOW_HEADERS: text,
    });
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
  ["API_CACHE_SECONDS", "0", "cacheSeconds", 0],
  ["API_HEADER_SECONDS", "10", "headerSeconds", 10],
  ["API_SHUTDOWN_SECONDS", "0", "shutdownSeconds", 0],
  ["API_SHUTDOWN_SECONDS", "3600", "shutdownSeconds", 3600],
  ["SEED_MAX_REJECTED_PERCENT", "0", "maxRejectedPercent", 0],
  ["SEED_MAX_REJECTED_PERCENT", "100", "maxRejectedPercent", 100],
  ["SEED_MAX_REJECTED_PERCENT", "0.1", "maxRejectedPercent", 0.1],
  ["SEED_MAX_DANGLING_PERCENT", "0", "maxDanglingPercent", 0],
  ["SEED_MAX_DANGLING_PERCENT", "100", "maxDanglingPercent", 100],
  ["SEED_MAX_SHRINK_PERCENT", "2.5", "maxShrinkPercent", 2.5],
  ["SEED_MAX_SHRINK_PERCENT", "100", "maxShrinkPercent", 100],
  ["DB_PATH", "/srv/a path", "databasePath", "/srv/a path"],
  ["DB_RAW_PATH", "/srv/dne", "rawPath", "/srv/dne"],
  ["CNEFE_PATH", "/srv/cnefe", "cnefePaths", ["/srv/cnefe"]],
  ["CNEFE_PATH", "/srv/CNEFE 2022", "cnefePaths", ["/srv/CNEFE 2022"]],
  ["CNEFE_PATH", " a.zip, b c.zip\nd ,", "cnefePaths", [
    "a.zip",
    "b c.zip",
    "d",
  ]],
  ["COMPARE_OUTPUT", "a.csv", "compareOutput", "a.csv"],
  ["RELEASE_URL", "/srv/releases", "releaseUrl", "/srv/releases"],
  ["RELEASE_URL", "https://a.b/?c=d", "releaseUrl", "https://a.b/?c=d"],
  ["RELEASE_POLL_SECONDS", "86400", "releasePollSeconds", 86400],
  ["EXPORT_FORMAT", "release", "exportFormat", "release"],
  ["DNE_VERSION", "25041", "dneVersion", "25041"],
  ["DNE_VERSION", "2504", "dneVersion", "2504"],
  ["LOG_FORMAT", "TEXT", "logFormat", "text"],
  ["LOG_LEVEL", "debug", "logLevel", "debug"],
  ["LOG_LEVEL", "Warn", "logLevel", "warn"],
  ["LOG_LEVEL", "error", "logLevel", "error"],
  ["API_TRUSTED_PROXIES", "unix", "trustedProxies", ["unix"]],
  ["API_TRUSTED_PROXIES", "192.0.2.1", "trustedProxies", ["192.0.2.1"]],
  ["API_TRUSTED_PROXIES", "10.0.0.0/8", "trustedProxies", ["10.0.0.0/8"]],
  ["API_TRUSTED_PROXIES", "0.0.0.0/0", "trustedProxies", ["0.0.0.0/0"]],
  [
    "API_TRUSTED_PROXIES",
    "::1, 2001:db8::/32 192.0.2.1/32",
    "trustedProxies",
    ["::1", "2001:db8::/32", "192.0.2.1/32"],
  ],
  ["API_CORS_ALLOW_ORIGINS", ",", "corsOrigins", []],
  ["API_COMPATIBILITY", "none", "compatibility", []],
  ["API_COMPATIBILITY", "ViaCEP", "compatibility", ["viacep"]],
  [
    "API_COMPATIBILITY",
    "opencep, brasilapi",
    "compatibility",
    ["opencep", "brasilapi"],
  ],
  ...[
    "*",
    "https://loja.com.br",
    "http://localhost:3000",
    "https://*.loja.com.br",
    "http://*.localhost:3000",
    "http://127.0.0.1:8080",
    "http://[::1]:8080",
    "https://xn--caf-dma.com.br",
    "capacitor://localhost",
  ].map((origin) =>
    ["API_CORS_ALLOW_ORIGINS", origin, "corsOrigins", [origin]] as const
  ),
  [
    "API_CORS_ALLOW_ORIGINS",
    "https://a.com.br, https://b.com.br",
    "corsOrigins",
    ["https://a.com.br", "https://b.com.br"],
  ],
  ["API_CORS_ALLOW_METHODS", "*", "corsMethods", ["*"]],
  ["API_CORS_ALLOW_HEADERS", "X-Loja_1.0~a", "corsHeaders", ["X-Loja_1.0~a"]],
];

for (const [variable, text, key, value] of ACCEPTED) {
  Deno.test(`parseConfig accepts ${variable}="${text}"`, () => {
    assertEquals(parseConfig({ [variable]: text })[key], value);
  });
}

const REFUSED: readonly (readonly [
  variable: string,
  texts: readonly string[],
  allowed: string,
])[] = [
  [
    "MODE",
    ["foo", "serve", "listen,seed"],
    "one of listen, seed, update, upgrade, export, match, compare",
  ],
  [
    "API_PORT",
    ["abc", "-1", "65536", "80.5", "8e3", "0x50", "٨٠"],
    "a whole number from 0 to 65535",
  ],
  [
    "API_GZIP_COMPRESSION_LEVEL",
    ["0", "10", "12", "-1", "5.5"],
    "a whole number from 1 to 9",
  ],
  [
    "API_RATE_LIMIT_MAX_ALLOWED_REQUESTS_PER_WINDOW",
    ["0", "-5", "1.5", "many"],
    "a whole number of at least 1",
  ],
  [
    "API_RATE_LIMIT_REQUESTS_BURST",
    ["-1", "0.5", "NaN", "99999999999999999999"],
    "a whole number of at least 0",
  ],
  [
    "API_RATE_LIMIT_EXPIRE_MINUTES",
    ["0", "0.0", "-1", "1e3", "Infinity", "15m"],
    "a number above 0",
  ],
  ["API_CACHE_SECONDS", ["-1", "5m"], "a whole number of at least 0"],
  ["API_SHUTDOWN_SECONDS", ["-1", "3601"], "a whole number from 0 to 3600"],
  [
    "SEED_MAX_REJECTED_PERCENT",
    ["-1", "100.1", "1%"],
    "a number from 0 to 100",
  ],
  ["SEED_MAX_DANGLING_PERCENT", ["101"], "a number from 0 to 100"],
  ["SEED_MAX_SHRINK_PERCENT", ["1,5"], "a number from 0 to 100"],
  [
    "DNE_VERSION",
    ["250", "250411", "v25041", "2504-1", "eDNE_Basico_25041.zip"],
    "four or five digits, such as 25041",
  ],
  ["RELEASE_POLL_SECONDS", ["0", "86401"], "a whole number from 1 to 86400"],
  ["MATCH_DELIMITER", [",,", "x"], "one of auto, ,, ;, tab, pipe"],
  [
    "MATCH_COLUMNS",
    ["endereco", "rua=a", "cep=", "cep=a,cep=b", ","],
    "a list such as endereco=Local,cep=Código, of endereco, logradouro, " +
    "numero, complemento, bairro, cidade, uf, cep",
  ],
  [
    "API_COMPATIBILITY",
    ["all", "none,viacep", "viacep;opencep"],
    "a list of viacep, brasilapi, opencep, separated by commas or spaces, " +
    "or none",
  ],
  ["LOG_FORMAT", ["xml", "json,text"], "one of json, text"],
  [
    "LOG_LEVEL",
    ["trace", "warning", "3"],
    "one of debug, info, warn, error",
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

for (const path of ["~", "~/cnefe", "/srv, ~/cnefe"]) {
  Deno.test(`parseConfig refuses CNEFE_PATH="${path}", which only a shell expands`, () => {
    assertEquals(problems({ CNEFE_PATH: path }), [
      `CNEFE_PATH="${path}": must be a list of paths, separated by commas, ` +
      `not "${path.replace("/srv, ", "")}": only a shell expands "~"`,
    ]);
  });
}

for (
  const [name, env, expected] of [
    ["DB_RAW_PATH by default", {}, "./dne"],
    ["no DB_RAW_PATH with CNEFE_PATH", { CNEFE_PATH: "a" }, ""],
    [
      "the default as given",
      { CNEFE_PATH: "a", DB_RAW_PATH: "./dne" },
      "./dne",
    ],
    ["DB_RAW_PATH for an update", { CNEFE_PATH: "a", MODE: "update" }, "./dne"],
  ] as const
) {
  Deno.test(`parseConfig returns ${name}`, () => {
    const config = parseConfig(env);
    assertEquals(config.rawPath, expected);
    // A server gets the settings that were parsed.
    assertEquals(completeConfig(config).rawPath, expected);
  });
}

Deno.test("completeConfig refuses an empty rawPath without cnefePaths", () => {
  const error = assertThrows(
    () => completeConfig({ rawPath: "" }),
    ConfigError,
  );
  assertEquals(error.problems, ['rawPath="": must be a path']);
});

Deno.test("parseConfig and completeConfig refuse a secret without its value", () => {
  const secret = "http://bucket.example/?signature=secret";
  const problem =
    "RELEASE_URL=***: must be a path, or an https: or file: address " +
    "without a user name; http: only on loopback";
  assertEquals(problems({ RELEASE_URL: secret }), [problem]);
  const error = assertThrows(
    () => completeConfig({ releaseUrl: secret }),
    ConfigError,
  );
  assertEquals(error.problems, [problem.replace("RELEASE_URL", "releaseUrl")]);
});

/** Settings that cannot be used together, with the message. */
const CONFLICTS: readonly (readonly [
  settings: Readonly<Record<string, string>>,
  problem: string,
])[] = [
  [
    { RELEASE_URL: "/srv", DB_PATH: ":memory:" },
    "RELEASE_URL: needs a folder in DB_PATH, not :memory:",
  ],
  [
    { RELEASE_URL: "/srv", DB_URL: "https://database.example" },
    "RELEASE_URL: must not be set together with DB_URL",
  ],
  [
    {
      MODE: "export",
      EXPORT_FORMAT: "release",
      DB_URL: "https://database.example",
    },
    "EXPORT_FORMAT=release: needs DB_PATH, too, with DB_URL",
  ],
];

for (const [settings, problem] of CONFLICTS) {
  const names = Object.keys(settings).join(", ");
  Deno.test(`parseConfig refuses ${names} together`, () => {
    assertEquals(problems(settings), [problem]);
  });
}

const PROXIES = "must be a list of addresses, networks such as 10.0.0.0/8, " +
  "or unix for a Unix socket";
const ORIGINS = "must be a list of origins such as https://loja.com.br, " +
  "http://localhost:3000 or https://*.loja.com.br, or * for all";
const TOKENS = "must be a list of HTTP tokens, separated by commas or spaces";

const REFUSED_ITEMS: readonly (readonly [
  variable: string,
  items: readonly string[],
  allowed: string,
])[] = [
  [
    "API_TRUSTED_PROXIES",
    [
      "localhost",
      "*",
      "UNIX",
      "unix:/run/nginx.sock",
      "10.0.0.0/33",
      "10.0.0.0/-1",
      "10.0.0.0/",
      "10.0.0.0/8/8",
      "10.0.0.0/255.0.0.0",
      "10.0.0",
      "10.0.0.1-10.0.0.9",
      "::1/129",
      "fe80::1%eth0",
    ],
    PROXIES,
  ],
  [
    "API_CORS_ALLOW_ORIGINS",
    [
      "GET",
      "null",
      "loja.com.br",
      "//loja.com.br",
      "localhost:3000",
      "*.loja.com.br",
      "https://",
      "https://*",
      "https://*.*.com.br",
      "https://loja.*.com.br",
      "https://*loja.com.br",
      "https://*.10.0.0.1",
      "https://loja.com.br:99999",
      "file:///srv",
      "data:text/plain",
    ],
    ORIGINS,
  ],
  ["API_CORS_ALLOW_METHODS", ["GET;HEAD", "(GET)", "GÉT"], TOKENS],
  ["API_CORS_ALLOW_HEADERS", ["Accept:", "X-Título", "[a]"], TOKENS],
];

for (const [variable, items, allowed] of REFUSED_ITEMS) {
  for (const item of items) {
    Deno.test(`parseConfig refuses ${item} in ${variable}`, () => {
      assertEquals(problems({ [variable]: item }), [
        `${variable}="${item}": ${allowed}, not "${item}"`,
      ]);
    });
  }
}

const CORRECTED = {
  "https://loja.com.br/": "https://loja.com.br",
  "https://loja.com.br/app": "https://loja.com.br",
  "https://loja.com.br?a=b": "https://loja.com.br",
  "https://Loja.com.br": "https://loja.com.br",
  "HTTPS://loja.com.br": "https://loja.com.br",
  "https://loja.com.br:443": "https://loja.com.br",
  "http://loja.com.br:80/": "http://loja.com.br",
  "https://usuario@loja.com.br": "https://loja.com.br",
  "https://*.Loja.com.br/": "https://*.loja.com.br",
  "https://café.com.br": "https://xn--caf-dma.com.br",
  "http://[::0:1]": "http://[::1]",
  "capacitor://localhost/": "capacitor://localhost",
};

for (const [given, right] of Object.entries(CORRECTED)) {
  Deno.test(`parseConfig suggests the right form of the origin ${given}`, () => {
    assertEquals(problems({ API_CORS_ALLOW_ORIGINS: given }), [
      `API_CORS_ALLOW_ORIGINS="${given}": ` +
      `${ORIGINS}, not "${given}" but "${right}"`,
    ]);
    assertEquals(problems({ API_CORS_ALLOW_ORIGINS: right }), []);
  });
}

Deno.test("parseConfig lists every invalid item of a list", () => {
  const text = "https://a.com.br https://B.com.br c.com.br";
  assertEquals(problems({ API_CORS_ALLOW_ORIGINS: text }), [
    `API_CORS_ALLOW_ORIGINS="${text}": ${ORIGINS}, ` +
    'not "https://B.com.br" but "https://b.com.br", not "c.com.br"',
  ]);
});

Deno.test("parseConfig lists every invalid setting in one error", () => {
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
    'MODE="foo": must be one of listen, seed, update, upgrade, export, match, compare',
    'API_PORT="abc": must be a whole number from 0 to 65535',
    'API_GZIP_COMPRESSION_LEVEL="12": must be a whole number from 1 to 9',
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

Deno.test("parseConfig names the alias when its value is invalid", () => {
  assertEquals(problems({ API_PROMETHEUS_ENABLE: "maybe" }), [
    `API_PROMETHEUS_ENABLE="maybe": must be ${BOOLEAN}`,
  ]);
});

Deno.test("completeConfig has the defaults of parseConfig", () => {
  assertEquals(completeConfig(), parseConfig());
});

Deno.test("completeConfig treats undefined as not given", () => {
  const changes = { port: undefined } as unknown as Partial<Config>;
  assertEquals(completeConfig(changes), parseConfig());
});

const PORT = "must be a whole number from 0 to 65535";
const BOOLEAN_VALUE = "must be true or false";
const STRINGS = "must be an array of strings";

const REFUSED_VALUES: readonly (readonly [
  member: keyof Config,
  value: unknown,
  problem: string,
])[] = [
  [
    "mode",
    "LISTEN",
    'mode="LISTEN": must be one of listen, seed, update, upgrade, export, match, compare',
  ],
  ["host", "", 'host="": must be a host name or address'],
  ["port", 70_000, `port=70000: ${PORT}`],
  ["port", NaN, `port=NaN: ${PORT}`],
  ["port", "8080", `port="8080": ${PORT}`],
  ["port", 80.5, `port=80.5: ${PORT}`],
  ["port", -1, `port=-1: ${PORT}`],
  ["port", null, `port=null: ${PORT}`],
  ["metrics", "yes", `metrics="yes": ${BOOLEAN_VALUE}`],
  ["gzip", 1, `gzip=1: ${BOOLEAN_VALUE}`],
  ["gzipLevel", 20, "gzipLevel=20: must be a whole number from 1 to 9"],
  [
    "rateLimitMinutes",
    Infinity,
    "rateLimitMinutes=Infinity: must be a number above 0",
  ],
  [
    "rateLimitMinutes",
    "15",
    'rateLimitMinutes="15": must be a number above 0',
  ],
  ["corsOrigins", "*", `corsOrigins="*": ${STRINGS}`],
  [
    "compatibility",
    ["none"],
    'compatibility=["none"]: must be a list of viacep, brasilapi, opencep, ' +
    "separated by commas or spaces, or none",
  ],
  ["corsOrigins", [1], `corsOrigins=[1]: ${STRINGS}`],
  ["corsMethods", {}, `corsMethods=[object Object]: ${STRINGS}`],
  [
    "corsOrigins",
    ["https://loja.com.br/"],
    `corsOrigins=["https://loja.com.br/"]: ${ORIGINS}, ` +
    'not "https://loja.com.br/" but "https://loja.com.br"',
  ],
  [
    "corsHeaders",
    ["A, B"],
    `corsHeaders=["A, B"]: ${TOKENS}, not "A, B"`,
  ],
  [
    "trustedProxies",
    ["localhost"],
    `trustedProxies=["localhost"]: ${PROXIES}, not "localhost"`,
  ],
  [
    "maxShrinkPercent",
    101,
    "maxShrinkPercent=101: must be a number from 0 to 100",
  ],
];

for (const [member, value, problem] of REFUSED_VALUES) {
  Deno.test(`completeConfig refuses ${problem.split(":")[0]}`, () => {
    const error = assertThrows(
      () => completeConfig({ [member]: value }),
      ConfigError,
    );
    assertEquals(error.problems, [problem]);
  });
}

function problems(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
  return [];
}

for (
  const text of [
    "redis://:hunter2@",
    "http://:hunter2@localhost",
    "redis://:hunter2@localhost/x",
  ]
) {
  Deno.test(`parseConfig refuses API_RATE_LIMIT_STORE=${text} without showing it`, () => {
    const check = (read: () => unknown, name: string) => {
      const error = assertThrows(read, ConfigError);
      assertStringIncludes(error.message, `${name}=***: must be a URL such as`);
      assert(!error.message.includes("hunter2"));
    };
    check(
      () => parseConfig({ API_RATE_LIMIT_STORE: text }),
      "API_RATE_LIMIT_STORE",
    );
    check(() => completeConfig({ rateLimitStore: text }), "rateLimitStore");
  });
}
