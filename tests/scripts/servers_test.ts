/** The parts of `deno task test:servers` that need no server. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join, resolve } from "node:path";
import process from "node:process";
import { ROOT } from "../../scripts/root.ts";
import { readArguments, usageOf } from "../../scripts/servers/arguments.ts";
import { CASES } from "../../scripts/servers/cases.ts";
import { KINDS } from "../../scripts/servers/kinds.ts";
import { lacking } from "../../scripts/servers/lacking.ts";
import {
  Missing,
  readVersion,
  requireProgram,
} from "../../scripts/servers/missing.ts";
import { judge } from "../../scripts/servers/outcome.ts";
import { Program } from "../../scripts/servers/program.ts";
import { serversTable } from "../../scripts/servers/table.ts";

const KNOWN = ["one", "two"];

Deno.test("readArguments means all servers, and downloads in the repository", () => {
  assertEquals(readArguments([], KNOWN), {
    names: KNOWN,
    cache: join(ROOT, "downloads"),
    require: false,
    write: false,
    help: false,
  });
});

Deno.test("readArguments takes servers, each once, and a folder", () => {
  const args = ["two", "--require", "--cache", "some", "two"];
  assertEquals(readArguments(args, KNOWN), {
    names: ["two"],
    cache: resolve("some"),
    require: true,
    write: false,
    help: false,
  });
});

for (
  const [args, message] of [
    [["three"], 'Cannot run "three": the server must be one of one, two'],
    [["one", "--write"], "Cannot write the table: --write needs all servers"],
    [["--no-such"], "--no-such"],
    [["--cache"], "--cache"],
  ] as const
) {
  Deno.test(`readArguments refuses ${args.join(" ")}`, () => {
    assertThrows(() => readArguments(args, KNOWN), TypeError, message);
  });
}

Deno.test("usageOf names every server and every option", () => {
  const usage = usageOf(KNOWN);
  const options = Object.keys(readArguments([], KNOWN))
    .filter((name) => name !== "names").map((name) => `--${name}`);
  assertEquals([...KNOWN, ...options].filter((it) => !usage.includes(it)), []);
});

for (
  const [text, version] of [
    ["openjdk 17.0.15 2025-04-15\nOpenJDK Runtime", "17.0.15"],
    ["openjdk 21 2023-09-19", "21"],
    ["\x1b[1mApache Maven 3.8.7\x1b[m\n", "3.8.7"],
    ["Python 3.11.7\n", "3.11.7"],
    ["none", undefined],
  ] as const
) {
  Deno.test(`readVersion finds ${version} in ${JSON.stringify(text)}`, () => {
    assertEquals(readVersion(text), version);
  });
}

const { signal } = new AbortController();

Deno.test("requireProgram tells a program that is missing, and what to install", async () => {
  await assertRejects(
    () =>
      requireProgram(
        { program: "no-such-program", version: "3.10", install: "Some" },
        signal,
      ),
    Missing,
    '"no-such-program" is missing: install Some, version 3.10 or newer',
  );
});

for (const version of ["1000", `${parseInt(Deno.version.deno)}.1000`]) {
  Deno.test(`requireProgram tells a program that is older than ${version}`, async () => {
    await assertRejects(
      () =>
        requireProgram(
          { program: process.execPath, version, install: "Deno" },
          signal,
        ),
      Missing,
      `is version ${Deno.version.deno}: install Deno`,
    );
  });
}

for (const version of ["1", "1.1000", Deno.version.deno]) {
  Deno.test(`requireProgram takes a program that is not older than ${version}`, async () => {
    const program = process.execPath;
    await requireProgram({ program, version, install: "Deno" }, signal);
  });
}

Deno.test("judge takes a failure for an outcome where the case is lacking", () => {
  const [passed, failed] = [
    { name: "a", outcome: "passed" },
    { name: "a", outcome: "failed", reason: "not so" },
  ] as const;
  assertEquals([
    judge(passed, undefined).state,
    judge(failed, undefined).state,
    judge(failed, "no grant").state,
    judge(passed, "no grant").state,
  ], ["passed", "failed", "lacking", "failed"]);
  assertEquals(judge(failed, undefined).reason, "not so");
  assertEquals(judge(failed, "no grant").reason, "no grant");
});

Deno.test("lacking gives every case its reason", () => {
  assertEquals(lacking("no grant", "a", "b"), { a: "no grant", b: "no grant" });
});

Deno.test("serversTable has a row for each case and a column for each server", () => {
  const one = { title: "One", version: "1.0" };
  const two = { title: "Two", version: "2.0" };
  assertEquals(
    serversTable([
      {
        ...one,
        outcomes: [
          { name: "a", state: "passed" },
          { name: "b", state: "failed", reason: "not so" },
        ],
      },
      {
        ...two,
        outcomes: [
          { name: "a", state: "lacking", reason: "no grant" },
          { name: "b", state: "passed" },
        ],
      },
    ]),
    [
      "| case | One 1.0 | Two 2.0 |",
      "| ---- | ------- | ------- |",
      "| a    | ✓       | –       |",
      "| b    | ✗       | ✓       |",
    ].join("\n"),
  );
});

for (const [name, { lacks }] of Object.entries(KINDS)) {
  Deno.test(`${name} lacks cases that there are, and not all`, () => {
    const lacking = Object.keys(lacks);
    assertEquals(lacking.filter((it) => !(it in CASES)), []);
    assert(lacking.length < Object.keys(CASES).length);
  });
}

Deno.test("the README of oauth2 has a row for every case", () => {
  const readme = Deno.readTextFileSync(`${ROOT}oauth2/README.md`);
  const [, table = ""] = /<!-- servers -->([^]*)<!-- \/servers -->/
    .exec(readme) ?? [];
  const rows = [...table.matchAll(/^\| (.+?) +\|/gm)].map(([, name]) => name);
  assertEquals(
    rows.slice(2),
    Object.keys(CASES),
    "run: deno task test:servers --write",
  );
});

/** Nothing listens on it: it is reserved. */
const NOWHERE = "http://127.0.0.1:1/";
const ON_POSIX = process.platform !== "win32"; // for process groups

Deno.test({
  name: "Program tells what it printed if it ends before it answers",
  ignore: !ON_POSIX,
  async fn() {
    const code = "console.log('out'); console.error('err'); Deno.exit(3)";
    await using program = new Program({
      command: [process.execPath, "eval", code],
      cwd: ROOT,
    });
    const error = await assertRejects(
      () => program.waitUntilReady(NOWHERE, signal),
      Error,
      "status 3",
    );
    for (const text of ["out\n", "err\n"]) assert(error.message.includes(text));
  },
});

Deno.test({
  name: "Program tells a command that cannot be run",
  ignore: !ON_POSIX,
  async fn() {
    await using program = new Program({
      command: ["no-such-program"],
      cwd: ROOT,
    });
    await assertRejects(
      () => program.waitUntilReady(NOWHERE, signal),
      Error,
      "Cannot start no-such-program",
    );
  },
});

Deno.test({
  name: "Program is not waited for once the signal is aborted",
  ignore: !ON_POSIX,
  async fn() {
    const code = "setInterval(() => {}, 1e6)";
    await using program = new Program({
      command: [process.execPath, "eval", code],
      cwd: ROOT,
    });
    const aborted = AbortSignal.abort(new RangeError("no more"));
    await assertRejects(
      () => program.waitUntilReady(NOWHERE, aborted),
      RangeError,
    );
  },
});
