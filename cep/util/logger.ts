import {
  configureSync,
  getJsonLinesFormatter,
  getLogger,
  getTextFormatter,
  type LogRecord,
} from "@logtape/logtape";

/** Logger of the service. A LogTape logger fits. */
export interface Logger {
  /** Logs details for debugging. */
  debug(message: string, properties?: Record<string, unknown>): void;
  /** Logs a normal event. */
  info(message: string, properties?: Record<string, unknown>): void;
  /** Logs a condition that an operator should check. */
  warn(message: string, properties?: Record<string, unknown>): void;
  /** Logs a failure. */
  error(message: string, properties?: Record<string, unknown>): void;
}

/** Options of {@linkcode configureLogs}. */
export interface LogOptions {
  /** Format of a line. */
  readonly format: "json" | "text";
  /** Lowest level that is written. */
  readonly level: "debug" | "info" | "warn" | "error";
  /** Writes a line. */
  readonly write: (line: string) => void;
}

const CATEGORY = ["carteiro", "cep"];

/**
 * Returns the default logger: LogTape's for the category `carteiro`, `cep`.
 * Until the program configures LogTape, errors go to the console, and all else
 * is dropped.
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

/** Returns a logger that adds properties to every entry. */
export function withProperties(
  logger: Logger,
  added: Readonly<Record<string, unknown>>,
): Logger {
  return {
    debug: (text, properties) =>
      logger.debug(text, { ...added, ...properties }),
    info: (text, properties) => logger.info(text, { ...added, ...properties }),
    warn: (text, properties) => logger.warn(text, { ...added, ...properties }),
    error: (text, properties) =>
      logger.error(text, { ...added, ...properties }),
  };
}

/** Configures LogTape for the command line. */
export function configureLogs({ format, level, write }: LogOptions): void {
  const formatter = format === "json"
    ? getJsonLinesFormatter({ properties: "flatten" })
    : getTextFormatter({
      timestamp: "rfc3339",
      level: "FULL",
      format: ({ timestamp, level, message, record }) =>
        `${timestamp} ${level} ${message}${toText(record.properties)}`,
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
      // At its default level, LogTape logs a message about itself.
      { category: ["logtape", "meta"], lowestLevel: "error", sinks: ["lines"] },
    ],
  });
}

function toText(properties: Record<string, unknown>): string {
  return Object.entries(properties)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .join("");
}
