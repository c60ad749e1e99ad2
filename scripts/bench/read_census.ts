import process from "node:process";
import { readCensus } from "../../cep/import/cnefe/read_census.ts";
import { readMemory } from "./harness.ts";

/** Cost of a reading. */
export interface ReadingCost {
  /** Rows of all files. */
  readonly rows: number;
  /** CEPs. */
  readonly codes: number;
  /** Seconds, without the start of the program. */
  readonly seconds: number;
  /** Seconds of the processors, of all threads. */
  readonly processorSeconds: number;
  /** Peak memory in MB, 0 if unknown. */
  readonly memory: number;
}

async function measure(threads: number, folder: string): Promise<ReadingCost> {
  const usage = process.cpuUsage();
  const start = performance.now();
  const { report, ...data } = await readCensus({ paths: [folder], threads });
  let codes = 0;
  for (const rows of data.rows()) codes += rows.length;
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(usage);
  return {
    rows: report.files.reduce((sum, { rows }) => sum + rows, 0),
    codes,
    seconds,
    processorSeconds: (user + system) / 1e6,
    memory: await readMemory(process.pid, "VmHWM") ?? 0,
  };
}

if (import.meta.main) {
  const [threads, folder = "."] = Deno.args;
  console.log(JSON.stringify(await measure(Number(threads), folder)));
}
