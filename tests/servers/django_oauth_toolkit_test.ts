/** Django OAuth Toolkit, in a Django project of one file. */
import { join } from "node:path";
import { fillOnce } from "../../scripts/fill_once.ts";
import { run } from "../../scripts/process.ts";
import { ROOT } from "../../scripts/root.ts";
import {
  BASIC_CLIENTS,
  REDIRECT_URI,
  type Registration,
  USER,
} from "./_clients.ts";
import { downloadsPath } from "./_downloads.ts";
import { requireTool } from "./_require_tool.ts";
import { findPort, serve } from "./_serve.ts";
import { SERVERS } from "./_servers.ts";
import { testServer } from "./_test_server.ts";

const { version } = SERVERS["django-oauth-toolkit"];
const PACKAGES = [`django-oauth-toolkit==${version}`, "django==5.2.*"];
const PROJECT = join(ROOT, "tests", "servers", "_django_oauth_toolkit.py");

testServer("django-oauth-toolkit", async ({ stack }) => {
  const folder = downloadsPath(`django-oauth-toolkit-${version}`);
  const python = (environment: string) => join(environment, "bin", "python");
  await fillOnce(folder, async (draft) => {
    await requireTool("python3", "3.10", "Python with its module venv,");
    await run(["python3", "-m", "venv", draft]);
    await run([python(draft), "-m", "pip", "install", "--quiet", ...PACKAGES]);
  });
  const port = findPort();
  const issuer = `http://127.0.0.1:${port}/o`;
  const expired = crypto.randomUUID();
  await serve({
    command: [python(folder), "-B", PROJECT],
    env: {
      SETUP: JSON.stringify({
        port,
        clients: BASIC_CLIENTS.map(application),
        user: USER,
        redirect_uri: REDIRECT_URI,
        expired_token: expired,
      }),
    },
    url: `${issuer}/.well-known/openid-configuration`,
    stack,
  });
  return {
    issuer,
    // Not in its OpenID metadata.
    endpoints: {
      introspection_endpoint: `${issuer}/introspect/`,
      revocation_endpoint: `${issuer}/revoke_token/`,
    },
    isUntyped: true,
    answers: { allow: "Authorize" },
    denial: {},
    expired: () =>
      Promise.resolve({ token: expired, userinfo: `${issuer}/userinfo/` }),
  };
});

/** Fields of the model `Application`. */
function application({ id, secret, grant }: Registration): object {
  return {
    client_id: id,
    client_secret: secret ?? "",
    client_type: secret === undefined ? "public" : "confidential",
    authorization_grant_type: grant.replace("_", "-"),
  };
}
