/**
 * Soaks the service in mixed and hostile traffic with imports, compares every
 * answer with the right one, and watches memory and handles. Exits with code 1
 * after a wrong answer or growth.
 */
import { readOptions, runCommandLine, whole } from "./command_line.ts";
import { formatReport, isPassed, soak } from "./soak/soak.ts";
import { TemporaryFolder } from "./temporary_folder.ts";

const USAGE = `Usage: soak.ts [options]

Soaks the service, as "deno task start" runs it, in mixed and hostile traffic.

Options:
  --minutes N    duration of the traffic, 1 to 600 (default 10)
  --rows N       street rows of the generated DNE (default 20000)
  --seed N       another seed gives another DNE and other traffic (default 7)
  --help         show this text
`;

/**
 * Reads the arguments; returns `undefined` for `--help`.
 *
 * @throws {TypeError} If they are wrong.
 */
export function parsePlan(args: string[]) {
  return readOptions(args, {
    minutes: whole(1, 600, 10),
    rows: whole(500, 2_000_000, 20_000),
    seed: whole(0, 2 ** 32 - 1, 7),
  })?.values;
}

/** Runs the soak. Returns the exit code. */
async function execute(
  plan: NonNullable<ReturnType<typeof parsePlan>>,
): Promise<number> {
  using folder = new TemporaryFolder("soak");
  const report = await soak({
    ...plan,
    folder: folder.path,
    onProgress: (text) => console.error(text),
  });
  console.log(formatReport(report));
  return isPassed(report) ? 0 : 1;
}

if (import.meta.main) {
  const line = { usage: USAGE, parse: parsePlan, run: execute };
  Deno.exit(await runCommandLine(Deno.args, line));
}
