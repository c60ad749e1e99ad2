/** Answers that need several calls, while releases are replaced. */
import { assertEquals, assertRejects } from "@std/assert";
import { inOneRelease } from "../../../cep/release/one_release.ts";
import { RELEASE } from "../_records.ts";

/** Returns a store with these releases at its calls, the last one repeated. */
function storeOf(...ids: readonly (number | undefined)[]) {
  const left = [...ids];
  return {
    release() {
      const id = left.length > 1 ? left.shift() : left[0];
      return Promise.resolve(id === undefined ? id : { ...RELEASE, id });
    },
  };
}

const CASES: readonly [
  name: string,
  ids: readonly (number | undefined)[],
  times: number,
][] = [
  ["once in one release", [1], 1],
  ["once in an empty database", [undefined], 1],
  ["again after a change", [1, 2], 2],
  ["again after the first release", [undefined, 1], 2],
  ["a third time after two changes", [1, 2, 3], 3],
  ["no fourth time", [1, 2, 3, 4, 5, 6], 3],
];

for (const [name, ids, times] of CASES) {
  Deno.test(`inOneRelease runs the action ${name}`, async () => {
    let count = 0;
    assertEquals(await inOneRelease(storeOf(...ids), () => ++count), times);
    assertEquals(count, times);
  });
}

Deno.test("inOneRelease throws the error of the last time", async () => {
  let count = 0;
  const action = () => Promise.reject(new Error(`time ${++count}`));
  await assertRejects(
    () => inOneRelease(storeOf(1, 2), action),
    Error,
    "time 2",
  );
});

Deno.test("inOneRelease drops an error that a change has caused", async () => {
  let count = 0;
  const action = () =>
    ++count === 1 ? Promise.reject(new Error("changed")) : "right";
  assertEquals(await inOneRelease(storeOf(1, 2), action), "right");
});
