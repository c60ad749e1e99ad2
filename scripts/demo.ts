/**
 * Demo of the service: imports the bundled samples of DNE and CNEFE if the
 * database is empty, then listens. Flags and environment variables override all
 * settings.
 */
import { join } from "node:path";
import { type Config, main, run } from "../cep/main.ts";
import { openStore } from "../cep/mod.ts";
import { runListen } from "../cep/modes/listen.ts";
import { runSeed } from "../cep/modes/seed.ts";
import { readCommandLine } from "../cep/settings/command_line.ts";
import { reasonOf } from "../cep/util/reason_of.ts";
import { ROOT } from "./root.ts";

const SAMPLE = {
  DB_RAW_PATH: join(ROOT, "samples", "dne"),
  CNEFE_PATH: join(ROOT, "samples", "cnefe"),
};
// Not `./data` itself, the default folder for real data.
const DATABASE = join(ROOT, "data", "demo");

/** Adds the defaults of the demo to the environment variables. */
export function demoSettings(
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  // An empty variable counts as unset.
  const set = Object.entries(env).filter(([, value]) => value.trim() !== "");
  const given = Object.fromEntries(set);
  return {
    LOG_FORMAT: "text",
    DB_PATH: DATABASE,
    // The two belong together, not to the data of others.
    ...Object.keys(SAMPLE).some((name) => name in given) ? {} : SAMPLE,
    ...given,
  };
}

async function demo(config: Config): Promise<void> {
  const store = await openStore({ path: config.databasePath });
  const release = await store.release();
  await store.close();
  if (release === undefined) await runSeed(config);
  const imported = release === undefined || config.databasePath === DATABASE;
  if (imported && config.rawPath === SAMPLE.DB_RAW_PATH) {
    console.log(
      "\n  The data is a generated sample, not that of Correios and IBGE.",
    );
  }
  const address = `http://localhost:${config.port}/`;
  if (config.page) console.log(`\n  Open: ${address}`);
  console.log(`\n  Try: curl ${address}cep/01310100\n`);
  await runListen(config);
}

async function runDemo(args: readonly string[]): Promise<number> {
  try {
    const { settings, wantsHelp } = readCommandLine(args);
    if (wantsHelp) return await main(["--help"], {});
    return await run(
      demoSettings({ ...Deno.env.toObject(), ...settings }),
      demo,
    );
  } catch (error) {
    console.error(reasonOf(error));
    return 2;
  }
}

if (import.meta.main) Deno.exit(await runDemo(Deno.args));
