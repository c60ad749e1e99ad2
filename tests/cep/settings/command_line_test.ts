/** Commands, flags and help. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  ArgumentError,
  helpText,
  readCommandLine,
  withSettings,
} from "../../../cep/settings/command_line.ts";
import { parseConfig, SETTINGS } from "../../../cep/settings/config.ts";

const USABLE: readonly (readonly [
  args: string,
  settings: Readonly<Record<string, string>>,
])[] = [
  ["", {}],
  ["serve", { MODE: "listen" }],
  ["listen", { MODE: "listen" }],
  ["serve --port 8081", { MODE: "listen", API_PORT: "8081" }],
  ["serve --port=8081", { MODE: "listen", API_PORT: "8081" }],
  ["--port 1 serve --port 2", { MODE: "listen", API_PORT: "2" }],
  [
    "seed --cnefe 14_RR.zip,./sao-joao",
    { MODE: "seed", CNEFE_PATH: "14_RR.zip,./sao-joao" },
  ],
  ["seed --dne ./dne --db ./dados", {
    MODE: "seed",
    DB_RAW_PATH: "./dne",
    DB_PATH: "./dados",
  }],
  ["match --input - --delimiter ;", {
    MODE: "match",
    MATCH_INPUT: "-",
    MATCH_DELIMITER: ";",
  }],
  ["serve --no-rate-limit", {
    MODE: "listen",
    API_RATE_LIMIT_ENABLE: "false",
  }],
  ["--rate-limit", { API_RATE_LIMIT_ENABLE: "true" }],
  ["--rate-limit=false", { API_RATE_LIMIT_ENABLE: "false" }],
];

for (const [args, settings] of USABLE) {
  Deno.test(`readCommandLine reads "cep ${args}"`, () => {
    assertEquals(readCommandLine(args.split(" ").filter(Boolean)), {
      wantsHelp: false,
      wantsVersion: false,
      settings,
    });
  });
}

const UNUSABLE: readonly (readonly [args: string, message: string])[] = [
  ["servir", 'command "servir": must be one of serve, seed, update'],
  ["seed export", '"export": a command was given already'],
  ["constructor", 'command "constructor"'],
  ["serve --prot 80", "--prot: did you mean --port?"],
  ["serve --cnef x", "--cnef: did you mean --cnefe?"],
  ["serve --no-port", "--no-port"],
  ["serve --constructor", "--constructor: see cep --help"],
  ["serve -p 80", "-p"],
  ["serve --port", "--port: its value is missing"],
  ["serve --port=", "--port: its value is missing"],
  [
    "serve --database-token abc",
    "--database-token: other users of the machine would see its value; set " +
    "DB_AUTH_TOKEN in the environment",
  ],
];

for (const [args, message] of UNUSABLE) {
  Deno.test(`readCommandLine refuses "cep ${args}"`, () => {
    assertThrows(
      () => readCommandLine(args.split(" ")),
      ArgumentError,
      message,
    );
  });
}

Deno.test("readCommandLine tells help and version from settings", () => {
  for (const args of [["-h"], ["--help"], ["seed", "--help"]]) {
    assert(readCommandLine(args).wantsHelp);
  }
  for (const args of [["-v"], ["--version"]]) {
    assert(readCommandLine(args).wantsVersion);
  }
});

Deno.test("withSettings covers the environment, and lists only its variables", () => {
  const env = { API_PORT: "1", API_HOST: "::1" };
  const covered = withSettings(env, { API_PORT: "2", MODE: "seed" });
  const { port, host, mode } = parseConfig(covered);
  assertEquals([port, host, mode], [2, "::1", "seed"]);
  assertEquals(Object.keys(covered), Object.keys(env));
});

Deno.test("every setting has a flag of its own", () => {
  const flags = helpText("en").match(/--[\w-]+(?=,)/g)!;
  assertEquals(new Set(flags).size, flags.length);
});

for (const language of ["en", "pt"] as const) {
  Deno.test(`helpText lists every setting once, and the exit codes (${language})`, () => {
    const help = helpText(language);
    const listed = [...help.matchAll(/^ {2}(?:--[\w-]+, )?([A-Z_]+)/gm)]
      .map(([, name]) => name!);
    const names = Object.values(SETTINGS).map(({ name }) => name)
      .filter((name) => name !== "MODE"); // the command
    assertEquals(listed.toSorted(), names.toSorted());
    assert(!help.includes("`"));
    assertEquals(help.match(/^ {2}[0-9] {2}/gm)?.length, 4);
  });
}
