import process from "node:process";
import { findRedis } from "./_redis.ts";
import { installSqld } from "./_sqld.ts";

/** Preparations of the servers that tests need. */
const SERVERS = { redis: findRedis, sqld: installSqld };

/** Defines a test. */
type Define = (name: string, fn: Deno.TestDefinition["fn"]) => void;

/**
 * Returns a function that defines tests which need servers. Where one is
 * missing, the tests are ignored, and their names say why.
 *
 * @throws {Error} If a server is missing and `CLUSTER_REQUIRED` is set, as in
 * CI.
 */
export async function testsWith(
  ...names: readonly (keyof typeof SERVERS)[]
): Promise<Define> {
  let reason = "";
  for (const name of names) {
    try {
      await SERVERS[name]();
    } catch (error) {
      if (process.env["CLUSTER_REQUIRED"]) throw error;
      const [line] = (error as Error).message.split("\n");
      reason ||= ` (ignored: ${line})`;
    }
  }
  return (name, fn) =>
    Deno.test({ name: name + reason, ignore: reason !== "", fn });
}
