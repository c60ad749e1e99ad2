/** Example program of the library, in a separate process. */
import { assertEquals } from "@std/assert";
import { run } from "../../../scripts/process.ts";
import { ROOT } from "../../../scripts/root.ts";
import { EXAMPLE } from "../_clients.ts";
import type { Cases } from "../_session.ts";

/** Case of the example program. */
export const EXAMPLE_PROGRAM = {
  "`examples/e2e.ts`": async ({ server: { issuer } }) => {
    const { origin, pathname } = new URL(issuer);
    const script = `${ROOT}oauth2/examples/e2e.ts`;
    const output = await run([Deno.execPath(), "run", "-A", script], {
      env: {
        E2E_ISSUER_BASE: origin,
        E2E_REALM: pathname,
        E2E_WAIT_TIMEOUT: "0",
        E2E_CLIENT_ID: EXAMPLE.id,
        E2E_CLIENT_SECRET: EXAMPLE.secret,
      },
    });
    assertEquals(output.split("\n")[0], `The issuer is ${issuer}`);
  },
} satisfies Cases;
