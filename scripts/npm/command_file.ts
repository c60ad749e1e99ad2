/** The file that the command of a package runs, on Node. */
import { OLDEST_NODE } from "./packages.ts";

/** Its name. */
export const COMMAND_FILE = "bin.js";

/** Its source. What it imports, an older Node might not even understand. */
export const COMMAND = `#!/usr/bin/env node
import process from "node:process";

const { versions: { node }, argv, env } = process;
const oldest = "${OLDEST_NODE}";
if (node.localeCompare(oldest, "en", { numeric: true }) < 0) {
  console.error(\`Cannot run on Node \${node}: \${oldest} or newer is needed\`);
  process.exit(1);
}
const { main } = await import("./main.js");
process.exit(await main(argv.slice(2), env));
`;
