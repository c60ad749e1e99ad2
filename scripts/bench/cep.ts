/**
 * The service in processes of its own, as its operators run it.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { SETTINGS } from "../../cep/config.ts";
import { CAPTURED, finish, start } from "./processes.ts";
import { freePort, type Server } from "./server.ts";

const MAIN = fileURLToPath(new URL("../../cep/main.ts", import.meta.url));

/** Environment variables of the service. */
export type Settings = Readonly<Record<string, string>>;

/** Imports a directory. */
export async function seedDatabase(
  rawPath: string,
  databasePath: string,
): Promise<void> {
  await finish(startSeed(rawPath, databasePath), "the import");
}

/** Starts to import a directory. */
export function startSeed(
  rawPath: string,
  databasePath: string,
): Deno.ChildProcess {
  const settings = {
    MODE: "seed",
    DB_RAW_PATH: rawPath,
    DB_PATH: databasePath,
    LOG_LEVEL: "error",
  };
  return start(Deno.execPath(), { ...command(settings), ...CAPTURED });
}

/** Options of {@linkcode startListening}. */
export interface ListeningOptions {
  /** Settings that are not as usual. */
  readonly settings?: Settings;
  /** Number of the only processor to run on. */
  readonly core?: number | undefined;
}

/** Starts to listen, with everything on but the rate limit. */
export function startListening(
  databasePath: string,
  { settings = {}, core }: ListeningOptions = {},
): Server {
  const port = freePort();
  const options = command({
    MODE: "listen",
    API_HOST: "127.0.0.1",
    API_PORT: `${port}`,
    API_RATE_LIMIT_ENABLE: "false",
    DB_PATH: databasePath,
    LOG_LEVEL: "error",
    ...settings,
  });
  // As `deno task start` does: otherwise V8 lets garbage grow to 50 MB.
  const args = ["run", "--v8-flags=--max-semi-space-size=1", "-A", MAIN];
  const process = start(Deno.execPath(), { ...options, args, core });
  return { url: `http://127.0.0.1:${port}`, process };
}

function command(settings: Settings): Deno.CommandOptions {
  const env = { ...environment(), ...settings };
  return { args: ["run", "-A", MAIN], env, clearEnv: true };
}

/** The environment of this process without settings of the service. */
function environment(): Record<string, string> {
  const env = Deno.env.toObject();
  for (const { name, alias } of Object.values(SETTINGS)) {
    delete env[name];
    if (alias !== undefined) delete env[alias];
  }
  return env;
}
