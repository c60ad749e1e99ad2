import { createHandler } from "@carteiro/cep/handler";
import { openRemoteStore } from "@carteiro/cep/remote";
import { createClient } from "@libsql/client/web";

/** Handler of all requests of this isolate. */
let opened;

async function open({ DB_URL, DB_AUTH_TOKEN }) {
  const client = createClient({
    url: DB_URL,
    authToken: DB_AUTH_TOKEN,
    // Never reached: a request of a worker cannot wait for that of another.
    concurrency: 10_000,
  });
  const store = await openRemoteStore({
    client,
    // A worker runs no timers between requests.
    poll: "read",
    pollMs: 10_000,
    timeoutMs: 2000,
    // An isolate is too short-lived and too small to load all records.
    snapshot: false,
    search: false,
  });
  return createHandler({
    store,
    // The network in front of a worker compresses, limits and counts.
    config: { gzip: false, rateLimit: false, metrics: false, search: false },
  });
}

export default {
  async fetch(request, env, context) {
    const cached = await caches.default.match(request);
    if (cached) return cached;
    const handler = await (opened ??= open(env));
    const response = await handler(request);
    // Records may be cached for some minutes, all else is "no-store".
    if (request.method === "GET" && response.status === 200) {
      context.waitUntil(caches.default.put(request, response.clone()));
    }
    return response;
  },
};
