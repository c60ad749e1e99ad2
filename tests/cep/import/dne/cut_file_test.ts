/** Files without a last line end: complete, or cut off in their last line. */
import { assertEquals, assertRejects } from "@std/assert";
import { SeedError } from "../../../../cep/import/errors.ts";
import { deltaLine, updateFiles } from "../../_delta.ts";
import { encode, latin1, line, streets } from "../../_directory.ts";
import { seedFiles } from "../../_seeding.ts";
import { cepsOf, OpenedStore } from "../../_stores.ts";

const MAILBOX = deltaLine(
  "LOG_CPC",
  "UPD",
  { CPC_NU: "1", CPC_NO: "Armazém", CEP: "12900991" },
  "12900990",
);
const RANGE = deltaLine("LOG_FAIXA_CPC", "INS", { CPC_NU: "1" });

/** Texts of a file of a delta, and whether it was cut off. */
const DELTAS: readonly [name: string, text: string, isCut: boolean][] = [
  ["a last line end", `${MAILBOX}\r\n`, false],
  ["no last line end", MAILBOX, false],
  ["a last line with CR alone", `${MAILBOX}\r`, false],
  ["a final Ctrl-Z", `${MAILBOX}\x1A`, false],
  ["half a last line", MAILBOX.slice(0, MAILBOX.length / 2), true],
  ["a last line without its last column", MAILBOX.slice(0, -9), true],
  ["a part of the last column", MAILBOX.slice(0, -3), true],
  ["one byte of a last line", `${MAILBOX}\r\n2`, true],
  ["a complete line that is rejected", "x\r\n", false],
  ["a rejected line before one without an end", `x\r\n${MAILBOX}`, false],
  ["no byte", "", false],
];

for (const [name, text, isCut] of DELTAS) {
  Deno.test(`update ${isCut ? "refuses" : "accepts"} a file with ${name}`, async () => {
    await using opened = await OpenedStore.inMemory({});
    const before = await cepsOf(opened.store);
    const updating = updateFiles(opened.store, {
      "DELTA_LOG_CPC.TXT": latin1(text),
    });
    if (!isCut) {
      await updating;
      return;
    }
    await assertRejects(
      () => updating,
      SeedError,
      "Cannot update from DELTA_LOG_CPC.TXT: it was cut off in line " +
        `${text.split("\n").length}, which is incomplete`,
    );
    assertEquals(await cepsOf(opened.store), before);
  });
}

Deno.test("update refuses a file that is cut within its operation", async () => {
  await using opened = await OpenedStore.inMemory({
    "LOG_FAIXA_CPC.TXT": [line("LOG_FAIXA_CPC")],
  });
  const text = `${RANGE}\r\n${RANGE.slice(0, -1)}`;
  await assertRejects(
    () =>
      updateFiles(opened.store, { "DELTA_LOG_FAIXA_CPC.TXT": latin1(text) }),
    SeedError,
    "it was cut off in line 2",
  );
});

Deno.test("seed refuses a file that is cut off in its last line, however many lines are accepted", async () => {
  await using opened = await OpenedStore.inMemory({});
  const before = await cepsOf(opened.store);
  const bytes = encode(streets(300));
  const options = { maxRejectedPercent: 100, maxShrinkPercent: 100 };
  await assertRejects(
    () =>
      seedFiles(
        opened.store,
        { "LOG_LOGRADOURO_SP.TXT": bytes.slice(0, -20) },
        options,
      ),
    SeedError,
    "Cannot import LOG_LOGRADOURO_SP.TXT: it was cut off in line 300",
  );
  assertEquals(await cepsOf(opened.store), before);
  await seedFiles(
    opened.store,
    { "LOG_LOGRADOURO_SP.TXT": bytes.slice(0, -2) },
    options,
  );
});
