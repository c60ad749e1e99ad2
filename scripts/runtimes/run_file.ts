/** Runs the tests of a module, given by its URL, on Node or Bun. */
import process from "node:process";
import { MARK, runTests } from "./harness.ts";

for await (const result of runTests(() => import(process.argv[2]!))) {
  console.log(MARK + JSON.stringify(result));
}
console.log(MARK);
