import { assertEquals, assertMatch } from "@std/assert";
import { resetSync } from "@logtape/logtape";
import {
  configureLogs,
  defaultLogger,
  type LogOptions,
} from "../../cep/logger.ts";

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

Deno.test("configureLogs writes JSON, a line an event", () => {
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

Deno.test("configureLogs writes text, a line an event", () => {
  const [line = "", ...others] = write({ format: "text" }, (logger) => {
    logger.error("Request failed", { request_id: "r-1", status: 500 });
  });
  assertEquals(others, []);
  assertMatch(
    line,
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ERROR Request failed request_id="r-1" status=500$/,
  );
});

Deno.test("configureLogs writes text of an event without properties", () => {
  const [line = ""] = write({ format: "text" }, (logger) => {
    logger.info("Listening");
  });
  assertMatch(line, /Z INFO Listening$/);
});

const AWKWARD: readonly (readonly [what: string, value: unknown])[] = [
  ["a line end", "one\ntwo\r\nthree"],
  ["quotes", 'say "x"'],
  ["accents", "São João"],
  ["a control character", "\u001b[31mred"],
  ["an object", { a: [1, 2] }],
  ["null", null],
];

for (const [what, value] of AWKWARD) {
  Deno.test(`configureLogs keeps a JSON line one line with ${what}`, () => {
    const [line = "", ...others] = write({ format: "json" }, (logger) => {
      logger.info("Event", { value });
    });
    assertEquals(others, []);
    assertEquals(line.includes("\n"), false);
    assertEquals(JSON.parse(line).value, value);
  });

  Deno.test(`configureLogs keeps a text line one line with ${what}`, () => {
    const [line = "", ...others] = write({ format: "text" }, (logger) => {
      logger.info("Event", { value });
    });
    assertEquals(others, []);
    assertEquals(/\p{Cc}/u.test(line), false);
    assertEquals(line.endsWith(` value=${JSON.stringify(value)}`), true);
  });
}

Deno.test("configureLogs takes braces in a message for what they are", () => {
  for (const format of ["json", "text"] as const) {
    const [line = ""] = write({ format }, (logger) => {
      logger.info("Cannot use {value}", { value: 1 });
    });
    assertMatch(line, /Cannot use (\{value\}|1)/);
  }
});

Deno.test("configureLogs does not let LogTape speak of itself", () => {
  assertEquals(write({ format: "json", level: "debug" }, () => {}), []);
});

Deno.test("configureLogs takes the place of what was configured before", () => {
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

Deno.test("defaultLogger is silent below errors once LogTape is reset", () => {
  const lines = write({ format: "json" }, () => {});
  defaultLogger().warn("Event");
  assertEquals(lines, []);
});

/** The lines that are written of what is logged. */
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
