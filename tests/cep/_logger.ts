import type { Logger } from "../../cep/util/logger.ts";
import { within } from "./_within.ts";

/** Call of a {@linkcode CapturingLogger}. */
export interface LogEntry {
  readonly level: keyof Logger;
  readonly message: string;
  readonly properties: Record<string, unknown>;
}

/** Logger that keeps every entry. */
export class CapturingLogger implements Logger {
  readonly entries: LogEntry[] = [];
  #wake: () => void = () => {};

  debug(message: string, properties?: Record<string, unknown>): void {
    this.#keep("debug", message, properties);
  }
  info(message: string, properties?: Record<string, unknown>): void {
    this.#keep("info", message, properties);
  }
  warn(message: string, properties?: Record<string, unknown>): void {
    this.#keep("warn", message, properties);
  }
  error(message: string, properties?: Record<string, unknown>): void {
    this.#keep("error", message, properties);
  }

  #keep(
    level: keyof Logger,
    message: string,
    properties: Record<string, unknown> = {},
  ): void {
    this.entries.push({ level, message, properties });
    this.#wake();
  }

  /** Returns the properties of all entries of a level. */
  at(level: keyof Logger): Record<string, unknown>[] {
    return this.entries
      .filter((entry) => entry.level === level)
      .map(({ properties }) => properties);
  }

  /** Waits for the n-th entry with a message. */
  async logged(message: string, n = 1): Promise<LogEntry> {
    while (true) {
      const found = this.entries.filter((entry) => entry.message === message);
      if (found.length >= n) return found[n - 1]!;
      const next = new Promise<void>((resolve) => this.#wake = resolve);
      await within(`the log entry "${message}"`, next);
    }
  }
}
