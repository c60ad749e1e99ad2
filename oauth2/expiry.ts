const DECIMAL = /^\d+(\.\d+)?$/;
const ISO_DATE = /^\d{4}-\d\d-\d\d/;
const ZONE = /(Z|[+-]\d\d:?\d\d)$/;

/**
 * Reads a number of seconds, given as a number or as its decimal string.
 * Anything else is unknown: a server's mistake must not make a token eternal.
 */
export function parseSeconds(value: unknown): number | undefined {
  const seconds = typeof value === "string" && DECIMAL.test(value.trim())
    ? Number(value)
    : value;
  return typeof seconds === "number" && seconds >= 0 && seconds < Infinity
    ? seconds
    : undefined;
}

/**
 * Reads a point in time as seconds since 1970, given as a number, as its
 * decimal string or as an ISO 8601 date, which is UTC unless it says otherwise.
 */
export function parseInstant(value: unknown): number | undefined {
  const seconds = parseSeconds(value);
  if (seconds !== undefined || typeof value !== "string") return seconds;
  const text = value.trim().toUpperCase().replace(" ", "T");
  if (!ISO_DATE.test(text)) return undefined;
  // Without a zone, JavaScript takes a time for local, but a date for UTC.
  const isLocal = text.includes("T") && !ZONE.test(text);
  const milliseconds = Date.parse(isLocal ? `${text}Z` : text);
  return Number.isNaN(milliseconds)
    ? undefined
    : Math.floor(milliseconds / 1000);
}
