/**
 * Logger that prints a line of JSON for each event.
 *
 * @module
 */

function logAs(level) {
  return (message, properties) =>
    console.log(
      JSON.stringify({ time: new Date(), level, message, ...properties }),
    );
}

/** Logger of the service. */
export const logger = {
  debug: logAs("debug"),
  info: logAs("info"),
  warn: logAs("warn"),
  error: logAs("error"),
};
