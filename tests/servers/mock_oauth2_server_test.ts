/** mock-oauth2-server of navikt, which issues tokens with few checks. */
import { join } from "node:path";
import { fillOnce } from "../../scripts/fill_once.ts";
import { ROOT } from "../../scripts/root.ts";
import { Client } from "../../oauth2/mod.ts";
import { BRIEF, USER } from "./_clients.ts";
import { downloadsPath } from "./_downloads.ts";
import { copyArtifacts } from "./_maven.ts";
import { requireTool } from "./_require_tool.ts";
import { findPort, serve } from "./_serve.ts";
import { SERVERS } from "./_servers.ts";
import { testServer } from "./_test_server.ts";

const { version } = SERVERS["mock-oauth2-server"];
const POM = join(ROOT, "tests", "servers", "_mock_oauth2_server.pom.xml");
const MAIN = "no.nav.security.mock.oauth2.StandaloneMockOAuth2ServerKt";

testServer("mock-oauth2-server", async ({ stack }) => {
  await requireTool("java", "17", "a JDK");
  const folder = downloadsPath(`mock-oauth2-server-${version}`);
  await fillOnce(folder, (draft) =>
    copyArtifacts("copy-dependencies", [
      `--file=${POM}`,
      `-Dserver.version=${version}`,
      "-DincludeScope=runtime",
    ], draft));
  const port = findPort();
  const origin = `http://127.0.0.1:${port}`;
  await serve({
    command: ["java", "-cp", join(folder, "*"), MAIN],
    env: {
      SERVER_HOSTNAME: "127.0.0.1",
      SERVER_PORT: String(port),
      JSON_CONFIG: JSON.stringify({
        interactiveLogin: true,
        rotateRefreshToken: true,
        // An issuer of tokens that have already expired.
        tokenCallbacks: [{
          issuerId: "brief",
          tokenExpiry: -3600,
          requestMappings: [],
        }],
      }),
    },
    url: `${origin}/isalive`,
    stack,
  });
  const { username, password } = USER;
  return {
    issuer: `${origin}/default`,
    answers: { username },
    denial: { username },
    expired: async () => {
      const tokenUrl = `${origin}/brief/token`;
      const client = new Client(BRIEF.id, BRIEF.secret, { tokenUrl });
      const { token } = await client.password.getToken(username, password);
      return { token, userinfo: `${origin}/brief/userinfo` };
    },
  };
});
