/** Lists of scopes, joined by blanks (RFC 6749 section 3.3). */
import { assertEquals } from "@std/assert";
import { tokenOf } from "../calls.ts";
import { asked, clientTest, json, sentForm } from "../testing.ts";

for (
  const [scope, sent] of [
    [["read", "write"], "read write"],
    [["read"], "read"],
    ["read write", "read write"],
  ] as const
) {
  const expected = { scope: sent };
  clientTest(
    `scope ${JSON.stringify(scope)} is sent as ${sent}`,
    [
      sentForm({ ...expected }),
      sentForm({ ...expected, grant_type: "client_credentials" }),
      sentForm({
        ...expected,
        grant_type: "refresh_token",
        refresh_token: "abaca",
      }),
      asked(json({ access_token: "m" })),
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
