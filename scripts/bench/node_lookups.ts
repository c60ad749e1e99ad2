/** Lookups on Node, compared with a server that sends the same bytes. */
import { join } from "node:path";
import { buildPackages } from "../npm/build.ts";
import { withInstalled } from "../npm/install.ts";
import { ROOT } from "../root.ts";
import { NODE_MAJORS, nodeBinary } from "../runtimes/node.ts";
import type { Bench, Case } from "./harness.ts";
import { drawCodes, writeReplay } from "./lookups.ts";

/** Requests random CEPs from the package on the oldest Node. */
export async function benchNode(bench: Bench): Promise<void> {
  const rows = await drawCodes(bench);
  const path = `/cep/${rows[0]!.cep}`;
  const [major] = NODE_MAJORS;
  const node = await nodeBinary(major);
  bench.title(`Serving random CEPs on Node ${major}`);
  const packages = await buildPackages(join(bench.folder, "packages"));
  await withInstalled(packages, async ({ folder }) => {
    await using servers = new AsyncDisposableStack();
    const start = async (name: string, ...command: string[]) => {
      const options = { command: [node, ...command] as const, path };
      const server = servers.use(
        await bench.startServer({ ...options, pinned: true }),
      );
      const run = async () => (await bench.loadServer(server)).rate;
      return { url: server.url, measured: { name, unit: "req/s", run } };
    };
    const program = join(folder, "node_modules/@carteiro/cep/bin.js");
    const service = await start("service", program);
    await writeReplay(bench, rows, {}, service.url);
    const script = `${ROOT}scripts/bench/bare_node_server.mjs`;
    const bare = await start("bare node:http", script, "replay.json");
    const cases: Case[] = [
      service.measured,
      { ...bare.measured, ratio: { atLeast: 0.6 } },
    ];
    await bench.measure(cases, { warmUp: 1 });
  });
}
