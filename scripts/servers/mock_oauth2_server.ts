/** The server of navikt for tests: it checks little, and issues what is asked for. */
import { join } from "node:path";
import { lacking } from "./lacking.ts";
import { downloadJars } from "./maven.ts";
import { requireProgram } from "./missing.ts";
import { findPort, Program } from "./program.ts";
import { getPasswordToken } from "./password_token.ts";
import { PERSON } from "./registered.ts";
import type { Kind, Server, StartOptions } from "./server.ts";

const VERSION = "3.0.3";
const MAIN = "no.nav.security.mock.oauth2.StandaloneMockOAuth2ServerKt";

/** mock-oauth2-server. */
export const MOCK_OAUTH2_SERVER: Kind = {
  title: "mock-oauth2-server",
  lacks: {
    ...lacking(
      "takes every client, whatever it authenticates by",
      "`client_secret_basic`, wrong secret: refused",
      "`client_secret_post`, wrong secret: refused",
      "`private_key_jwt`, another key: refused",
      "`client_secret_jwt`, wrong secret: refused",
      "unknown client: refused",
      "revocation, wrong secret: refused",
      "introspection, wrong secret: refused",
    ),
    ...lacking(
      "asks for no client certificate",
      "`tls_client_auth`",
      "`tls_client_auth`, another certificate: refused",
    ),
    ...lacking(
      "asks for no consent",
      "authorization code, consent denied: `access_denied`",
      "implicit, consent denied: `access_denied`",
    ),
    ...lacking(
      "takes every scope",
      "authorization code, unknown scope: refused",
      "client credentials, unknown scope: refused",
      "refresh, unknown scope: refused",
    ),
    ...lacking(
      "takes every code, of which it compares the challenge alone",
      "authorization code, wrong code: refused",
      "authorization code, code used before: refused",
      "authorization code, no verifier: refused",
      "authorization code, wrong `redirect_uri`: refused",
      "authorization code of another client: refused",
    ),
    ...lacking("answers no `response_type=token`", "implicit"),
    ...lacking(
      "takes every password",
      "password, wrong password: refused",
    ),
    ...lacking(
      "answers GET alone at userinfo",
      "userinfo, token in the body",
    ),
    ...lacking(
      "takes every refresh token",
      "refresh, token used before: refused",
      "refresh, unknown token: refused",
      "refresh, token of another client: refused",
      "revocation: the refresh token is refused",
      "revocation, public client",
    ),
    ...lacking(
      "revokes no access token",
      "userinfo, revoked token: refused",
      "introspection, revoked token: not active",
    ),
  },
  start,
};

async function start(
  { cache, stack, signal }: StartOptions,
): Promise<Server> {
  await requireProgram(
    { program: "java", version: "17", install: "a JDK" },
    signal,
  );
  const folder = join(cache, `mock-oauth2-server-${VERSION}`);
  await downloadJars(
    {
      group: "no.nav.security",
      name: "mock-oauth2-server",
      version: VERSION,
    },
    { folder, signal },
  );
  const port = await findPort();
  const program = stack.use(
    new Program({
      command: ["java", "-cp", join(folder, "*"), MAIN],
      cwd: folder,
      env: {
        SERVER_HOSTNAME: "127.0.0.1",
        SERVER_PORT: String(port),
        JSON_CONFIG: JSON.stringify({
          interactiveLogin: true,
          rotateRefreshToken: true,
          // An issuer whose tokens have expired when they are issued.
          tokenCallbacks: [{
            issuerId: "brief",
            tokenExpiry: -3600,
            requestMappings: [],
          }],
        }),
      },
    }),
  );
  const origin = `http://127.0.0.1:${port}`;
  await program.waitUntilReady(`${origin}/isalive`, signal);
  return {
    version: VERSION,
    issuer: `${origin}/default`,
    answers: { username: PERSON.username },
    expired: async () => ({
      token: await getPasswordToken(`${origin}/brief/token`),
      userinfo: `${origin}/brief/userinfo`,
    }),
  };
}
