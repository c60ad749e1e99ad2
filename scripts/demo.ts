/**
 * The service in one command: imports the bundled sample if the database is
 * empty, then listens. Every setting can still be given in the environment.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { openStore } from "../cep/mod.ts";
import { type Config, run, runListen, runSeed } from "../cep/main.ts";

const SAMPLE = fileURLToPath(new URL("../samples/dne", import.meta.url));

async function demo(config: Config): Promise<void> {
  const store = await openStore({ path: config.databasePath });
  const release = await store.release();
  await store.close();
  if (release === undefined) await runSeed(config);
  const address = `http://localhost:${config.port}/cep/01310100`;
  console.log(`\n  Try: curl ${address}\n`);
  await runListen(config);
}

if (import.meta.main) {
  const defaults = { LOG_FORMAT: "text", DB_RAW_PATH: SAMPLE };
  Deno.exit(await run({ ...defaults, ...Deno.env.toObject() }, demo));
}
