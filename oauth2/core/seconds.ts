import { invalid } from "./type_error.ts";

const DECIMAL = /^-?\d+(\.\d+)?$/;
const ISO_DATE = /^\d{4}-\d\d-\d\d/;
const MAX_DATE_LENGTH = 40;

/** Seconds of 300 years: more is a mistake, e.g. a time in milliseconds. */
const MAX_SECONDS = 1e10;

/**
 * Checks the maximum difference between clocks: with more than an hour, expired
 * tokens would be accepted.
 */
export function checkTolerance(clockTolerance: unknown): void {
  checkSeconds("clockTolerance", clockTolerance, 3600);
}

/** Checks a number of seconds. */
export function checkSeconds(
  name: string,
  value: unknown,
  max = MAX_SECONDS,
): void {
  if (typeof value === "number" && value >= 0 && value <= max) return;
  throw invalid(
    `Cannot use ${name} ${value}: it must be a number of seconds, 0 to ${max}`,
  );
}

/**
 * Parses a number of seconds, a number or a decimal string. Returns undefined
 * for any other value.
 */
export function parseSeconds(value: unknown): number | undefined {
  const seconds = typeof value === "string" && DECIMAL.test(value.trim())
    ? Number(value)
    : value;
  return Number.isFinite(seconds) ? seconds as number : undefined;
}

/**
 * Parses seconds since 1970, a decimal string of them or an ISO 8601 date, in
 * UTC unless it has an offset. Returns undefined for any other value.
 */
export function parseInstant(value: unknown): number | undefined {
  const seconds = parseSeconds(value);
  if (seconds !== undefined || typeof value !== "string") return seconds;
  if (value.length > MAX_DATE_LENGTH) return undefined;
  const text = value.trim().toUpperCase().replace(" ", "T")
    // Without an offset, JavaScript reads a date as UTC but a time as local.
    .replace(/(T[\d:.]+)$/, "$1Z")
    .replace(/(T.+[+-]\d\d)$/, "$1:00");
  const milliseconds = ISO_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(milliseconds)
    ? undefined
    : Math.floor(milliseconds / 1000);
}
