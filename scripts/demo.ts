/**
 * Demo of the service: imports the bundled sample if the database is empty,
 * then listens. Environment variables override all settings.
 *
 * @module
 */
import { join } from "node:path";
import { type Config, run } from "../cep/main.ts";
import { openStore } from "../cep/mod.ts";
import { runListen } from "../cep/modes/listen.ts";
import { runSeed } from "../cep/modes/seed.ts";
import { ROOT } from "./root.ts";

const SAMPLE = join(ROOT, "samples", "dne");
// Not `./data` itself, the default folder for real data.
const DATABASE = join(ROOT, "data", "demo");

/** Adds the defaults of the demo to the environment variables. */
export function demoSettings(
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  // An empty variable counts as unset.
  const set = Object.entries(env).filter(([, value]) => value.trim() !== "");
  return {
    LOG_FORMAT: "text",
    DB_PATH: DATABASE,
    DB_RAW_PATH: SAMPLE,
    ...Object.fromEntries(set),
  };
}

async function demo(config: Config): Promise<void> {
  const store = await openStore({ path: config.databasePath });
  const release = await store.release();
  await store.close();
  if (release === undefined) await runSeed(config);
  const imported = release === undefined || config.databasePath === DATABASE;
  if (imported && config.rawPath === SAMPLE) {
    console.log("\n  The data is a generated sample, not the DNE of Correios.");
  }
  const address = `http://localhost:${config.port}/`;
  if (config.page) console.log(`\n  Open: ${address}`);
  console.log(`\n  Try: curl ${address}cep/01310100\n`);
  await runListen(config);
}

if (import.meta.main) {
  Deno.exit(await run(demoSettings(Deno.env.toObject()), demo));
}
