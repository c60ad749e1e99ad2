/**
 * What a token call of the library costs beside a bare `fetch` of the same
 * exchange, with the same fake server in the same process.
 *
 * @module
 */
import { Client } from "@carteiro/oauth2";
import { type Figure, inPairs, type Section, timed } from "./figures.ts";

const CALLS = 20_000;

/** The least number of pairs: they take a fraction of a second each. */
const PAIRS = 10;

const ANSWER = JSON.stringify({
  access_token: "2YotnFZFEjr1zCsicMWpAA",
  token_type: "Bearer",
  expires_in: 3600,
  refresh_token: "tGzv3JOkF0XG5Qx2TlKWIA",
  scope: "read write",
});

/** Answers as a token endpoint does, without a network. */
function answer(_url: string, _init: RequestInit): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return Promise.resolve(new Response(ANSWER, { headers }));
}

/** Gets tokens by the library and without it, in turns. */
export async function benchToken(
  { pairs: wanted }: { pairs: number },
): Promise<Section> {
  console.error("Getting tokens ...");
  const client = new Client("abc", "secret", {
    site: "https://provider.example",
    fetch: answer,
  });
  const byClient = () => client.clientCredentials.getToken({ scope: "read" });
  const ours = () => microseconds(byClient);
  const bare = () => microseconds(bareToken);
  // The first calls are compiled while they run.
  await inPairs(2, ours, bare);
  const pairs = await inPairs(Math.max(PAIRS, wanted), ours, bare);
  const added = pairs.ours.map((value, i) => value - (pairs.yardstick[i] ?? 0));
  const figure = (name: string, values: number[]): Figure => (
    { name, unit: "µs", values }
  );
  return {
    title: "A token by client credentials",
    figures: [
      figure("clientCredentials.getToken", pairs.ours),
      figure("bare fetch", pairs.yardstick),
      {
        ...figure("added by the library", added),
        limit: { side: "at most", value: 25 },
      },
    ],
  };
}

/** What one would write by hand. */
async function bareToken(): Promise<unknown> {
  const response = await answer("https://provider.example/oauth/token", {
    method: "POST",
    headers: {
      accept: "application/json",
      authorization: `Basic ${btoa("abc:secret")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      scope: "read",
    }),
  });
  return await response.json();
}

/** Microseconds that one of many calls takes. */
async function microseconds(call: () => Promise<unknown>): Promise<number> {
  const seconds = await timed(async () => {
    for (let i = 0; i < CALLS; i++) await call();
  });
  return seconds * 1e6 / CALLS;
}
