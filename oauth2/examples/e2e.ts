/**
 * The library against a server that runs: it discovers the endpoints, gets a
 * token with the client credentials and has the server tell about that token.
 *
 * ```sh
 * E2E_ISSUER_BASE=http://127.0.0.1:8080 deno run -A oauth2/examples/e2e.ts
 * ```
 *
 * | variable            | meaning                                  | default       |
 * | ------------------- | ---------------------------------------- | ------------- |
 * | `E2E_ISSUER_BASE`   | the issuer's address without the realm   |               |
 * | `E2E_REALM`         | the realm, which is the issuer's path    | `default`     |
 * | `E2E_WAIT_TIMEOUT`  | how long to wait for the server, seconds | `30`          |
 * | `E2E_CLIENT_ID`     | the client                               | `demo-client` |
 * | `E2E_CLIENT_SECRET` | its secret                               | `demo-secret` |
 *
 * It ends with status 0, or with status 1 and a message. Plain http is for
 * loopback only. It runs on Deno, Node and Bun alike.
 *
 * @module
 */
import {
  Client,
  ConnectionError,
  discover,
  OAuth2Error,
} from "@carteiro/oauth2";
import process from "node:process";

/** Between two looks at a server that is not there yet, in milliseconds. */
const PAUSE = 250;
/** For one look at it, in milliseconds. */
const PATIENCE = 5_000;

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
  const { metadata, ...endpoints } = await waitFor(issuer, wait);
  console.log(`The issuer is ${endpoints.issuer}`);

  const client = new Client(id, secret, endpoints);
  const token = await attempt(
    "get a token",
    () => client.clientCredentials.getToken(),
  );
  const time = token.expiresIn === undefined
    ? "an unknown time"
    : `${token.expiresIn} seconds`;
  console.log(
    `The token is of type ${token.params.token_type} and good for ${time}`,
  );

  const { introspection_endpoint, userinfo_endpoint } = metadata;
  if (typeof introspection_endpoint === "string") {
    const { parsed } = await attempt(
      "introspect the token",
      () =>
        client.request("post", introspection_endpoint, {
          body: { token: token.token, client_id: id, client_secret: secret },
        }),
    );
    const { active, client_id } = parsed as Record<string, unknown>;
    if (active !== true) {
      throw new Error("Cannot use the token: the server says it is not active");
    }
    console.log(`The introspection says: active, for the client ${client_id}`);
  } else if (typeof userinfo_endpoint === "string") {
    const { parsed } = await attempt(
      "use the token",
      () => token.get(userinfo_endpoint),
    );
    const { sub } = parsed as Record<string, unknown>;
    console.log(`The userinfo says: the subject is ${sub}`);
  }
}

/** Asks a server for its endpoints until it answers or the time is over. */
async function waitFor(issuer: string, seconds: number) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await discover(issuer, { timeout: PATIENCE });
    } catch (cause) {
      // A server that starts may have no port yet, or not know its realm.
      const mayCome = cause instanceof ConnectionError ||
        (cause instanceof OAuth2Error && cause.status >= 400);
      const left = end - Date.now();
      if (!mayCome || left <= 0) {
        const limit = mayCome ? ` within ${seconds} seconds` : "";
        throw new Error(
          `Cannot discover "${issuer}"${limit}: ${messageOf(cause)}`,
          { cause },
        );
      }
      await new Promise((done) => setTimeout(done, Math.min(PAUSE, left)));
    }
  }
}

/** Calls, and tells in the error what could not be done. */
async function attempt<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new Error(`Cannot ${what}: ${messageOf(cause)}`, { cause });
  }
}

/** An empty variable stands for none. */
function readSettings(env: Record<string, string | undefined>): Settings {
  const base = env.E2E_ISSUER_BASE || undefined;
  if (base === undefined) {
    throw new Error(
      "Cannot find the server: E2E_ISSUER_BASE is not set; " +
        "give its address, such as http://127.0.0.1:8080",
    );
  }
  if (!/^https?:\/\/[^?#]+$/.test(base) || !URL.canParse(base)) {
    throw new Error(
      "Cannot use E2E_ISSUER_BASE: it must be an http or https address " +
        "without a query",
    );
  }
  const realm = env.E2E_REALM || "default";
  if (!/^[\w.~-]+(\/[\w.~-]+)*$/.test(realm)) {
    throw new Error(
      `Cannot use E2E_REALM="${realm}": it must be letters, digits and ._~-, ` +
        "and slashes only in between",
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
    issuer: `${base.replace(/\/+$/, "")}/${realm}`,
    wait: Number(wait),
    id: env.E2E_CLIENT_ID || "demo-client",
    secret: env.E2E_CLIENT_SECRET || "demo-secret",
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
