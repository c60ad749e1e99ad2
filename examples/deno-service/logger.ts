/** Logs as JSON, a line an event. */

type Properties = Readonly<Record<string, unknown>>;

function logAs(level: string) {
  return (message: string, properties?: Properties): void =>
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
