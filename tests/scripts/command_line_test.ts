import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  type CommandLine,
  flag,
  interruptible,
  readOptions,
  runCommandLine,
  text,
  whole,
} from "../../scripts/command_line.ts";

/** Runs a command line without printing anything. */
async function exitCode(
  args: string[],
  line: Partial<CommandLine<string[]>>,
): Promise<number> {
  const { log, error } = console;
  console.log = console.error = () => {};
  try {
    return await runCommandLine(args, {
      usage: "Usage",
      parse: (args) => args.includes("--help") ? undefined : args,
      run: () => 0,
      ...line,
    });
  } finally {
    Object.assign(console, { log, error });
  }
}

Deno.test("runCommandLine returns the exit code of the script", async () => {
  assertEquals(await exitCode(["a"], { run: ({ length }) => length }), 1);
});

Deno.test("runCommandLine returns 0 for --help without running the script", async () => {
  assertEquals(await exitCode(["--help"], { run: () => 9 }), 0);
});

Deno.test("runCommandLine returns 2 for wrong arguments", async () => {
  const parse = () => {
    throw new TypeError("wrong");
  };
  assertEquals(await exitCode([], { parse }), 2);
});

Deno.test("runCommandLine throws other errors of the parser", async () => {
  const parse = () => {
    throw new RangeError("a fault");
  };
  await assertRejects(() => exitCode([], { parse }), RangeError, "a fault");
});

Deno.test("runCommandLine returns 1 for an error of the script", async () => {
  const run = () => Promise.reject(new Error("no disk"));
  assertEquals(await exitCode([], { run }), 1);
});

Deno.test("interruptible returns the exit code of the action", async () => {
  assertEquals(await interruptible(() => Promise.resolve(3)), 3);
});

Deno.test("interruptible throws the error of an action that was not interrupted", async () => {
  await assertRejects(
    () => interruptible(() => Promise.reject(new Error("no disk"))),
    Error,
    "no disk",
  );
});

const OPTIONS = { rows: whole(1, 9, 5), zip: flag, out: text };

const READ: readonly [args: string, values: object | undefined][] = [
  ["", { rows: 5, zip: false, out: undefined }],
  ["--rows 9 --zip --out a", { rows: 9, zip: true, out: "a" }],
  ["--rows 9 --help", undefined],
  ["-h", undefined],
];

for (const [args, values] of READ) {
  Deno.test(`readOptions reads "${args}"`, () => {
    const found = readOptions(args.split(" ").filter(Boolean), OPTIONS);
    assertEquals<object | undefined>(found?.values, values);
  });
}

const REFUSED: readonly [args: string, operand: string, message: string][] = [
  ["--rows 0", "", "--rows must be a whole number from 1 to 9"],
  ["--rows x", "", "--rows must be a whole number from 1 to 9"],
  ["--rows", "", "--rows"],
  ["--colour red", "", "--colour"],
  ["a", "", '"a" is one argument too many'],
  ["", "OUT", "OUT is missing"],
  ["a b", "OUT", '"b" is one argument too many'],
];

for (const [args, operand, message] of REFUSED) {
  Deno.test(`readOptions refuses "${args}" of a script with the operand "${operand}"`, () => {
    const read = () =>
      readOptions(
        args.split(" ").filter(Boolean),
        OPTIONS,
        operand || undefined,
      );
    assertThrows(read, TypeError, message);
  });
}
