/** Release files of a primary, for instances without a database server. */
import { assertEquals } from "@std/assert";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../cep/store/mod.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { cepCommand, outputOf } from "../_program.ts";
import { importVersion } from "./_data.ts";
import { Instance } from "./_instance.ts";
import { Sqld } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";

const test = await testsWith("sqld");

test("MODE=export writes each release of a primary, which instances with RELEASE_URL take", async () => {
  using folder = new TemporaryFolder();
  const releases = join(folder.path, "releases");
  await using primary = await Sqld.start();
  const store = await openStore({ url: primary.url });
  const exportRelease = async () => {
    const { code, stderr } = await outputOf(cepCommand(), {
      MODE: "export",
      EXPORT_FORMAT: "release",
      EXPORT_PATH: releases,
      DB_URL: primary.url,
      DB_PATH: join(folder.path, "replica"),
    });
    assertEquals(code, 0, stderr);
  };
  await importVersion(store, "one");
  await exportRelease();
  await using instance = await Instance.start({
    RELEASE_URL: releases,
    RELEASE_POLL_SECONDS: "1",
    DB_PATH: join(folder.path, "instance"),
  });
  await instance.awaitAnswer("/healthcheck", ({ status }) => status === 200);
  await instance.check("one");
  await importVersion(store, "two");
  await exportRelease();
  await instance.awaitVersion("two");
  assertEquals(readdirSync(releases).length, 3);
  await store.close();
});
