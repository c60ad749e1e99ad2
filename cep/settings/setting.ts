import { isIP } from "node:net";

/** Text in the languages of the documentation, with names in backticks. */
export interface Translated {
  /** In English. */
  readonly en: string;
  /** In Portuguese. */
  readonly pt: string;
}

/** Task that a setting belongs to. */
export type Task =
  | "start"
  | "serve"
  | "limits"
  | "watch"
  | "import"
  | "replicas"
  | "match"
  | "export";

/** Titles of the tasks, in the order of the documentation. */
export const TASKS: Readonly<Record<Task, Translated>> = {
  start: { en: "First settings", pt: "Primeiras configurações" },
  serve: { en: "Serve", pt: "Servir" },
  limits: { en: "Limit clients", pt: "Limitar clientes" },
  watch: { en: "Observe", pt: "Observar" },
  import: { en: "Import and update", pt: "Importar e atualizar" },
  replicas: { en: "Replicas and servers", pt: "Réplicas e servidores" },
  match: { en: "Match a table", pt: "Conferir uma tabela" },
  export: { en: "Export", pt: "Exportar" },
};

/** Row of the table of settings. */
export interface Setting<T> extends Kind<T> {
  /** Name of the environment variable. */
  readonly name: string;
  /** Name of a variable that is read if the first one is unset. */
  readonly alias?: string;
  /**
   * Flag of the command line, without its hyphens.
   *
   * @default {the member's name in kebab case, e.g. `rate-limit-max`}
   */
  readonly flag?: string;
  /** Task that the setting belongs to. */
  readonly task: Task;
  /** Purpose of the setting. */
  readonly help: Translated;
  /** Default value, as written in the environment. */
  readonly default: string;
  /** True if the value may hold a secret, which no message shows. */
  readonly secret?: boolean;
}

/** Kind of a value. */
export interface Kind<T> {
  /** Values allowed in the environment, as a phrase after "must be". */
  readonly values: Translated;
  /** Parses a text from the environment; `undefined` if it is invalid. */
  readonly parse: (text: string) => T | undefined;
  /**
   * Checks a value from the environment or from code. Returns the rule that it
   * breaks, `undefined` if it is allowed.
   */
  readonly check: (value: unknown) => string | undefined;
}

/** Message for a value that is not allowed. */
export function mustBe({ en }: Translated): string {
  return `must be ${withoutMarks(en)}`;
}

/** Removes the backticks around names. */
export function withoutMarks(text: string): string {
  return text.replaceAll("`", "");
}

const TRUE = ["true", "1", "yes", "on"];
const FALSE = ["false", "0", "no", "off"];

/** A boolean. */
export const boolean: Kind<boolean> = {
  values: {
    en: "one of `true`, `false`, `1`, `0`, `yes`, `no`, `on`, `off`",
    pt: "`true`, `false`, `1`, `0`, `yes`, `no`, `on` ou `off`",
  },
  parse(text) {
    const word = text.toLowerCase();
    if (TRUE.includes(word)) return true;
    return FALSE.includes(word) ? false : undefined;
  },
  check: (value) =>
    typeof value === "boolean" ? undefined : "must be true or false",
};

/** One of several words. */
export function oneOf<const T extends string>(...words: T[]): Kind<T> {
  const marked = words.map((word) => `\`${word}\``);
  const values = {
    en: `one of ${marked.join(", ")}`,
    pt: `${marked.slice(0, -1).join(", ")} ou ${marked.at(-1)}`,
  };
  return {
    values,
    parse: (text) => words.find((word) => word === text.toLowerCase()),
    check: (value) =>
      words.some((word) => word === value) ? undefined : mustBe(values),
  };
}

/** Some of several words, or `none`. */
export function someOf<const T extends string>(
  ...words: T[]
): Kind<readonly T[]> {
  const marked = words.map((word) => `\`${word}\``).join(", ");
  const values = {
    en: `a list of ${marked}, separated by commas or spaces, or \`none\``,
    pt: `lista de ${marked}, separados por vírgulas ou espaços, ou \`none\``,
  };
  const isWord = (item: unknown): item is T =>
    words.some((word) => word === item);
  return {
    values,
    parse(text) {
      const items = split(text.toLowerCase());
      if (items.join() === "none") return [];
      return items.every(isWord) ? items : undefined;
    },
    check: (value) =>
      Array.isArray(value) && value.every(isWord) ? undefined : mustBe(values),
  };
}

/** A text that is not empty. */
export function text(values: Translated): Kind<string> {
  return {
    values,
    parse: (text) => text,
    check: (value) =>
      typeof value === "string" && value.trim() !== ""
        ? undefined
        : mustBe(values),
  };
}

