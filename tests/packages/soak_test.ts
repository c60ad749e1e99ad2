/** Soak of a few seconds, over three imports. */
import { assert, assertEquals } from "@std/assert";
import { formatReport, isPassed, soak } from "../../scripts/soak/soak.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";

Deno.test("a soak of a few seconds finds no fault over three releases", async () => {
  using folder = new TemporaryFolder();
  const report = await soak({
    folder: folder.path,
    minutes: 0.2,
    rows: 500,
    seed: 7,
  });
  const text = formatReport(report);
  assert(isPassed(report), text);
  assertEquals(report.swaps.length, 3, text);
  for (const kind of ["lookup", "search", "batch", "aborted request"]) {
    assert(report.tally.kinds.has(kind), `${kind} is missing:\n${text}`);
  }
});
