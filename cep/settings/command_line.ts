import { parseArgs } from "node:util";
import { type Config, SETTINGS } from "./config.ts";
import { nearestName } from "../record/nearest_name.ts";
import {
  boolean,
  type Setting,
  TASKS,
  type Translated,
  withoutMarks,
} from "./setting.ts";

/** Arguments that cannot be used. */
export class ArgumentError extends Error {
  /** Always `ArgumentError`. */
  override readonly name = "ArgumentError";
}

/** Command line, as {@linkcode readCommandLine} understands it. */
export interface CommandLine {
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
  /** Settings by environment variable, the mode of the command among them. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Mode and summary of each command. */
const COMMANDS: Readonly<
  Record<string, { readonly mode: Config["mode"]; readonly help: Translated }>
> = {
  serve: {
    mode: "listen",
    help: {
      en: "answers requests (the default)",
      pt: "responde a requisições (o padrão)",
    },
  },
  seed: {
    mode: "seed",
    help: {
      en: "imports the DNE of Correios, the CNEFE of IBGE, or both",
      pt: "importa o DNE dos Correios, o CNEFE do IBGE ou os dois",
    },
  },
  update: {
    mode: "update",
    help: {
      en: "applies the changes that Correios publishes every two weeks",
      pt: "aplica as mudanças que os Correios publicam a cada duas semanas",
    },
  },
  upgrade: {
    mode: "upgrade",
    help: {
      en: "rewrites a database that an older version of cep wrote",
      pt: "regrava um banco que uma versão anterior do cep gravou",
    },
  },
  match: {
    mode: "match",
    help: {
      en: "finds the CEPs of a table of addresses: cep match < a.csv",
      pt: "encontra os CEPs de uma tabela de endereços: cep match < a.csv",
    },
  },
  export: {
    mode: "export",
    help: {
      en: "writes all records, as a file or as a static site",
      pt: "grava todos os registros, em arquivo ou como site estático",
    },
  },
  compare: {
    mode: "compare",
    help: {
      en: "lists where the DNE and the CNEFE differ",
      pt: "lista onde o DNE e o CNEFE diferem",
    },
  },
};

/** Setting with its flag. */
interface Flag {
  readonly flag: string;
  readonly setting: Setting<unknown>;
  readonly isBoolean: boolean;
}

/** Flags of all settings but the mode, which the command chooses. */
const FLAGS: readonly Flag[] = Object.entries<Setting<unknown>>(SETTINGS)
  .filter(([member]) => member !== "mode")
  .map(([member, setting]) => ({
    flag: setting.flag ?? kebabCase(member),
    setting,
    isBoolean: setting.parse === boolean.parse,
  }));

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Flags other than those of settings. */
const OWN_FLAGS = ["help", "version"];

/** Flags of settings with secrets, which other users of a machine would see. */
function isSecret({ setting }: Flag): boolean {
  return setting.secret === true;
}

/**
 * Reads the command and the flags of a command line: `serve --port 8080`.
 * Values are not checked yet.
 *
 * @throws {ArgumentError} If an argument is unknown, or a value is missing.
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" },
      ...Object.fromEntries(
        FLAGS.map(({ flag, isBoolean }) =>
          [flag, { type: isBoolean ? "boolean" : "string" }] as const
        ),
      ),
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const settings: Record<string, string> = {};
  const own = new Set<string>();
  for (const token of tokens) {
    if (token.kind === "positional") {
      if (settings["MODE"] !== undefined) {
        throw new ArgumentError(
          `Cannot use the argument "${token.value}": a command was given already`,
        );
      }
      settings["MODE"] = modeOf(token.value);
    } else if (token.kind === "option") {
      if (OWN_FLAGS.includes(token.name)) own.add(token.name);
      else readFlag(token.name, token.value, settings);
    }
  }
  return {
    wantsHelp: own.has("help"),
    wantsVersion: own.has("version"),
    settings,
  };
}

function modeOf(name: string): Config["mode"] {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return command.mode;
  if (name === "listen") return name; // the value of `MODE`
  throw new ArgumentError(
    `Cannot use the command "${name}": must be one of ${
      Object.keys(COMMANDS).join(", ")
    }`,
  );
}

function readFlag(
  name: string,
  value: string | undefined,
  settings: Record<string, string>,
): void {
  const positive = name.replace(/^no-/, "");
  const flag = FLAGS.find((it) =>
    it.flag === name || it.isBoolean && it.flag === positive
  );
  if (flag === undefined) {
    const known = [...FLAGS.map((it) => it.flag), ...OWN_FLAGS];
    const nearest = nearestName(name, known);
    const advice = nearest ? `did you mean --${nearest}?` : "see cep --help";
    throw new ArgumentError(`Cannot use the flag --${name}: ${advice}`);
  }
  const variable = flag.setting.name;
  if (isSecret(flag)) {
    throw new ArgumentError(
      `Cannot use --${name}: other users of the machine would see its ` +
        `value; set ${variable} in the environment`,
    );
  }
  if (!flag.isBoolean && !value) {
    throw new ArgumentError(`Cannot use --${name}: its value is missing`);
  }
  settings[variable] = value ?? `${flag.flag === name}`;
}

/** Returns environment variables, covered by the settings of a command line. */
export function withSettings(
  env: Readonly<Record<string, string | undefined>>,
  settings: CommandLine["settings"],
): Readonly<Record<string, string | undefined>> {
  // A copy would need the permission to list all variables.
  return new Proxy(env, {
    get: (target, name) =>
      typeof name === "string" ? settings[name] ?? target[name] : undefined,
  });
}

const WORDS = {
  usage: {
    en: "Usage: cep [command] [flags]",
    pt: "Uso: cep [comando] [opções]",
  },
  about: {
    en: "Your own CEP service for Brazil. Each flag is also an environment " +
      "variable;\na flag wins over its variable.",
    pt:
      "O CEP do Brasil no seu servidor. Cada opção é também uma variável de " +
      "ambiente;\na opção vale mais que a variável.",
  },
  commands: { en: "Commands", pt: "Comandos" },
  exitCodes: { en: "Exit codes", pt: "Códigos de saída" },
  default: { en: "default", pt: "padrão" },
  none: { en: "none", pt: "nenhum" },
  or: { en: "or", pt: "ou" },
};

/** Exit codes, of which `main.ts` chooses one. */
const EXIT_CODES: Readonly<Record<number, Translated>> = {
  0: { en: "success", pt: "sucesso" },
  1: { en: "failure", pt: "falha" },
  2: {
    en: "invalid setting or argument",
    pt: "configuração ou argumento inválido",
  },
  3: {
    en: "import refused: the same files would be refused again",
    pt: "importação recusada: os mesmos arquivos seriam recusados de novo",
  },
};

/** Text of `--help`, by task. */
export function helpText(language: keyof Translated): string {
  const say = (words: Translated) => withoutMarks(words[language]);
  const commands = Object.entries(COMMANDS)
    .map(([name, { help }]) => `  ${name.padEnd(9)}${say(help)}`);
  const tasks = Object.entries(TASKS).map(([task, title]) =>
    [
      say(title),
      ...FLAGS.filter(({ setting }) => setting.task === task).map((it) => {
        const { name, alias, help, values, default: value } = it.setting;
        const names = [
          ...(isSecret(it) ? [] : [`--${it.flag}`]),
          alias ? `${name} ${say(WORDS.or)} ${alias}` : name,
        ].join(", ");
        const allowed = it.isBoolean ? "" : `: ${say(values)}`;
        const initial = `${say(WORDS.default)}: ${value || say(WORDS.none)}`;
        return `  ${names}\n      ${say(help)}${allowed} (${initial})`;
      }),
    ].join("\n")
  );
  const exitCodes = Object.entries(EXIT_CODES)
    .map(([code, meaning]) => `  ${code}  ${say(meaning)}`);
  return [
    say(WORDS.usage),
    say(WORDS.about),
    [say(WORDS.commands), ...commands].join("\n"),
    ...tasks,
    [say(WORDS.exitCodes), ...exitCodes].join("\n"),
    "  -h, --help    -v, --version\n",
  ].join("\n\n");
}

/** Language of the system, English for all but Portuguese. */
export function systemLanguage(): keyof Translated {
  const { locale } = new Intl.DateTimeFormat().resolvedOptions();
  return locale.startsWith("pt") ? "pt" : "en";
}