/** A version of the DNE, or an empty text. */
export const dneVersion: Kind<string> = {
  values: {
    en: "four or five digits, such as `25041`",
    pt: "quatro ou cinco dígitos, como `25041`",
  },
  parse: (text) => text,
  check: (value) =>
    typeof value === "string" && /^(\d{4,5})?$/.test(value)
      ? undefined
      : mustBe(dneVersion.values),
};

/** A whole number. */
export function integer(
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): Kind<number> {
  const values = most === Number.MAX_SAFE_INTEGER
    ? {
      en: `a whole number of at least ${least}`,
      pt: `número inteiro a partir de ${least}`,
    }
    : {
      en: `a whole number from ${least} to ${most}`,
      pt: `número inteiro de ${least} a ${most}`,
    };
  return {
    values,
    parse: (text) => /^\d+$/.test(text) ? Number(text) : undefined,
    check: (value) =>
      Number.isSafeInteger(value) && isBetween(value, least, most)
        ? undefined
        : mustBe(values),
  };
}

/** A percentage. */
export const percentage: Kind<number> = decimal(
  { en: "a number from 0 to 100", pt: "número de 0 a 100" },
  (number) => isBetween(number, 0, 100),
);

/** A number above 0. */
export const positive: Kind<number> = decimal(
  { en: "a number above 0", pt: "número acima de 0" },
  (number) => number > 0,
);

function decimal(
  values: Translated,
  allows: (number: number) => boolean,
): Kind<number> {
  return {
    values,
    parse: (text) => /^\d*\.?\d+$/.test(text) ? Number(text) : undefined,
    check: (value) =>
      Number.isFinite(value) && allows(value as number)
        ? undefined
        : mustBe(values),
  };
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}

/** Methods or header names, which are HTTP tokens (RFC 9110, 5.6.2). */
export const tokens: Kind<readonly string[]> = list(
  {
    en: "a list of HTTP tokens, separated by commas or spaces",
    pt: "lista de tokens HTTP, separados por vírgulas ou espaços",
  },
  (item) => /^[\w!#$%&'*+.^`|~-]+$/.test(item) ? item : undefined,
);

/** Addresses and networks of proxies. */
export const proxies: Kind<readonly string[]> = list(
  {
    en: "a list of addresses, networks such as `10.0.0.0/8`, or `unix` for " +
      "a Unix socket",
    pt: "lista de endereços, redes como `10.0.0.0/8` ou `unix` para um " +
      "socket Unix",
  },
  (item) => item === "unix" || isNetwork(item) ? item : undefined,
);

/** Web origins, with wildcards for subdomains. */
export const origins: Kind<readonly string[]> = list(
  {
    en: "a list of origins such as `https://loja.com.br`, " +
      "`http://localhost:3000` or `https://*.loja.com.br`, or `*` for all",
    pt: "lista de origens como `https://loja.com.br`, " +
      "`http://localhost:3000` ou `https://*.loja.com.br`, ou `*` para todas",
  },
  (item) => item === "*" ? item : originOf(item),
);

/**
 * A list of items.
 *
 * @param normalize Returns an item in its normal form, `undefined` if it is
 * invalid.
 */
function list(
  values: Translated,
  normalize: (item: string) => string | undefined,
): Kind<readonly string[]> {
  return {
    values,
    parse: split,
    check(value) {
      if (!isStrings(value)) return "must be an array of strings";
      const faults = value.flatMap((item) => {
        const allowed = normalize(item);
        if (allowed === item) return [];
        return allowed === undefined
          ? [`not "${item}"`]
          : [`not "${item}" but "${allowed}"`];
      });
      if (faults.length === 0) return undefined;
      return [mustBe(values), ...faults].join(", ");
    },
  };
}

function split(text: string): string[] {
  return text.split(/[\s,]+/).filter((item) => item !== "");
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((it) => typeof it === "string");
}

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const most = isIP(address) === 6 ? 128 : 32;
  // A zone (`fe80::1%eth0`) names an interface of one machine.
  return isIP(address) !== 0 && !address.includes("%") && rest.length === 0 &&
    (bits === undefined || /^\d+$/.test(bits) && Number(bits) <= most);
}

/**
 * Returns the origin of a URL as browsers send it: without path and default
 * port.
 */
function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.host === "") return undefined;
  // A wildcard may stand only for all subdomains.
  if (!/^(\*\.)?[^*]+$/.test(url.host)) return undefined;
  return `${url.protocol}//${url.host}`;
}
