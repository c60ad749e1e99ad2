/** Tests that visit the page in a browser. */
import { assertEquals } from "@std/assert";
import { CHROMIUM, Scene, Visit, type VisitOptions } from "./_page_visit.ts";

let scene: Scene | undefined;

/** Opens the browser before the tests of a file, and closes it after them. */
export function useScene(): void {
  Deno.test.beforeAll(async () => {
    if (CHROMIUM !== undefined) scene = await Scene.open();
  });
  Deno.test.afterAll(async () => {
    await scene?.[Symbol.asyncDispose]();
  });
}

/** Defines a test that needs a browser. The page must not complain in it. */
export function pageTest(
  name: string,
  options: VisitOptions,
  test: (visit: Visit) => Promise<void>,
): void {
  Deno.test({
    name: CHROMIUM === undefined
      ? `${name} (ignored: no Chromium here, CHROMIUM_PATH may name one)`
      : name,
    ignore: CHROMIUM === undefined,
    async fn() {
      await using visit = await Visit.start(scene!, options);
      await test(visit);
      assertEquals(visit.complaints, []);
    },
  });
}
