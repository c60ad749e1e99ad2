/**
 * Runs one list of cases on authorization servers that others have written.
 *
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { makeCertificate } from "./certificate.ts";
import { fillMarked } from "./markdown.ts";
import { ROOT } from "./root.ts";
import { attempt } from "./runtimes/harness.ts";
import { type Arguments, readArguments, usageOf } from "./servers/arguments.ts";
import { CASES } from "./servers/cases.ts";
import { KINDS } from "./servers/kinds.ts";
import { Missing } from "./servers/missing.ts";
import { judge, type Outcome } from "./servers/outcome.ts";
import { CERTIFIED, PRIVATE_KEY } from "./servers/registered.ts";
import type { Kind, Server } from "./servers/server.ts";
import { type Keys, Session } from "./servers/session.ts";
import { type Column, serversTable, SIGNS } from "./servers/table.ts";

const README = `${ROOT}oauth2/README.md`;
const NAMES = Object.keys(KINDS);

async function main(args: string[], signal: AbortSignal): Promise<number> {
  let wanted: Arguments;
  try {
    wanted = readArguments(args, NAMES);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usageOf(NAMES)}`);
    return 2;
  }
  if (wanted.help) {
    console.log(usageOf(NAMES));
    return 0;
  }
  const results = await runAll(wanted, signal);
  const columns = results.filter((result) => typeof result !== "string");
  const table = serversTable(columns);
  if (columns.length > 0) console.log(`\n${table}`);
  const hasFailed = results.includes("failed") ||
    columns.some(({ outcomes }) =>
      outcomes.some(({ state }) => state === "failed")
    );
  const hasSkipped = results.includes("skipped");
  if (hasFailed || (hasSkipped && wanted.require)) return 1;
  if (wanted.write && hasSkipped) {
    console.error("Cannot write the table: a server was skipped");
    return 1;
  }
  if (wanted.write) {
    const readme = await readFile(README, "utf8");
    await writeFile(README, fillMarked(readme, "servers", table));
  }
  return 0;
}

/** The end of a server: its cases, or none where it did not run. */
type Result = Column | "skipped" | "failed";

/** Runs the cases on one server after another. */
async function runAll(
  { names, cache }: Arguments,
  signal: AbortSignal,
): Promise<Result[]> {
  const keys = await makeKeys();
  const results: Result[] = [];
  for (const name of names) {
    const kind = KINDS[name]!;
    console.log(`\n${kind.title}`);
    try {
      results.push(await runOn(kind, { keys, cache, signal }));
    } catch (error) {
      signal.throwIfAborted();
      const isMissing = error instanceof Missing;
      results.push(isMissing ? "skipped" : "failed");
      console.error(isMissing ? `Skipped: ${error.message}` : error);
    }
  }
  return results;
}

interface RunOptions {
  readonly keys: Awaited<ReturnType<typeof makeKeys>>;
  readonly cache: string;
  readonly signal: AbortSignal;
}

/** Starts a server, runs the cases on it, and stops it whatever happens. */
async function runOn(
  { title, lacks, start }: Kind,
  { keys, cache, signal }: RunOptions,
): Promise<Column> {
  await using stack = new AsyncDisposableStack();
  const { publicKey, certificate, otherCertificate } = keys;
  const certificates = [certificate, otherCertificate];
  const server = await start({ cache, publicKey, certificates, stack, signal });
  const aborted = rejectOnAbort(signal);
  const outcomes: Outcome[] = [];
  for (const name of Object.keys(CASES)) {
    const result = await Promise.race([
      attempt(name, () => runCase(name, server, keys)),
      aborted,
    ]);
    const outcome = judge(result, lacks[name]);
    outcomes.push(outcome);
    tell(outcome);
  }
  return { title, version: server.version, outcomes };
}

/** Rejects once a signal is aborted. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

async function runCase(
  name: string,
  server: Server,
  keys: Keys,
): Promise<void> {
  const session = await Session.open(server, keys);
  await CASES[name]!(session);
  session.witness.check();
}

function tell({ name, state, reason }: Outcome): void {
  const sign = `${SIGNS[state]} ${name}`;
  console.log(reason === undefined ? sign : `${sign}: ${reason}`);
}

async function makeKeys(): Promise<Keys & { publicKey: JsonWebKey }> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign", "verify"],
  );
  const jwk = await crypto.subtle.exportKey("jwk", publicKey);
  const { kid } = PRIVATE_KEY;
  return {
    privateKey,
    publicKey: Object.assign(jwk, { kid, alg: "ES256", use: "sig" }),
    certificate: await makeCertificate({ commonName: CERTIFIED.id }),
    otherCertificate: await makeCertificate({ commonName: "someone else" }),
  };
}

/** The exit codes of a process that a signal ends. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

if (import.meta.main) {
  const controller = new AbortController();
  let code = 0;
  for (const [name, status] of Object.entries(SIGNALS)) {
    Deno.addSignalListener(name as keyof typeof SIGNALS, () => {
      code = status;
      controller.abort();
    });
  }
  try {
    Deno.exitCode = await main(Deno.args, controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    Deno.exitCode = code;
  }
  Deno.exit();
}
