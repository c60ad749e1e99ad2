/**
 * Time of a token call beside other libraries and a bare `fetch`, with one fake
 * server in the same process that answers at once.
 *
 * @module
 */
import {
  type Figure,
  inTurns,
  ratiosOf,
  type Section,
  timed,
} from "./figures.ts";
import {
  type Caller,
  CALLERS,
  makeTokenCalls,
  type TokenCall,
} from "./token_calls.ts";

const CALLS = 10_000;

/** The least number of turns: each takes a fraction of a second. */
const TURNS = 10;

/** Turns that do not count: code is compiled while it runs. */
const WARM_UP = 2;

const ANSWER = JSON.stringify({
  access_token: "2YotnFZFEjr1zCsicMWpAA",
  token_type: "Bearer",
  expires_in: 3600,
  refresh_token: "tGzv3JOkF0XG5Qx2TlKWIA",
  scope: "read write",
});

/** Answers as a token endpoint does, without a network. */
function answer(): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return Promise.resolve(new Response(ANSWER, { headers }));
}

/** Gets tokens by each library and without one, in turns. */
export async function benchToken(
  { pairs: wanted }: { pairs: number },
): Promise<Section> {
  console.error("Getting tokens ...");
  const calls = makeTokenCalls(answer);
  const measures = Object.fromEntries(
    CALLERS.map((name) => [name, () => microseconds(calls[name])]),
  ) as Record<Caller, () => Promise<number>>;
  await inTurns(WARM_UP, measures);
  const times = await inTurns(Math.max(TURNS, wanted), measures);
  const { carteiro, ...others } = times;
  const ratios = Object.entries(others).map(([name, values]): Figure => ({
    name: `× ${name}`,
    unit: "ratio",
    values: ratiosOf(carteiro, values),
    ...(name === "oauth4webapi" && { limit: { side: "at most", value: 1.1 } }),
  }));
  return {
    title: "A token by client credentials",
    figures: [
      {
        name: "carteiro",
        unit: "µs",
        values: carteiro,
        limit: { side: "at most", value: 20 },
      },
      ...Object.entries(others).map(([name, values]): Figure => (
        { name, unit: "µs", values }
      )),
      ...ratios,
    ],
    notes: ["× is the time of carteiro divided by that of the other"],
  };
}

/** Microseconds that one of many calls takes. */
async function microseconds(call: TokenCall): Promise<number> {
  const seconds = await timed(async () => {
    for (let i = 0; i < CALLS; i++) await call();
  });
  return seconds * 1e6 / CALLS;
}
