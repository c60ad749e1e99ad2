import { assertEquals } from "@std/assert";
import { type Command, parseCommand } from "../../../scripts/soak.ts";

const DEFAULTS = { minutes: 10, rows: 20_000, seed: 7, clients: 12 };

const CASES: readonly [args: string[], command: Command][] = [
  [[], { kind: "soak", runtime: "deno", options: DEFAULTS }],
  [
    ["--minutes", "3", "--rows", "500", "--seed", "0", "--clients", "1"],
    {
      kind: "soak",
      runtime: "deno",
      options: { minutes: 3, rows: 500, seed: 0, clients: 1 },
    },
  ],
  [["--runtime", "node"], {
    kind: "soak",
    runtime: "node",
    options: DEFAULTS,
  }],
  [["--runtime", "bun"], {
    kind: "mistake",
    message: '--runtime must be deno or node, not "bun"',
  }],
  [["--help"], { kind: "help" }],
  [["--minutes", "0"], {
    kind: "mistake",
    message: '--minutes must be a whole number from 1 to 600, not "0"',
  }],
  [["--rows", "x"], {
    kind: "mistake",
    message: '--rows must be a whole number from 500 to 2000000, not "x"',
  }],
];

for (const [args, command] of CASES) {
  Deno.test(`parseCommand reads "${args.join(" ")}" of the soak`, () => {
    assertEquals(parseCommand(args), command);
  });
}

Deno.test("parseCommand refuses an unknown option of the soak", () => {
  assertEquals(parseCommand(["--hours", "1"]).kind, "mistake");
});
