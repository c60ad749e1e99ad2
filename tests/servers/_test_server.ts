import { assertRejects } from "@std/assert";
import { type CaseName, CASES } from "./_cases.ts";
import { KEY_ID } from "./_clients.ts";
import type { Server, StartServer } from "./_server.ts";
import { reasonAgainst, type ServerName, SERVERS } from "./_servers.ts";
import { Session } from "./_session.ts";

/** Defines a test for each case. The first test that runs starts the server. */
export function testServer(name: ServerName, start: StartServer): void {
  const stack = new AsyncDisposableStack();
  let opening: Promise<Opened> | undefined;

  Deno.test.afterAll(() => stack.disposeAsync());
  for (const caseName of Object.keys(CASES) as CaseName[]) {
    const reason = reasonAgainst(caseName, SERVERS[name]);
    const suffix = reason === undefined ? "" : ` (unsupported: ${reason})`;
    Deno.test(`${name}: ${caseName}${suffix}`, async () => {
      const isFirst = opening === undefined;
      opening ??= open(start, stack);
      const { server, privateKey } = await opening.catch((error) => {
        throw isFirst ? error : new Error("Cannot run: server not started");
      });
      const session = await Session.open(server, privateKey);
      const runCase = async () => {
        await CASES[caseName](session);
        session.witness.check();
      };
      if (reason === undefined) await runCase();
      else await assertRejects(runCase, `Passes, but the server ${reason}`);
    });
  }
}

interface Opened {
  readonly server: Server;
  readonly privateKey: CryptoKey;
}

async function open(
  start: StartServer,
  stack: AsyncDisposableStack,
): Promise<Opened> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign", "verify"],
  );
  const jwk = await crypto.subtle.exportKey("jwk", publicKey);
  Object.assign(jwk, { kid: KEY_ID, alg: "ES256", use: "sig" });
  return { server: await start({ stack, publicKey: jwk }), privateKey };
}
