/** Grants and requests of the subpaths. */
import { assert, assertEquals } from "@std/assert";
import { DeviceLogin } from "../../../oauth2/grants/device.ts";
import { exchangeToken, TOKEN_TYPE } from "../../../oauth2/grants/exchange.ts";
import { introspect } from "../../../oauth2/server/introspection.ts";
import { Browser } from "../../oauth2/e2e/_browser.ts";
import { CONFIDENTIAL, REDIRECT_URI } from "../_clients.ts";
import type { Cases } from "../_session.ts";

/** Cases of the subpaths. */
export const SUBPATHS = {
  "device authorization": async (session) => {
    const client = session.client(CONFIDENTIAL);
    let waits = 0;
    const login = await DeviceLogin.start(client, { scope: "openid" }, {
      wait: async () => {
        assert(++waits === 1, "The server has not told the answer");
        // The page at the end has no form.
        await new Browser(session.server.answers)
          .authorize(login.verificationUriComplete!, REDIRECT_URI)
          .catch(() => {});
      },
    }) as DeviceLogin;
    session.witness.hide(login.userCode);
    session.assertToken(await login.getToken());
    session.witness.see(login);
  },

  "token exchange": async (session) => {
    const { token } = await session.getToken();
    const issued = await exchangeToken(session.client(CONFIDENTIAL), {
      subject_token: token,
      requested_token_type: TOKEN_TYPE.accessToken,
    });
    session.assertToken(issued.accessToken!);
    assert(issued.value !== token);
  },

  "introspection with typed claims": async (session) => {
    const { token } = await session.getToken();
    const claims = await introspect(session.client(CONFIDENTIAL), token, {}, {
      endpoint: session.endpoint("introspection_endpoint"),
    });
    assertEquals(claims.active, true);
  },
} satisfies Cases;
