/**
 * Runs against an authorization server: discovers its endpoints, requests a
 * token with client credentials, and verifies the token by introspection or
 * userinfo.
 *
 * ```sh
 * E2E_ISSUER_BASE=http://localhost:8080 E2E_REALM=realms/demo \
 *   deno run -A oauth2/examples/e2e.ts
 * ```
 *
 * | variable            | meaning                                | default                 |
 * | ------------------- | -------------------------------------- | ----------------------- |
 * | `E2E_ISSUER_BASE`   | issuer without its path                | `http://localhost:8080` |
 * | `E2E_REALM`         | path of the issuer; `/` for none       | `default`               |
 * | `E2E_WAIT_TIMEOUT`  | seconds to wait until the server is up | `30`                    |
 * | `E2E_CLIENT_ID`     | client id                              | `demo-client`           |
 * | `E2E_CLIENT_SECRET` | client secret                          | `demo-secret`           |
 *
 * The path is `default` for mock-oauth2-server, `realms/<realm>` for Keycloak,
 * and `o` for Django OAuth Toolkit.
 *
 * The exit code is 0, or 1 with a message on the standard error. Plain http is
 * allowed for loopback only. Runs on Deno, Node and Bun.
 */
import {
  type AccessToken,
  Client,
  ConnectionError,
  discover,
  OAuth2Error,
} from "@carteiro/oauth2";
import process from "node:process";

/** Milliseconds between two attempts at discovery. */
const PAUSE = 250;
/** Timeout of an attempt in milliseconds. */
const ATTEMPT_TIMEOUT = 5_000;

interface Settings {
  readonly issuer: string;
  /** Seconds to wait for the server. */
  readonly wait: number;
  readonly id: string;
  readonly secret: string;
}

try {
  await run(readSettings(process.env));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

async function run({ issuer, wait, id, secret }: Settings): Promise<void> {
  const found = await waitFor(issuer, wait);
  console.log(`The issuer is ${found.issuer}`);

  const client = new Client(id, secret, found);
  const token = await attempt(
    "request a token",
    () => client.clientCredentials.getToken(),
  );
  const expiry = token.expiresIn === undefined
    ? "has no known expiry"
    : `expires in ${token.expiresIn} seconds`;
  console.log(`The token has type ${token.params.token_type} and ${expiry}`);

  const { introspection_endpoint, userinfo_endpoint } = found.metadata;
  if (typeof introspection_endpoint === "string") {
    console.log(await introspect(client, token.token, introspection_endpoint));
  } else if (typeof userinfo_endpoint === "string") {
    console.log(await requestUserinfo(token, userinfo_endpoint));
  }
}

/** Introspects a token (RFC 7662). */
async function introspect(
  client: Client,
  token: string,
  endpoint: string,
): Promise<string> {
  const { parsed } = await attempt(
    "introspect the token",
    () => client.post(endpoint, { token }),
  );
  const { active, client_id } = parsed as Record<string, unknown>;
  if (active !== true) {
    throw new Error(
      "Cannot use the token: introspection reports it as inactive",
    );
  }
  return `The token is active, for the client ${client_id}`;
}

/**
 * Requests userinfo with a token. Some servers respond with an error if the
 * subject of the token is not a user.
 */
async function requestUserinfo(
  token: AccessToken,
  endpoint: string,
): Promise<string> {
  const { status, error, parsed } = await attempt(
    "use the token",
    () => token.get(endpoint, { raiseErrors: false }),
  );
  if (error) {
    const code = error.code === undefined ? "" : ` ${error.code}`;
    return `The token has no userinfo: ${status}${code}`;
  }
  const { sub } = parsed as Record<string, unknown>;
  return `The token is valid, for the subject ${sub}`;
}

/** Discovers a server. Retries until it is up or the time has passed. */
async function waitFor(issuer: string, seconds: number) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await discover(issuer, { timeout: ATTEMPT_TIMEOUT });
    } catch (cause) {
      // A starting server may refuse connections or lack its realm. An
      // untrusted certificate stays untrusted.
      const isTemporary = cause instanceof ConnectionError && cause.retryable ||
        cause instanceof OAuth2Error && cause.status >= 400;
      const left = end - Date.now();
      if (!isTemporary || left <= 0) {
        const limit = isTemporary ? ` within ${seconds} seconds` : "";
        throw new Error(
          `Cannot discover "${issuer}"${limit}: ${messageOf(cause)}`,
          { cause },
        );
      }
      await new Promise((done) => setTimeout(done, Math.min(PAUSE, left)));
    }
  }
}

/** Runs a call, and names the action in its error. */
async function attempt<T>(action: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new Error(`Cannot ${action}: ${messageOf(cause)}`, { cause });
  }
}

/** Reads the settings; an empty variable means its default. */
function readSettings(env: Record<string, string | undefined>): Settings {
  const base = env.E2E_ISSUER_BASE || "http://localhost:8080";
  if (!/^https?:\/\/[^?#]+$/.test(base) || !URL.canParse(base)) {
    throw new Error(
      `Cannot use E2E_ISSUER_BASE="${base}": it must be an http or https ` +
        "URL without a query",
    );
  }
  const realm = env.E2E_REALM || "default";
  if (!/^\/?([\w.~@-]+(\/[\w.~@-]+)*)?$/.test(realm)) {
    throw new Error(
      `Cannot use E2E_REALM="${realm}": it must be a path of letters, digits ` +
        'and ._~@-, such as "realms/demo", or "/" for none',
    );
  }
  const wait = env.E2E_WAIT_TIMEOUT || "30";
  if (!/^\d+(\.\d+)?$/.test(wait)) {
    throw new Error(
      `Cannot use E2E_WAIT_TIMEOUT="${wait}": it must be a number of seconds, ` +
        "0 or more",
    );
  }
  return {
    issuer: [base.replace(/\/+$/, ""), realm.replace(/^\//, "")]
      .filter((part) => part !== "").join("/"),
    wait: Number(wait),
    id: env.E2E_CLIENT_ID || "demo-client",
    secret: env.E2E_CLIENT_SECRET || "demo-secret",
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
