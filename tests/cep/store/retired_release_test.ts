import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { LocalSearches } from "../../../cep/search/search_calls.ts";
import { connectImmutable } from "../../../cep/release/local_connection.ts";
import { OpenRelease } from "../../../cep/release/open_release.ts";
import { TemporaryFolder } from "../../../scripts/temporary_folder.ts";
import { entry, writeRelease } from "./_release.ts";

/** Opens a release in memory, and passes it on. */
async function withRelease(
  action: (release: OpenRelease) => Promise<void>,
): Promise<void> {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "cep.db");
  await writeRelease(path, [
    entry("01310100", { street: "das Flores" }),
    entry("01310200", { street: "1234" }),
  ]);
  const release = await OpenRelease.open(await connectImmutable(path));
  try {
    await release.loadSnapshot();
    await release.loadSearch(new LocalSearches());
    await action(release);
  } finally {
    release.close();
  }
}

Deno.test("OpenRelease.retire lets a record be read by a query", async () => {
  await withRelease(async (release) => {
    const before = await release.findJson("01310100");
    release.retire();
    assertEquals(release.isInMemory, false);
    const after = await release.findJson("01310100");
    assertEquals([before?.fromMemory, after?.fromMemory], [true, false]);
    assertEquals(after?.json, before?.json);
  });
});

// The digits are looked up as a CEP first, by a query.
for (const text of ["flores", "1234", "013"]) {
  Deno.test(`OpenRelease.retire lets a search for "${text}" in progress be completed`, async () => {
    await withRelease(async (release) => {
      const query = { text, limit: 5 };
      const before = await release.search(query);
      const searches = [release.search(query), release.search(query)];
      release.retire();
      assertEquals(await Promise.all(searches), [before, before]);
      assertEquals(before.data.length > 0, true);
      await assertRejects(
        () => release.search(query),
        Error,
        "without the search index",
      );
    });
  });
}
