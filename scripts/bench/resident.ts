/**
 * How much memory a server takes once it has answered every code.
 *
 * @module
 */
import { join } from "node:path";
import { checkAnswers } from "./answers.ts";
import { startListening } from "./cep.ts";
import { describeCores, findCores } from "./cores.ts";
import type { Data } from "./data.ts";
import { countRows, drawRows, dumpCodes } from "./database.ts";
import { type Section, withCommas } from "./figures.ts";
import { CAN_READ_MEMORY, NOT_MEASURED, readMemory } from "./process_memory.ts";
import { stop } from "./processes.ts";
import { firstAnswer } from "./server.ts";
import { loadServer } from "./wrk.ts";

/** Answers that are compared with the database after the load. */
const COMPARED = 3000;

/** How much longer than one round takes by the speed of the first seconds. */
const MARGIN = 1.2;

/**
 * Asks for all codes in random order, then takes the memory.
 *
 * @throws {Error} If an answer is wrong or fails.
 */
export async function benchResident(
  { directory, databasePath }: Data,
  { seconds }: { readonly seconds: number },
): Promise<Section> {
  const title = "Memory while serving";
  if (!CAN_READ_MEMORY) return { title, figures: [], notes: [NOT_MEASURED] };
  console.error("Asking for all codes ...");
  const cores = await findCores();
  const codes = await countRows(databasePath);
  const rows = await drawRows(databasePath, COMPARED);
  const codesFile = join(directory, "all_codes.txt");
  await dumpCodes(databasePath, codesFile);
  const server = startListening(databasePath, { core: cores?.server });
  await firstAnswer(server, `/cep/${rows[0]!.cep}`);

  const load = (seconds: number) =>
    loadServer(server.url, { codesFile, seconds, core: cores?.load });
  const first = await load(seconds);
  const round = await load(Math.ceil(MARGIN * codes / first.rate));
  const memory = await readMemory(server.process.pid);
  await checkAnswers(server.url, rows);
  await stop(server.process);
  await Deno.remove(codesFile);
  if (memory === undefined) throw new Error("Cannot read the server's memory");
  return {
    title,
    figures: [
      {
        name: "after the load",
        unit: "MB",
        values: [memory.resident],
        limit: { side: "at most", value: 130 },
      },
      { name: "peak", unit: "MB", values: [memory.peak] },
    ],
    notes: [
      `${withCommas(first.requests + round.requests)} requests, of which ` +
      `${withCommas(round.requests)} in turn for ${withCommas(codes)} codes`,
      describeCores(cores),
    ],
  };
}
