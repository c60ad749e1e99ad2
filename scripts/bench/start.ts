/**
 * How long a server takes from its start to its first answer.
 *
 * @module
 */
import { startListening } from "./cep.ts";
import type { Data } from "./data.ts";
import { drawRows } from "./database.ts";
import type { Section } from "./figures.ts";
import { stop } from "./processes.ts";
import { firstAnswer } from "./server.ts";

const STARTS = 5;

/** Starts the server several times, each time in a new process. */
export async function benchStart({ databasePath }: Data): Promise<Section> {
  console.error("Starting the server ...");
  const rows = await drawRows(databasePath, STARTS);
  const values: number[] = [];
  for (const { cep } of rows) {
    values.push(await timeStart(databasePath, `/cep/${cep}`));
  }
  return {
    title: "Start on a seeded database",
    figures: [{
      name: "until the first answer",
      unit: "s",
      values,
      limit: { side: "at most", value: 0.4 },
    }],
  };
}

async function timeStart(databasePath: string, path: string): Promise<number> {
  const start = performance.now();
  const server = startListening(databasePath);
  await firstAnswer(server, path);
  const seconds = (performance.now() - start) / 1000;
  await stop(server.process);
  return seconds;
}
