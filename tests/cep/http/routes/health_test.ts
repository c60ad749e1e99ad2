import { assertEquals, assertStringIncludes } from "@std/assert";
import { releaseName } from "../../../../cep/release/release.ts";
import type { Freshness, MemoryPart } from "../../../../cep/store/store.ts";
import { addresses, recordsStore, RELEASE } from "../../_records.ts";
import { Service } from "../../_service.ts";

const TIME = "2026-02-03T04:05:06.000Z";

const ROWS: readonly (readonly [
  freshness: Freshness | undefined,
  members: Record<string, unknown>,
])[] = [
  [undefined, {}],
  [{ syncedAt: TIME }, { synced_at: TIME }],
  // Errors may contain names of hosts.
  [{ syncedAt: TIME, error: "secret" }, { synced_at: TIME }],
  [{ syncedAt: null, error: "secret" }, { synced_at: null }],
];

const PARTS: readonly (readonly [
  missing: readonly MemoryPart[],
  status: string,
  members: Record<string, unknown>,
])[] = [
  [[], "ok", {}],
  [["search"], "degraded", { missing_parts: ["search"] }],
  [["points"], "degraded", { missing_parts: ["points"] }],
  [["snapshot", "search"], "degraded", {
    missing_parts: ["snapshot", "search"],
  }],
];

/** Removes the members that describe the release. */
function withoutRelease(data: Record<string, unknown>): unknown {
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => !RELEASE_MEMBERS.includes(name)),
  );
}

const RELEASE_MEMBERS = [
  "total_ceps",
  "seeded_at",
  "dne_version",
  "release",
  "sources",
];

Deno.test("/healthcheck describes the release", async () => {
  const store = recordsStore(addresses(1_900_001, 3));
  await using service = await Service.open({ store });
  const { data } = await (await service.ask("/healthcheck")).json();
  assertEquals(Object.keys(data), RELEASE_MEMBERS);
  assertEquals(data.release, releaseName((await store.release())!));
  assertEquals(data.sources, ["dne"]);
});

for (const sources of [["cnefe"], ["dne", "cnefe"]] as const) {
  Deno.test(`/healthcheck credits IBGE for data from ${sources}`, async () => {
    const store = recordsStore(addresses(1_900_001, 3), {
      release: () => Promise.resolve({ ...RELEASE, sources, totalCensus: 7 }),
    });
    await using service = await Service.open({ store });
    const { data } = await (await service.ask("/healthcheck")).json();
    assertEquals(data.sources, sources);
    assertEquals(
      data.credit,
      "Fonte: IBGE, Cadastro Nacional de Endereços para Fins Estatísticos " +
        "(CNEFE), Censo Demográfico 2022. Dados agregados por CEP por " +
        "Carteiro.",
    );
    const metrics = await (await service.ask("/metrics")).text();
    assertStringIncludes(metrics, "\ncep_census_records 7\n");
  });
}

for (const [missing, status, members] of PARTS) {
  Deno.test(`/healthcheck of a release without [${missing}] has the status ${status}`, async () => {
    const store = recordsStore(addresses(1_900_001, 3), {
      missingParts: () => missing,
    });
    await using service = await Service.open({ store });
    const response = await service.ask("/healthcheck");
    assertEquals(response.status, 200);
    const { status: found, data } = await response.json();
    assertEquals(found, status);
    assertEquals(withoutRelease(data), members);
    const metrics = await (await service.ask("/metrics")).text();
    assertEquals(
      metrics.includes(`\ncep_missing_parts ${missing.length}\n`),
      true,
    );
  });
}

for (const [freshness, members] of ROWS) {
  Deno.test(`/healthcheck of a store with freshness ${JSON.stringify(freshness)} reports ${JSON.stringify(members)}`, async () => {
    const store = recordsStore(addresses(1_900_001, 3), {
      freshness: () => freshness,
    });
    await using service = await Service.open({ store });
    const response = await service.ask("/healthcheck");
    assertEquals(response.status, 200);
    const { data } = await response.json();
    assertEquals(withoutRelease(data), members);
  });
}
