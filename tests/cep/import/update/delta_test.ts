import fc from "fast-check";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  DELTA_FILES,
  deltaColumns,
  parseDeltaRow,
  toPreviousCep,
} from "../../../../cep/import/update/delta.ts";
import { RejectedRow } from "../../../../cep/import/dne/layout.ts";
import { deltaLine, updateFiles } from "../../_delta.ts";
import { SeedError } from "../../../../cep/import/errors.ts";
import { encode, latin1, line, streets } from "../../_directory.ts";
import { seedFiles } from "../../_seeding.ts";
import { cepsOf, OpenedStore } from "../../_stores.ts";

Deno.test("DELTA_FILES lists the files of Correios, and those of their document", () => {
  assertEquals(DELTA_FILES.map(({ name }) => name), [
    "DELTA_LOG_LOCALIDADE.TXT",
    "DELTA_LOG_BAIRRO.TXT",
    "DELTA_LOG_FAIXA_UF.TXT",
    "DELTA_LOG_FAIXA_LOCALIDADE.TXT",
    "DELTA_LOG_FAIXA_LOC.TXT",
    "DELTA_LOG_FAIXA_BAIRRO.TXT",
    "DELTA_LOG_FAIXA_BAI.TXT",
    "DELTA_LOG_FAIXA_CPC.TXT",
    "DELTA_LOG_FAIXA_UOP.TXT",
    "DELTA_LOG_NUM_SEC.TXT",
    "DELTA_LOG_LOGRADOURO.TXT",
    "DELTA_LOG_GRANDE_USUARIO.TXT",
    "DELTA_LOG_UNID_OPER.TXT",
    "DELTA_LOG_CPC.TXT",
  ]);
});

/** Numbers of columns in the layout document. */
const COUNTS = {
  LOG_LOCALIDADE: 11,
  LOG_BAIRRO: 6,
  LOG_FAIXA_UF: 4,
  LOG_FAIXA_LOCALIDADE: 5,
  LOG_FAIXA_BAIRRO: 4,
  LOG_FAIXA_CPC: 4,
  LOG_FAIXA_UOP: 4,
  LOG_NUM_SEC: 5,
  LOG_LOGRADOURO: 13,
  LOG_GRANDE_USUARIO: 11,
  LOG_UNID_OPER: 12,
  LOG_CPC: 8,
} as const;

for (const { family } of DELTA_FILES) {
  Deno.test(`deltaColumns adds the columns of a delta to ${family}`, () => {
    assertEquals(deltaColumns(family).length, COUNTS[family]);
  });

  Deno.test(`parseDeltaRow reads a row of ${family}`, () => {
    const cep = deltaColumns(family).includes("CEP") ? "01310100" : "";
    const text = deltaLine(family, "UPD", {}, cep);
    const { operation, row, previousCep } = parseDeltaRow(family, text);
    assertEquals([operation, previousCep], ["UPD", cep]);
    assertEquals(deltaLine(family, "UPD", row, cep), text);
  });
}

Deno.test("parseDeltaRow reads the operation of a range before its type", () => {
  const { operation, row } = parseDeltaRow(
    "LOG_FAIXA_LOCALIDADE",
    "9@12900000@12909999@INS@T",
  );
  assertEquals(operation, "INS");
  assertEquals(row, {
    LOC_NU: "9",
    LOC_CEP_INI: "12900000",
    LOC_CEP_FIM: "12909999",
    LOC_TIPO_FAIXA: "T",
  });
});

const REJECTED: readonly [line: string, message: string][] = [
  ["9@SP@1@Centro@", "unknown operation, none"],
  ["9@SP@1@Centro@@", "unknown operation, none"],
  ["9@SP@1@Centro@@ins", "unknown operation, ins"],
  ["9@SP@1@Centro@@UP", "unknown operation, UP"],
  ["9@SP@1@Centro", "wrong column count, 4 instead of 6"],
  ["9@SP@1@Centro@@INS@", "wrong column count, 7 instead of 6"],
  ["9@SP@1@Cen\0tro@@INS", "NUL character, "],
];

for (const [line, message] of REJECTED) {
  Deno.test(`parseDeltaRow rejects ${JSON.stringify(line)}`, () => {
    assertThrows(
      () => parseDeltaRow("LOG_BAIRRO", line),
      RejectedRow,
      `Cannot use row: ${message}`,
    );
  });
}

Deno.test("parseDeltaRow rejects any text or returns a row of it", () => {
  fc.assert(fc.property(
    fc.constantFrom(...DELTA_FILES),
    fc.array(fc.oneof(fc.string(), fc.constantFrom("INS", "UPD", "DEL", ""))),
    ({ family }, values) => {
      try {
        const { row } = parseDeltaRow(family, values.join("@"));
        for (const value of Object.values(row)) {
          assertEquals(value, value.trim());
        }
      } catch (error) {
        if (!(error instanceof RejectedRow)) throw error;
      }
    },
  ));
});

for (
  const [text, cep] of [
    ["", ""],
    ["01310100", "01310100"],
    ["1310100", "01310100"],
    ["131010", undefined],
    ["0131-100", undefined],
  ] as const
) {
  Deno.test(`toPreviousCep returns ${cep} for "${text}"`, () => {
    assertEquals(toPreviousCep(text, "SP"), cep);
  });
}

Deno.test("toPreviousCep pads a CEP only where CEPs begin with 0", () => {
  assertEquals(toPreviousCep("9131010", "RS"), undefined);
});

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
