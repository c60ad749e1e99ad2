/** Logs as JSON, a line an event. */

function logAs(level) {
  return (message, properties) =>
    console.log(
      JSON.stringify({ time: new Date(), level, message, ...properties }),
    );
}

/** The log of the whole service. */
export const logger = {
  debug: logAs("debug"),
  info: logAs("info"),
  warn: logAs("warn"),
  error: logAs("error"),
};
