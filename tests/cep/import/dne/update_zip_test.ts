/** Deltas in zip files. */
import { assertEquals, assertRejects } from "@std/assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DirectoryError } from "../../../../cep/import/errors.ts";
import {
  update,
  type UpdateReport,
} from "../../../../cep/import/update/update.ts";
import { encode, LINES } from "../../_directory.ts";
import { CapturingLogger } from "../../_logger.ts";
import { contentOf, OpenedStore } from "../../_stores.ts";
import { zip } from "../../_zip.ts";
import { TemporaryFolder } from "../../../../scripts/temporary_folder.ts";
import { street, STREETS } from "./_updated.ts";

const DELTA = zip([
  { name: "LEIAME.TXT", content: encode(["DNE versão 25042"]) },
  { name: "Delimitado/DELTA_LOG_CPC.TXT", content: encode([]) },
  {
    name: `Delimitado/${STREETS}`,
    content: encode([street("UPD", { LOG_NO: "Nova" })]),
  },
]);

const BASE = zip([{
  name: "Delimitado/LOG_LOCALIDADE.TXT",
  content: encode(LINES["LOG_LOCALIDADE.TXT"]!),
}]);

const OUTER = zip([
  { name: "eDNE_Basico_25042.zip", content: BASE },
  { name: "eDNE_Delta_Basico_25042.zip", content: DELTA },
]);

/** Updates the small DNE from a file in a folder, or from the folder. */
async function updateFrom(
  name: string,
  bytes: Uint8Array,
  path: string = name,
): Promise<{ report: UpdateReport; street: string | undefined }> {
  using folder = new TemporaryFolder();
  writeFileSync(join(folder.path, name), bytes);
  await using opened = await OpenedStore.inMemory({});
  const { store } = opened;
  const before = await contentOf(store);
  try {
    const directory = join(folder.path, path);
    const logger = new CapturingLogger();
    const report = await update({ directory, store, logger });
    const street = (await store.find("01900001"))?.logradouro;
    return { report, street };
  } catch (error) {
    assertEquals(await contentOf(store), before);
    throw error;
  }
}

const SOURCES: readonly [
  name: string,
  file: string,
  bytes: Uint8Array,
  path?: string,
][] = [
  ["its zip file", "delta.zip", DELTA],
  ["the zip file of base and delta", "eDNE_Basico.zip", OUTER],
  ["a folder with its zip file", "eDNE_Delta_Basico_25042.zip", DELTA, "."],
];

for (const [name, file, bytes, path] of SOURCES) {
  Deno.test(`update applies the delta in ${name}`, async () => {
    const { report, street } = await updateFrom(file, bytes, path);
    assertEquals(street, "Rua Nova");
    assertEquals(report.dneVersion, "25042");
    assertEquals(report.files.map(({ lines }) => lines), [1, 0]);
  });
}

const UNUSABLE: readonly [name: string, bytes: Uint8Array][] = [
  ["cut in half", DELTA.slice(0, DELTA.length / 2)],
  ["without a delta", BASE],
  ["with an overwritten byte", DELTA.with(DELTA.length / 2, 0xFF)],
];

for (const [name, bytes] of UNUSABLE) {
  Deno.test(`update rejects a zip file ${name}, and leaves the release`, async () => {
    await assertRejects(() => updateFrom("delta.zip", bytes), DirectoryError);
  });
}
