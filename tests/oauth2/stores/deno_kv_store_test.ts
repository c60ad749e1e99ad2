/** Store in Deno KV, which is unstable: a process has the flag. */
import { assertEquals } from "@std/assert";
import process from "node:process";
import { ROOT } from "../../../scripts/root.ts";
import { outputOf } from "../../_program.ts";
import { CONTRACT } from "./_contract.ts";

Deno.test("DenoKvStore behaves like every store, on Deno KV", async () => {
  const { code, stdout, stderr } = await outputOf([
    process.execPath,
    ...["run", "--unstable-kv", "--no-check"],
    `${ROOT}tests/oauth2/stores/_deno_kv_program.ts`,
  ]);
  assertEquals([code, stdout.trim().split("\n")], [
    0,
    Object.keys(CONTRACT),
  ], stderr);
});
