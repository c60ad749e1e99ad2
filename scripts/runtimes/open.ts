/** Every runtime by its name. */
import { join } from "node:path";
import { run } from "../command.ts";
import { openChromium } from "./chromium.ts";
import { openDeno } from "./deno.ts";
import { download } from "./download.ts";
import { NODE_MAJORS, nodeBinary } from "./node.ts";
import { openProgram } from "./program.ts";
import type { Runtime } from "./runtime.ts";
import { openWorkerd } from "./workerd.ts";

/** Makes a runtime ready, for packages that are installed in a folder. */
export type Open = (folder: string) => Promise<Runtime>;

/** What tests run on, in the order of the table. */
export const RUNTIMES: Readonly<Record<string, Open>> = {
  deno: () => Promise.resolve(openDeno()),
  ...Object.fromEntries(NODE_MAJORS.map((major) => [
    `node-${major}`,
    (folder: string) => openNode(major, folder),
  ])),
  bun: openBun,
  workerd: openWorkerd,
  chromium: openChromium,
};

async function openNode(major: number, folder: string): Promise<Runtime> {
  const program = await nodeBinary(major);
  const version = (await run(program, ["--version"])).trim().slice(1);
  return openProgram({ program, version, folder });
}

async function openBun(folder: string): Promise<Runtime> {
  const it = await download("bun", { into: "bun", range: "1" });
  // It is called so on every system.
  const program = join(it.folder, "bin", "bun.exe");
  return openProgram({ program, version: it.version, folder });
}
