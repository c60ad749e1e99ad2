/**
 * Program that checks `DenoKvStore` on Deno KV, and prints the behaviours that
 * it has.
 */
import { DenoKvStore } from "../../../oauth2/stores/mod.ts";
import { CONTRACT } from "./_contract.ts";

for (const [behaviour, check] of Object.entries(CONTRACT)) {
  const kv = await Deno.openKv(":memory:");
  await check(new DenoKvStore(kv));
  kv.close();
  console.log(behaviour);
}
