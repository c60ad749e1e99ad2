import { boundedFetch } from "./remote_fetch.ts";
import type { OpenRemoteStoreOptions } from "./remote_options.ts";
import type { RemoteClient } from "./remote_server.ts";
import { parseRemoteUrl, REMOTE_URL_RULE } from "./remote_url.ts";

/** Server of a URL. */
export interface RemoteAddress {
  /** Its URL for messages. */
  readonly name: string;
  /** Creates a client whose requests are given up after some milliseconds. */
  readonly connect: (timeoutMs: number) => RemoteClient;
}

/**
 * Prepares clients for a URL.
 *
 * @throws {TypeError} If the URL is not allowed.
 */
export async function connectTo(
  text: string,
  authToken: string | undefined,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<RemoteAddress> {
  const url = parseRemoteUrl(text);
  if (url === undefined) {
    throw new TypeError(
      "Cannot open the database: the URL of the server must be " +
        REMOTE_URL_RULE.en.replaceAll("`", ""),
    );
  }
  // Imported here: an edge runtime brings its own client.
  const { createClient } = await import("@libsql/client/http");
  return {
    name: url.origin,
    connect: (timeoutMs) =>
      createClient({
        url: url.href,
        ...(authToken ? { authToken } : {}),
        fetch: boundedFetch({ fetch, timeoutMs }),
        concurrency: 100,
      }),
  };
}

/**
 * Prepares clients for a URL, or for the given client.
 *
 * @throws {TypeError} If the URL is not allowed.
 */
export async function locate(
  { authToken, client, url, fetch }: OpenRemoteStoreOptions,
): Promise<RemoteAddress> {
  return client === undefined
    ? await connectTo(url ?? "", authToken, fetch)
    : { connect: () => client, name: "of the given client" };
}
