/** Django OAuth Toolkit, in a project of Django of one file. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../command.ts";
import { fillOnce } from "../fill_once.ts";
import { TemporaryFolder } from "../temporary_folder.ts";
import { lacking } from "./lacking.ts";
import { Missing, requireProgram } from "./missing.ts";
import { findPort, Program } from "./program.ts";
import {
  PERSON,
  REDIRECT_URI,
  type Registered,
  USUAL_CLIENTS,
} from "./registered.ts";
import type { Kind, Server, StartOptions } from "./server.ts";

const VERSION = "3.4.1";
const REQUIREMENTS = [`django-oauth-toolkit==${VERSION}`, "django==5.2.*"];
const PROJECT = fileURLToPath(
  new URL("./django_oauth_toolkit.py", import.meta.url),
);

/** Django OAuth Toolkit. */
export const DJANGO_OAUTH_TOOLKIT: Kind = {
  title: "Django OAuth Toolkit",
  lacks: {
    ...lacking(
      "authenticates clients by secrets in the request alone",
      "`private_key_jwt`",
      "`private_key_jwt`, another key: refused",
      "`client_secret_jwt`",
      "`client_secret_jwt`, wrong secret: refused",
      "`tls_client_auth`",
      "`tls_client_auth`, another certificate: refused",
    ),
    ...lacking("does not know the grant", "JWT bearer assertion"),
  },
  start,
};

async function start(
  { cache, stack, signal }: StartOptions,
): Promise<Server> {
  const folder = join(cache, `django-oauth-toolkit-${VERSION}`);
  await install(folder, signal);
  const { path } = stack.use(await TemporaryFolder.make("django"));
  const port = await findPort();
  const expired = crypto.randomUUID();
  const setup = join(path, "setup.json");
  await writeFile(
    setup,
    JSON.stringify({
      port,
      database: join(path, "database.sqlite"),
      clients: USUAL_CLIENTS.map(application),
      person: PERSON,
      redirect_uri: REDIRECT_URI,
      expired_token: expired,
    }),
  );
  const program = stack.use(
    new Program({
      command: [pythonOf(folder), "-B", PROJECT, setup],
      cwd: path,
    }),
  );
  const issuer = `http://127.0.0.1:${port}/o`;
  await program.waitUntilReady(
    `${issuer}/.well-known/openid-configuration`,
    signal,
  );
  const answers = { ...PERSON, allow: "Authorize" };
  return {
    version: VERSION,
    issuer,
    // Its OpenID document names neither.
    endpoints: {
      introspection_endpoint: `${issuer}/introspect/`,
      revocation_endpoint: `${issuer}/revoke_token/`,
    },
    answers,
    denial: PERSON,
    expired: () =>
      Promise.resolve({ token: expired, userinfo: `${issuer}/userinfo/` }),
  };
}

/** A client with the names of its model. */
function application({ id, secret, grant }: Registered): object {
  return {
    client_id: id,
    client_secret: secret ?? "",
    client_type: secret === undefined ? "public" : "confidential",
    authorization_grant_type: grant.replace("_", "-"),
  };
}

/** Makes a virtual environment with the packages, once. */
async function install(folder: string, signal: AbortSignal): Promise<void> {
  await fillOnce(folder, async (draft) => {
    await requireProgram(
      { program: "python3", version: "3.10", install: "Python" },
      signal,
    );
    await run("python3", ["-m", "venv", draft], { signal }).catch((cause) => {
      signal.throwIfAborted();
      throw new Missing(
        "Python makes no virtual environment: install its module venv",
        { cause },
      );
    });
    const pip = ["-m", "pip", "install", "--quiet", ...REQUIREMENTS];
    await run(pythonOf(draft), pip, { signal }).catch((cause) => {
      signal.throwIfAborted();
      throw new Missing(
        `pip cannot get ${REQUIREMENTS.join(", ")}; let it reach an index ` +
          `that has it, such as PyPI\n${cause.message}`,
        { cause },
      );
    });
  });
}

function pythonOf(folder: string): string {
  return join(folder, "bin", "python");
}
