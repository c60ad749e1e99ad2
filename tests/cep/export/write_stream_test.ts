import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import {
  CSV_HEADER,
  toCsvLine,
  writeStream,
} from "../../../cep/export/write_stream.ts";
import { type Address, FIELDS } from "../../../cep/record/address.ts";
import type { Dump } from "../../../cep/store/store.ts";
import { CODE_POINT } from "../_characters.ts";
import { addresses, EMPTY_ADDRESS } from "../_records.ts";

/** Dump of records in pages, which counts the pages that are read. */
class CountedDump implements Pick<Dump, "pages"> {
  readonly pages: AsyncIterable<string[]>;
  read = 0;

  constructor(...pages: readonly (readonly object[])[]) {
    this.pages = this.#readAll(pages);
  }

  async *#readAll(
    pages: readonly (readonly object[])[],
  ): AsyncGenerator<string[]> {
    for (const page of pages) {
      this.read++;
      yield await Promise.resolve(page.map((it) => JSON.stringify(it)));
    }
  }
}

type Callback = (error?: Error | null) => void;

/** Output that passes each text, and the function that accepts it. */
function outputTo(take: (text: string, done: Callback) => void) {
  const write = (chunk: unknown, done: unknown) => {
    take(new TextDecoder().decode(chunk as Uint8Array), done as Callback);
    return true;
  };
  return { write: write as NodeJS.WritableStream["write"] };
}

const [A, B, C] = addresses(1_310_100, 3, { bairro: "Sé" });

Deno.test("writeStream writes a line of JSON for each record", async () => {
  let text = "";
  const output = outputTo((part, done) => {
    text += part;
    done();
  });
  const dump = new CountedDump([A!, B!], [C!]);
  assertEquals(await writeStream({ dump, format: "ndjson", output }), {
    records: 3,
    complete: true,
  });
  assertEquals(text, [A, B, C].map((it) => `${JSON.stringify(it)}\n`).join(""));
});

for (
  const [format, empty] of [
    ["ndjson", 0],
    ["csv", 1],
  ] as const
) {
  Deno.test(`writeStream writes ${empty} lines of ${format} without records`, async () => {
    let text = "";
    const output = outputTo((part, done) => {
      text += part;
      done();
    });
    await writeStream({ dump: new CountedDump(), format, output });
    assertEquals(text.split("\n").length - 1, empty);
  });
}

Deno.test("writeStream reads no page before the output has taken the last one", async () => {
  const waiting: Callback[] = [];
  const output = outputTo((_text, done) => waiting.push(done));
  const dump = new CountedDump([A!], [B!], [C!]);
  const written = writeStream({ dump, format: "ndjson", output });
  const turn = async () => {
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };
  await turn();
  waiting.shift()!(); // the header
  await turn();
  assertEquals([waiting.length, dump.read], [1, 1]);
  await turn();
  assertEquals(dump.read, 1);
  for (let page = 2; page <= 3; page++) {
    waiting.shift()!();
    await turn();
    assertEquals(dump.read, page);
  }
  waiting.shift()!();
  assertEquals((await written).complete, true);
});

function failing(code: string) {
  return outputTo((text, done) =>
    done(text === "" ? null : Object.assign(new Error(code), { code }))
  );
}

Deno.test("writeStream ends after its reader has closed the output", async () => {
  const dump = new CountedDump([A!], [B!]);
  assertEquals(
    await writeStream({ dump, format: "ndjson", output: failing("EPIPE") }),
    { records: 0, complete: false },
  );
  assertEquals(dump.read, 1);
});

Deno.test("writeStream rejects if the output cannot be written", async () => {
  const output = failing("ENOSPC");
  await assertRejects(
    () =>
      writeStream({ dump: new CountedDump([A!]), format: "ndjson", output }),
    Error,
    "Cannot write the output: ENOSPC",
  );
});

const NAMES = Object.keys(FIELDS);

/** Parses CSV by RFC 4180, section 2. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (const [, quoted, plain = "", end] of text.matchAll(field)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

for (
  const [value, written] of [
    ["Rua A", "Rua A"],
    ["", ""],
    ["Rua A, 9", '"Rua A, 9"'],
    ['Rua "A"', '"Rua ""A"""'],
    ["Rua\nA", '"Rua\nA"'],
    ["Rua\rA", '"Rua\rA"'],
    [" Rua A ", " Rua A "],
    ["Praça da Sé", "Praça da Sé"],
    // Formulas of spreadsheets are not altered.
    ["=1+1", "=1+1"],
    ["@SUM(A1)", "@SUM(A1)"],
  ] as const
) {
  Deno.test(`toCsvLine writes ${JSON.stringify(value)} as ${JSON.stringify(written)}`, () => {
    const line = toCsvLine({ ...EMPTY_ADDRESS, logradouro: value });
    const rest = ",".repeat(NAMES.length - 2);
    assertEquals(line, `,${written}${rest}\r\n`);
  });
}

Deno.test("toCsvLine writes any values so that a parser returns them", () => {
  const values = fc.array(
    fc.oneof(
      fc.constantFrom('"', ",", "\r\n", '""', "\n", "'", ";"),
      fc.string({ unit: CODE_POINT }),
    ),
    { minLength: NAMES.length, maxLength: NAMES.length },
  );
  fc.assert(fc.property(fc.array(values), (rows) => {
    const lines = rows.map((row) =>
      toCsvLine(
        Object.fromEntries(
          NAMES.map((name, i) => [name, row[i]]),
        ) as unknown as Address,
      )
    );
    assertEquals(parseCsv(CSV_HEADER + lines.join("")), [NAMES, ...rows]);
  }));
});
