/** Lists of scopes, joined by spaces (RFC 6749 section 3.3). */
import { assertEquals } from "@std/assert";
import { tokenOf } from "../_calls.ts";
import { clientTest } from "../_client.ts";
import { json, onToken, onTokenForm } from "../_exchanges.ts";

for (
  const [scope, sent] of [
    [["read", "write"], "read write"],
    [["read"], "read"],
    ["read write", "read write"],
  ] as const
) {
  const expected = { scope: sent };
  clientTest(
    `calls send the scope ${JSON.stringify(scope)} as "${sent}"`,
    [
      onTokenForm({ ...expected }),
      onTokenForm({ ...expected, grant_type: "client_credentials" }),
      onTokenForm({
        ...expected,
        grant_type: "refresh_token",
        refresh_token: "abaca",
      }),
      onToken(json({ access_token: "m" })),
    ],
    async ({ client, fetch }) => {
      await client.getToken({ scope });
      await client.clientCredentials.getToken({ scope });
      await tokenOf(client).refresh({ scope });
      await client.password.getToken("ana", "hunter2", { scope });
      const last = new URLSearchParams(fetch.requests[3]!.body);
      assertEquals(last.get("scope"), sent);
      for (const owner of [client, client.authCode, client.implicit]) {
        const { searchParams } = new URL(owner.authorizeUrl({ scope }));
        const all = searchParams.getAll("scope");
        assertEquals(all, [sent]);
      }
    },
  );
}
