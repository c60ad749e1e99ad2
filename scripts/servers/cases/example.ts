/** The example of the library, as a process of its own. */
import { assertEquals } from "@std/assert";
import { run } from "../../command.ts";
import { ROOT } from "../../root.ts";
import type { Cases } from "../case.ts";
import { EXAMPLE } from "../registered.ts";

/** The case of the example. */
export const EXAMPLES: Cases = {
  "`examples/e2e.ts`": async ({ server: { issuer } }) => {
    const { origin, pathname } = new URL(issuer);
    const output = await run(
      Deno.execPath(),
      ["run", "-A", `${ROOT}oauth2/examples/e2e.ts`],
      {
        env: {
          E2E_ISSUER_BASE: origin,
          E2E_REALM: pathname,
          E2E_WAIT_TIMEOUT: "0",
          E2E_CLIENT_ID: EXAMPLE.id,
          E2E_CLIENT_SECRET: EXAMPLE.secret,
        },
      },
    );
    assertEquals(output.split("\n")[0], `The issuer is ${issuer}`);
  },
};
