const DECIMAL = /^-?\d+(\.\d+)?$/;
const ISO_DATE = /^\d{4}-\d\d-\d\d/;
/** A longer text is not a date. */
const LONGEST_DATE = 40;

/**
 * Reads a number of seconds, given as a number or as its decimal string.
 * Undefined for anything else: the expiry is unknown then, and the caller warns.
 */
export function parseSeconds(value: unknown): number | undefined {
  const seconds = typeof value === "string" && DECIMAL.test(value.trim())
    ? Number(value)
    : value;
  return Number.isFinite(seconds) ? seconds as number : undefined;
}

/**
 * Reads a point in time as seconds since 1970, given as a number, as its
 * decimal string or as an ISO 8601 date, which is UTC without a zone.
 */
export function parseInstant(value: unknown): number | undefined {
  const seconds = parseSeconds(value);
  if (seconds !== undefined || typeof value !== "string") return seconds;
  if (value.length > LONGEST_DATE) return undefined;
  const text = value.trim().toUpperCase().replace(" ", "T")
    // Without a zone, JavaScript takes a time for local, but a date for UTC.
    .replace(/(T[\d:.]+)$/, "$1Z")
    .replace(/(T.+[+-]\d\d)$/, "$1:00");
  const milliseconds = ISO_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(milliseconds)
    ? undefined
    : Math.floor(milliseconds / 1000);
}
