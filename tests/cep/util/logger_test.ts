import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { resetSync } from "@logtape/logtape";
import {
  configureLogs,
  defaultLogger,
  type LogOptions,
} from "../../../cep/util/logger.ts";

const LEVELS = ["debug", "info", "warn", "error"] as const;

LEVELS.forEach((level, least) => {
  Deno.test(`configureLogs writes level ${level} and above`, () => {
    const lines = write({ format: "json", level }, (logger) => {
      for (const level of LEVELS) logger[level](`at ${level}`);
    });
    assertEquals(
      lines.map((line) => JSON.parse(line).message),
      LEVELS.slice(least).map((level) => `at ${level}`),
    );
  });
});

Deno.test("configureLogs writes one line of JSON per event", () => {
  const [line = "", ...others] = write({ format: "json" }, (logger) => {
    logger.warn("Rejected line", { file: "LOG_CPC.TXT", line: 17, ok: false });
  });
  assertEquals(others, []);
  const { "@timestamp": time, ...rest } = JSON.parse(line);
  assertMatch(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assertEquals(rest, {
    level: "WARN",
    logger: "carteiro.cep",
    message: "Rejected line",
    file: "LOG_CPC.TXT",
    line: 17,
    ok: false,
  });
});

Deno.test("configureLogs writes one line of text per event", () => {
  const [line = "", ...others] = write({ format: "text" }, (logger) => {
    logger.error("Request failed", { request_id: "r-1", status: 500 });
  });
  assertEquals(others, []);
  assertMatch(
    line,
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ERROR Request failed request_id="r-1" status=500$/,
  );
});

Deno.test("configureLogs writes an event without properties as text", () => {
  const [line = ""] = write({ format: "text" }, (logger) => {
    logger.info("Listening");
  });
  assertMatch(line, /Z INFO Listening$/);
});

const AWKWARD: readonly (readonly [name: string, value: unknown])[] = [
  ["a line end", "one\ntwo\r\nthree"],
  ["quotes", 'say "x"'],
  ["accents", "São João"],
  ["a control character", "\u001b[31mred"],
  ["an object", { a: [1, 2] }],
  ["null", null],
];

for (const [name, value] of AWKWARD) {
  Deno.test(`configureLogs writes ${name} in one line of JSON`, () => {
    const [line = "", ...others] = write({ format: "json" }, (logger) => {
      logger.info("Event", { value });
    });
    assertEquals(others, []);
    assertEquals(line.includes("\n"), false);
    assertEquals(JSON.parse(line).value, value);
  });

  Deno.test(`configureLogs writes ${name} in one line of text`, () => {
    const [line = "", ...others] = write({ format: "text" }, (logger) => {
      logger.info("Event", { value });
    });
    assertEquals(others, []);
    assertEquals(/\p{Cc}/u.test(line), false);
    assertEquals(line.endsWith(` value=${JSON.stringify(value)}`), true);
  });
}

for (const format of ["json", "text"] as const) {
  Deno.test(`configureLogs fills the placeholders of a message as ${format}`, () => {
    const [line = ""] = write({ format }, (logger) => {
      logger.info("Cannot use {value}", { value: 17 });
    });
    assertStringIncludes(line, "Cannot use 17");
  });
}

Deno.test("configureLogs silences the messages of LogTape about itself", () => {
  assertEquals(write({ format: "json", level: "debug" }, () => {}), []);
});

Deno.test("configureLogs replaces the previous configuration", () => {
  const [first, second]: [string[], string[]] = [[], []];
  try {
    for (const lines of [first, second]) {
      configureLogs({
        format: "json",
        level: "info",
        write: (line) => lines.push(line),
      });
    }
    defaultLogger().info("Event");
  } finally {
    resetSync();
  }
  assertEquals(first.length, 0);
  assertEquals(second.length, 1);
});

/** Returns the lines that are written while a function logs. */
function write(
  options: Partial<LogOptions>,
  log: (logger: ReturnType<typeof defaultLogger>) => void,
): string[] {
  const lines: string[] = [];
  configureLogs({
    format: "json",
    level: "info",
    ...options,
    write: (line) => lines.push(line),
  });
  try {
    log(defaultLogger());
  } finally {
    resetSync();
  }
  return lines;
}
