/** Examples of a login with Hono and Express, each in a process. */
import { assert } from "@std/assert";
import { readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { ROOT } from "../../../scripts/root.ts";
import { testLoginApp } from "./_login_app.ts";

const EXAMPLES = `${ROOT}oauth2/examples`;

testLoginApp({
  name: "login_hono.ts",
  path: "",
  // As `deno serve`, which logs on the standard error.
  command: (port) => [
    process.execPath,
    "eval",
    `import app from "${pathToFileURL(`${EXAMPLES}/login_hono.ts`)}";
    const onListen = () => console.log("Listening");
    Deno.serve({ port: ${port}, hostname: "127.0.0.1", onListen }, app.fetch);`,
  ],
});

testLoginApp({
  name: "login_express.ts",
  path: "",
  command:
    () => [process.execPath, "run", "-A", `${EXAMPLES}/login_express.ts`],
});

for (const name of ["hono", "express"]) {
  Deno.test(`login_${name}.ts has at most 25 lines, besides the imports`, () => {
    const program = readFileSync(`${EXAMPLES}/login_${name}.ts`, "utf8")
      .replace(/^\/\*\*[^]*?\*\/$/gm, "").replace(/^import [^]*?;$/gm, "");
    const lines = program.split("\n").filter((line) => line.trim() !== "");
    assert(lines.length > 10 && lines.length <= 25, `${lines.length} lines`);
  });
}
