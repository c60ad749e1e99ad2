/** Leases of imports, and clocks that differ. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { DatabaseError, openStore } from "../../cep/store/mod.ts";
import { addPlaces, entries, publish } from "../cep/store/_release.ts";
import { contentOf } from "../cep/_stores.ts";
import { importVersion } from "./_data.ts";
import { query } from "./_pipeline.ts";
import { Sqld } from "./_sqld.ts";
import { testsWith } from "./_tests_with.ts";

const test = await testsWith("sqld");

/** Sets the end of the lease, relative to the clock of the server. */
async function moveLease(url: string, seconds: number): Promise<void> {
  await query(
    url,
    "UPDATE carteiro_release SET lease_until = unixepoch('subsec') + " +
      seconds,
  );
}

test("an import on a server whose clock jumps ahead loses its lease, and cannot publish", async () => {
  await using primary = await Sqld.start();
  const { url } = primary;
  const [one, two] = [await openStore({ url }), await openStore({ url })];
  const staging = await one.stage("the first import");
  await addPlaces(staging);
  await staging.addEntries(entries("01310100"));
  await moveLease(url, -1);
  await importVersion(two, "two");
  const content = await contentOf(two);
  await assertRejects(
    () => publish(staging, entries("01310100")),
    DatabaseError,
    "the lease ended",
  );
  // It has nothing left to remove.
  await staging.discard().catch(() => {});
  assertEquals(await contentOf(two), content);
  const tables = await query(
    url,
    "SELECT name FROM sqlite_master WHERE name LIKE 'localidade_%'",
  );
  assertEquals(tables.length, 1);
  await one.close();
  await two.close();
});

test("an import on a server whose clock jumps back still excludes others, by name", async () => {
  await using primary = await Sqld.start();
  const { url } = primary;
  const [one, two] = [await openStore({ url }), await openStore({ url })];
  const staging = await one.stage("the first import");
  await moveLease(url, 1e6);
  await assertRejects(
    () => two.stage("the second import"),
    DatabaseError,
    "another import is running (the first import)",
  );
  // The next write renews the lease for a time by the clock of the server.
  await addPlaces(staging);
  await staging.addEntries(entries("01310100"));
  await publish(staging, entries("01310100"));
  await importVersion(two, "two");
  assert((await two.release())!.totalCeps > 1);
  await one.close();
  await two.close();
});
