/** Path and query of the URLs that servers pass. */
import { assertEquals } from "@std/assert";
import { splitTarget } from "../../../cep/http/reply.ts";

const TARGETS: readonly [
  url: string,
  host: string | null,
  path: string,
  query: string,
][] = [
  ["http://x/cep/01310100", "x", "/cep/01310100", ""],
  ["http://x:80/cep?a=/b", "x:80", "/cep", "a=/b"],
  ["http://[::1]:80/cep", "[::1]:80", "/cep", ""],
  ["http://x//cep", null, "//cep", ""],
  // An absolute target without a path.
  ["http://x?/metrics", "x", "", ""],
  ["http://x#/metrics", "x", "", ""],
  ["http://x\\/metrics", "x", "", ""],
  ["http://x", "x", "", ""],
  // A host that contains a path.
  ["http://x/metrics?/cep", "x/metrics?", "", ""],
  ["http://x?/cep", "x?", "", ""],
];

for (const [url, host, path, query] of TARGETS) {
  Deno.test(`splitTarget finds "${path}" and "${query}" in ${url} of host ${host}`, () => {
    assertEquals(splitTarget(url, host), { path, query });
  });
}
