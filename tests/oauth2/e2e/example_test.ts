/** Example of the library, in a process of its own. */
import { assertEquals } from "@std/assert";
import process from "node:process";
import { makeCertificate } from "../../_certificate.ts";
import { ROOT } from "../../../scripts/root.ts";
import { type Environment, outputOf } from "../../_program.ts";
import {
  AuthorizationServer,
  BASIC,
  EXAMPLE,
} from "./_authorization_server.ts";

const SCRIPT = `${ROOT}oauth2/examples/e2e.ts`;

const SETTINGS = [
  "E2E_ISSUER_BASE",
  "E2E_REALM",
  "E2E_WAIT_TIMEOUT",
  "E2E_CLIENT_ID",
  "E2E_CLIENT_SECRET",
  "OAUTH_DEBUG",
];

/** Runs the example with these settings only, and access to these hosts only. */
async function runExample(
  settings: Environment,
  hosts: readonly string[] = ["127.0.0.1", "localhost"],
): Promise<{ status: number | null; out: string; err: string }> {
  const { code, stdout, stderr } = await outputOf([
    process.execPath,
    "run",
    "--no-prompt",
    `--allow-env=${SETTINGS}`,
    `--allow-net=${hosts}`,
    SCRIPT,
  ], settings);
  return { status: code, out: stdout, err: stderr };
}

function baseOf({ issuer }: AuthorizationServer): string {
  return new URL(issuer).origin;
}

Deno.test("e2e.ts prints token type, lifetime and introspection", async () => {
  await using server = await AuthorizationServer.start();
  const run = await runExample({ E2E_ISSUER_BASE: baseOf(server) });
  assertEquals(run, {
    status: 0,
    out: `The issuer is ${server.issuer}\n` +
      "The token has type Bearer and expires in 3600 seconds\n" +
      `The token is active, for the client ${EXAMPLE.id}\n`,
    err: "",
  });
});

Deno.test("e2e.ts reads realm and client from the environment", async () => {
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

for (const [spelling, realm] of [["/", ""], ["/um/dois", "um/dois"]] as const) {
  Deno.test(`e2e.ts reads the realm "${spelling}" as the path "${realm}"`, async () => {
    await using server = await AuthorizationServer.start({ realm });
    const run = await runExample({
      E2E_ISSUER_BASE: baseOf(server),
      E2E_REALM: spelling,
    });
    assertEquals(run.err, "");
    assertEquals(run.out.split("\n")[0], `The issuer is ${server.issuer}`);
    assertEquals(run.status, 0);
  });
}

Deno.test("e2e.ts prints the userinfo error if there is no introspection", async () => {
  await using server = await AuthorizationServer.start({
    introspection: false,
  });
  const run = await runExample({ E2E_ISSUER_BASE: baseOf(server) });
  assertEquals(run, {
    status: 0,
    out: `The issuer is ${server.issuer}\n` +
      "The token has type Bearer and expires in 3600 seconds\n" +
      "The token has no userinfo: 401 invalid_token\n",
    err: "",
  });
});

Deno.test("e2e.ts exits with 1 if the server refuses the client", async () => {
  await using server = await AuthorizationServer.start();
  const run = await runExample({
    E2E_ISSUER_BASE: baseOf(server),
    E2E_CLIENT_SECRET: "errado: 7% + 8",
  });
  assertEquals(run.status, 1);
  assertEquals(
    run.err.startsWith("Cannot request a token: invalid_client"),
    true,
  );
  assertEquals((run.out + run.err).includes("errado"), false);
});

Deno.test("e2e.ts exits with 1 if no server answers in time", async () => {
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

Deno.test("e2e.ts waits for a server that is not ready", async () => {
  await using server = await AuthorizationServer.start({ unready: 1 });
  const run = await runExample({ E2E_ISSUER_BASE: baseOf(server) });
  assertEquals(run.err, "");
  assertEquals(run.status, 0);
});

Deno.test("e2e.ts does not retry after another issuer", async () => {
  await using server = await AuthorizationServer.start();
  const run = await runExample({
    E2E_ISSUER_BASE: baseOf(server).replace("127.0.0.1", "localhost"),
  });
  assertEquals(run.status, 1);
  assertEquals(run.err.includes(" seconds"), false, run.err);
});

Deno.test("e2e.ts does not retry after an untrusted certificate", async () => {
  const { cert, key } = await makeCertificate("localhost");
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen() {} },
    () => new Response(),
  );
  const run = await runExample({
    E2E_ISSUER_BASE: `https://127.0.0.1:${server.addr.port}`,
    E2E_WAIT_TIMEOUT: "1",
  });
  assertEquals(run.status, 1);
  assertEquals(run.err.includes(" seconds"), false, run.err);
  assertEquals(run.err.includes("certificate"), true, run.err);
});

Deno.test("e2e.ts uses http://localhost:8080 by default", async () => {
  // Without permission for that host, even if a server listens there.
  const run = await runExample({ E2E_WAIT_TIMEOUT: "0" }, ["127.0.0.1"]);
  assertEquals(run.status, 1);
  assertEquals(
    run.err.startsWith('Cannot discover "http://localhost:8080/default"'),
    true,
    run.err,
  );
});

const BASE = "http://127.0.0.1:1";
const REFUSED: readonly (readonly [
  setting: string,
  settings: Environment,
  message: string,
])[] = [
  ...["127.0.0.1:1", "ftp://127.0.0.1", "http://", `${BASE}?a=b`].map((
    base,
  ) =>
    [
      `the base "${base}"`,
      { E2E_ISSUER_BASE: base },
      `Cannot use E2E_ISSUER_BASE="${base}": it must be an http or https ` +
      "URL without a query",
    ] as const
  ),
  ...["a?b", "a//b", "a/", "//"].map((realm) =>
    [
      `the realm "${realm}"`,
      { E2E_ISSUER_BASE: BASE, E2E_REALM: realm },
      `Cannot use E2E_REALM="${realm}": it must be a path of letters, ` +
      'digits and ._~@-, such as "realms/demo", or "/" for none',
    ] as const
  ),
  ...["soon", "-1", "1e3"].map((wait) =>
    [
      `the waiting time "${wait}"`,
      { E2E_ISSUER_BASE: BASE, E2E_WAIT_TIMEOUT: wait },
      `Cannot use E2E_WAIT_TIMEOUT="${wait}": ` +
      "it must be a number of seconds, 0 or more",
    ] as const
  ),
];

for (const [setting, settings, message] of REFUSED) {
  Deno.test(`e2e.ts exits with 1 and refuses ${setting}`, async () => {
    assertEquals(await runExample(settings), {
      status: 1,
      out: "",
      err: `${message}\n`,
    });
  });
}
