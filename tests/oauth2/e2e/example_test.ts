/** The example of the library, as a process of its own. */
import { assertEquals } from "@std/assert";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Environment, outputOf } from "../../program.ts";
import { AuthorizationServer, BASIC, EXAMPLE } from "./authorization_server.ts";

const SCRIPT = fileURLToPath(
  new URL("../../../oauth2/examples/e2e.ts", import.meta.url),
);

const SETTINGS = [
  "E2E_ISSUER_BASE",
  "E2E_REALM",
  "E2E_WAIT_TIMEOUT",
  "E2E_CLIENT_ID",
  "E2E_CLIENT_SECRET",
  "OAUTH_DEBUG",
];

/** Runs the example with these settings and no others. */
async function runExample(
  settings: Environment,
): Promise<{ status: number | null; out: string; err: string }> {
  const { code, stdout, stderr } = await outputOf([
    process.execPath,
    "run",
    "--no-prompt",
    `--allow-env=${SETTINGS}`,
    "--allow-net=127.0.0.1,localhost",
    SCRIPT,
  ], settings);
  return { status: code, out: stdout, err: stderr };
}

function baseOf({ issuer }: AuthorizationServer): string {
  return new URL(issuer).origin;
}

Deno.test("e2e.ts gets a token and has the server tell about it", async () => {
  await using server = await AuthorizationServer.start();
  const run = await runExample({ E2E_ISSUER_BASE: baseOf(server) });
  assertEquals(run, {
    status: 0,
    out: `The issuer is ${server.issuer}\n` +
      "The token is of type Bearer and good for 3600 seconds\n" +
      `The introspection says: active, for the client ${EXAMPLE.id}\n`,
    err: "",
  });
});

Deno.test("e2e.ts takes realm and client from the environment", async () => {
  await using server = await AuthorizationServer.start({ realm: "outro" });
  const run = await runExample({
    E2E_ISSUER_BASE: `${baseOf(server)}/`,
    E2E_REALM: "outro",
    E2E_CLIENT_ID: BASIC.id,
    E2E_CLIENT_SECRET: BASIC.secret,
    OAUTH_DEBUG: "true",
  });
  assertEquals(run.status, 0, run.err);
  assertEquals(run.out.includes(`for the client ${BASIC.id}\n`), true);
  assertEquals((run.out + run.err).includes(BASIC.secret), false);
});

Deno.test("e2e.ts ends with status 1 when the server refuses", async () => {
  await using server = await AuthorizationServer.start();
  const run = await runExample({
    E2E_ISSUER_BASE: baseOf(server),
    E2E_CLIENT_SECRET: "errado: 7% + 8",
  });
  assertEquals(run.status, 1);
  assertEquals(run.err.startsWith("Cannot get a token: invalid_client"), true);
  assertEquals((run.out + run.err).includes("errado"), false);
});

Deno.test("e2e.ts ends with status 1 when no server answers in time", async () => {
  const server = await AuthorizationServer.start();
  await server.close();
  const run = await runExample({
    E2E_ISSUER_BASE: baseOf(server),
    E2E_WAIT_TIMEOUT: "0",
  });
  assertEquals(run.status, 1);
  assertEquals(run.out, "");
  assertEquals(
    run.err.startsWith(
      `Cannot discover "${server.issuer}" within 0 seconds: `,
    ),
    true,
    run.err,
  );
});

Deno.test("e2e.ts waits for a server that is not ready yet", async () => {
  await using server = await AuthorizationServer.start({ unready: 1 });
  const run = await runExample({ E2E_ISSUER_BASE: baseOf(server) });
  assertEquals(run.err, "");
  assertEquals(run.status, 0);
});

Deno.test("e2e.ts does not wait for a server that calls itself otherwise", async () => {
  await using server = await AuthorizationServer.start();
  const run = await runExample({
    E2E_ISSUER_BASE: baseOf(server).replace("127.0.0.1", "localhost"),
  });
  assertEquals(run.status, 1);
  assertEquals(run.err.includes(" seconds"), false, run.err);
});

const BASE = "http://127.0.0.1:1";
const REFUSED: readonly (readonly [
  what: string,
  settings: Environment,
  message: string,
])[] = [
  [
    "a base that is missing",
    {},
    "Cannot find the server: E2E_ISSUER_BASE is not set; " +
    "give its address, such as http://127.0.0.1:8080",
  ],
  ...["127.0.0.1:1", "ftp://127.0.0.1", "http://", `${BASE}?a=b`].map((
    base,
  ) =>
    [
      `the base "${base}"`,
      { E2E_ISSUER_BASE: base },
      "Cannot use E2E_ISSUER_BASE: it must be an http or https address " +
      "without a query",
    ] as const
  ),
  [
    "a realm that is no path",
    { E2E_ISSUER_BASE: BASE, E2E_REALM: "a?b" },
    'Cannot use E2E_REALM="a?b": it must be letters, digits and ._~-, ' +
    "and slashes only in between",
  ],
  ...["soon", "-1", "1e3"].map((wait) =>
    [
      `the waiting time "${wait}"`,
      { E2E_ISSUER_BASE: BASE, E2E_WAIT_TIMEOUT: wait },
      `Cannot use E2E_WAIT_TIMEOUT="${wait}": ` +
      "it must be a number of seconds, 0 or more",
    ] as const
  ),
];

for (const [what, settings, message] of REFUSED) {
  Deno.test(`e2e.ts ends with status 1 and refuses ${what}`, async () => {
    assertEquals(await runExample(settings), {
      status: 1,
      out: "",
      err: `${message}\n`,
    });
  });
}
