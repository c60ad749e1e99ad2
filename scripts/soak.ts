/**
 * Soaks the service in mixed and hostile traffic with imports, compares every
 * answer with the right one, and watches memory and handles. Exits with code 1
 * after a wrong answer or growth.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseNumber } from "./parse_number.ts";
import { formatReport, isPassed } from "./soak/report.ts";
import { buildPackages } from "./npm/build.ts";
import { COMMAND_FILE } from "./npm/complete.ts";
import { withInstalled } from "./npm/install.ts";
import type { Command as ServiceCommand } from "./process.ts";
import { NODE_MAJORS, nodeBinary } from "./runtimes/node.ts";
import { serviceCommand } from "./soak/service.ts";
import { soak, type SoakOptions } from "./soak/soak.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

const USAGE = `Usage: soak.ts [options]

Soaks the service, as "deno task start" runs it, in mixed and hostile traffic.

Options:
  --minutes N    duration of the traffic, 1 to 600 (default 10)
  --rows N       street rows of the generated DNE (default 20000)
  --seed N       another seed gives another DNE and other traffic (default 7)
  --clients N    ordinary clients beside the hostile ones (default 12)
  --runtime R    deno, or node for the built package (default deno)
  --help         show this text
`;

/** Parsed command line. */
export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "mistake"; readonly message: string }
  | {
    readonly kind: "soak";
    readonly runtime: Runtime;
    readonly options: Omit<SoakOptions, "folder" | "command">;
  };

/** Runtime of the service. */
type Runtime = "deno" | "node";

/** Parses the arguments. Returns errors instead of throwing them. */
export function parseCommand(args: string[]): Command {
  try {
    const { values } = parseArgs({
      args,
      options: {
        minutes: { type: "string", default: "10" },
        rows: { type: "string", default: "20000" },
        seed: { type: "string", default: "7" },
        clients: { type: "string", default: "12" },
        runtime: { type: "string", default: "deno" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    const { runtime } = values;
    if (runtime !== "deno" && runtime !== "node") {
      throw new TypeError(`--runtime must be deno or node, not "${runtime}"`);
    }
    return {
      kind: "soak",
      runtime,
      options: {
        minutes: parseNumber("--minutes", values.minutes, 1, 600),
        rows: parseNumber("--rows", values.rows, 500, 2_000_000),
        seed: parseNumber("--seed", values.seed, 0, 2 ** 32 - 1),
        clients: parseNumber("--clients", values.clients, 1, 500),
      },
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { kind: "mistake", message: error.message };
  }
}

/** Runs the command line and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const command = parseCommand(args);
  if (command.kind === "help") {
    console.log(USAGE);
    return 0;
  }
  if (command.kind === "mistake") {
    console.error(`${command.message}\n\n${USAGE}`);
    return 2;
  }
  using folder = new TemporaryFolder("soak");
  const run = async (service: ServiceCommand) => {
    const report = await soak({
      ...command.options,
      command: service,
      folder: folder.path,
      onProgress: (text) => console.error(text),
    });
    console.log(formatReport(report));
    return isPassed(report) ? 0 : 1;
  };
  if (command.runtime === "deno") return await run(serviceCommand());
  using packages = new TemporaryFolder("packages");
  const node = await nodeBinary(NODE_MAJORS.at(-1)!);
  return await withInstalled(
    await buildPackages(packages.path),
    ({ folder }) =>
      run([node, join(folder, "node_modules/@carteiro/cep", COMMAND_FILE)]),
  );
}

if (import.meta.main) Deno.exit(await main(Deno.args));
