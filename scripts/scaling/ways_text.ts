/** Names of the ways to serve lookups, as the documentation has them. */
import type { WayName } from "./measurements.ts";

/** Names by way, in the order of the tables. */
export const WAY_TEXTS: Readonly<Record<WayName, string>> = {
  "deno": "service on Deno",
  "deno-queries": "service on Deno, `API_SNAPSHOT=false`",
  "node": "service on Node",
  "replica": "embedded replica",
  "remote": "remote database",
  "remote-queries": "remote database, `API_SNAPSHOT=false`",
  "site": "static site, nginx",
  "balancer": "nginx before one instance",
  "bare": "bare `Deno.serve`",
};
