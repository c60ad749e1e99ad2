import { assertEquals } from "@std/assert";
import { collectGarbage } from "../../../cep/util/collect_garbage.ts";
import { sharedMemory } from "../../../cep/util/memory.ts";

Deno.test("collectGarbage collects shared memory that was dropped", async () => {
  const dropped =
    ((): WeakRef<ArrayBufferLike> => new WeakRef(sharedMemory(1 << 20)))();
  await collectGarbage();
  assertEquals(dropped.deref(), undefined);
});
