/** Example of a terminal program, with a certified authorization server. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { login } from "../../../oauth2/examples/device_login.ts";
import { login as loginWithOpenidClient } from "./_device_login_with_openid_client.ts";
import { AuthorizationServer } from "./_authorization_server.ts";
import { CLI, visit, withDevices } from "./_device_server.ts";

Deno.test("device_login.ts logs in on another device", async () => {
  const server = await AuthorizationServer.start({ configure: withDevices });
  try {
    const lines: string[] = [];
    let waits = 0;
    const { token } = await login(
      { ISSUER: server.issuer, CLIENT_ID: CLI },
      (line) => void lines.push(line),
      {
        wait: async () => {
          assert(++waits === 1, "the server has not told the answer");
          const [, url, code] = /^Visit (\S+) and enter (\S+)$/.exec(
            lines[0]!,
          )!;
          await visit(url!, code!, "allow");
        },
      },
    );
    assertMatch(token, /^[\w-]{43}$/);
    assertEquals(lines.length, 1);
  } finally {
    await server.close();
  }
});

for (
  const [name, run] of [
    ["device_login.ts", login],
    ["device_login.ts with openid-client", loginWithOpenidClient],
  ] as const
) {
  Deno.test(`${name} shows the code and waits for the user`, async () => {
    await using server = await AuthorizationServer.start({
      configure: withDevices,
      deviceInterval: 0.01,
    });
    let visited: Promise<void> | undefined;
    const token: object = await run(
      { ISSUER: server.issuer, CLIENT_ID: CLI },
      (line) => {
        const [, url, code] = /^Visit (\S+) and enter (\S+)$/.exec(line)!;
        visited = visit(url!, code!, "allow");
      },
    );
    await visited;
    assert("expires_in" in token || "expiresAt" in token);
  });
}
