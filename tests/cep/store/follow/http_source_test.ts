import { assertEquals, assertRejects } from "@std/assert";
import { inspect } from "node:util";
import {
  type Fetch,
  HttpSource,
} from "../../../../cep/store/follow/http_source.ts";
import { parseManifestAddress } from "../../../../cep/store/follow/release_url.ts";
import { SourceError } from "../../../../cep/store/follow/source.ts";

const ADDRESS = parseManifestAddress("https://a.example/r?sig=SECRET")!;

const FAILURES: Readonly<Record<string, Fetch>> = {
  "a request that fails": (url) =>
    Promise.reject(
      new TypeError(`Cannot connect to ${url}`, {
        cause: Object.assign(new Error(`refused: ${url.search}`), { url }),
      }),
    ),
  "a body that fails": (url) =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          pull: (it) => it.error(new TypeError(`Cut off: ${url}`)),
        }),
      ),
    ),
};

for (const [name, fetch] of Object.entries(FAILURES)) {
  Deno.test(`HttpSource shows no query string in the error of ${name}`, async () => {
    const source = new HttpSource(ADDRESS, fetch);
    const { signal } = new AbortController();
    const error = await assertRejects(
      () => source.readManifest(undefined, signal),
      SourceError,
      "https://a.example/r/manifest.json",
    );
    const shown = inspect(error, { depth: Infinity, showHidden: true });
    assertEquals(shown.includes("SECRET"), false, shown);
  });
}
