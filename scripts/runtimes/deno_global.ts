/** What `Deno.test` becomes in translated tests. */
export { test as DenoTest } from "./harness.ts";
