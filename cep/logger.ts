/**
 * Structured logs: one line an event, as JSON or as text.
 *
 * @module
 */
import {
  configureSync,
  getJsonLinesFormatter,
  getLogger,
  getTextFormatter,
  type LogRecord,
} from "@logtape/logtape";

/** Logger of this service. One of LogTape fits as it is. */
export interface Logger {
  /** For whoever looks into a problem. */
  debug(message: string, properties?: Record<string, unknown>): void;
  /** For the record. */
  info(message: string, properties?: Record<string, unknown>): void;
  /** Something that an operator should look at. */
  warn(message: string, properties?: Record<string, unknown>): void;
  /** Something that failed. */
  error(message: string, properties?: Record<string, unknown>): void;
}

/** Options of {@linkcode configureLogs}. */
export interface LogOptions {
  /** Format of a line. */
  readonly format: "json" | "text";
  /** The least level that is written. */
  readonly level: "debug" | "info" | "warn" | "error";
  /** Destination of a line. */
  readonly write: (line: string) => void;
}

const CATEGORY = ["carteiro", "cep"];

/**
 * The logger that is used where none is given: LogTape's for the category
 * `carteiro`, `cep`, silent until the program configures LogTape; but errors
 * then go to the console.
 */
export function defaultLogger(): Logger {
  const logger = getLogger(CATEGORY);
  return {
    debug: (message, properties) => logger.debug(message, properties),
    info: (message, properties) => logger.info(message, properties),
    warn: (message, properties) => logger.warn(message, properties),
    error(message, properties) {
      if (logger.isEnabledFor("error")) logger.error(message, properties);
      else console.error(message, properties ?? {});
    },
  };
}

/** Configures LogTape for a whole program that is this service. */
export function configureLogs({ format, level, write }: LogOptions): void {
  const formatter = format === "json"
    ? getJsonLinesFormatter({ properties: "flatten" })
    : getTextFormatter({
      timestamp: "rfc3339",
      level: "FULL",
      format: ({ timestamp, level, message, record }) =>
        `${timestamp} ${level} ${message}${inText(record.properties)}`,
    });
  configureSync({
    reset: true,
    sinks: {
      lines: (record: LogRecord) => write(formatter(record).trimEnd()),
    },
    loggers: [
      {
        category: CATEGORY,
        lowestLevel: level === "warn" ? "warning" : level,
        sinks: ["lines"],
      },
      // LogTape speaks of itself on start unless told not to.
      { category: ["logtape", "meta"], lowestLevel: "error", sinks: ["lines"] },
    ],
  });
}

function inText(properties: Record<string, unknown>): string {
  return Object.entries(properties)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .join("");
}
