import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { type Match, MAX_ADDRESS } from "../../../cep/search/matcher.ts";
import { NO_PARTS } from "../../../cep/record/address_parts.ts";
import { TableError } from "../../../cep/tables/columns.ts";
import type { EarlierAnswers } from "../../../cep/tables/continuation.ts";
import { joinCells } from "../../../cep/tables/csv.ts";
import {
  matchTable,
  type MatchTableOptions,
} from "../../../cep/tables/match_table.ts";
import { DatabaseError } from "../../../cep/store/store.ts";
import { MAX_ROW } from "../../../cep/tables/row_reader.ts";
import { address } from "../_records.ts";

const FIXED = { seed: 20260101, numRuns: 100 };

/** Finds one record for addresses that begin with "Rua". */
function find(text: string): Promise<Match> {
  const isFound = text.startsWith("Rua");
  const registro = address();
  return Promise.resolve({
    cep: isFound ? registro.cep : null,
    pontuacao: isFound ? 0.87 : 0,
    diferencas: isFound
      ? [
        { campo: "bairro", informado: "", encontrado: "" },
        { campo: "cep", informado: "", encontrado: "" },
      ]
      : [],
    outros_ceps: isFound ? ["01900002"] : [],
    cep_novo: null,
    nome_encontrado: null,
    endereco: NO_PARTS,
    registro: isFound ? registro : null,
  });
}

const HEADER = "cep_encontrado;pontuacao;diferencas;outros_ceps;" +
  "logradouro_encontrado;complemento_encontrado;bairro_encontrado;" +
  "cidade_encontrada;uf_encontrada;codigo_ibge_encontrado;parcial;erro";
const FOUND = "01900001;0.87;bairro cep;01900002;Rua das Flores;" +
  "de 1 a 99 - lado ímpar;Centro;Vila Grande;SP;3599901;;";
const MISSING = ";0;;;;;;;;;;";
const FAILED = ";;;;;;;;;;;";

interface Run extends Partial<MatchTableOptions> {
  readonly chunk?: number;
}

/** Matches a table, and returns its answers and their counts. */
async function run(
  table: string | Uint8Array,
  { chunk = 7, ...options }: Run = {},
) {
  const bytes = Buffer.from(table);
  async function* input() {
    for (let i = 0; i < bytes.length; i += chunk) {
      yield await Promise.resolve(bytes.subarray(i, i + chunk));
    }
  }
  let output = "";
  const report = await matchTable({
    input: input(),
    encoding: "utf-8",
    format: "csv",
    delimiter: "auto",
    columns: {},
    matcher: { match: find },
    write(text) {
      output += text;
      return Promise.resolve();
    },
    ...options,
  });
  return { output, report };
}

Deno.test("matchTable adds columns to a CSV table", async () => {
  const { output, report } = await run(
    'id;endereco\r\n1;"Rua das ""Flores"", 5"\r\n2;x\r\n',
  );
  assertEquals(
    output,
    [
      `id;endereco;${HEADER}`,
      `1;"Rua das ""Flores"", 5";${FOUND}`,
      `2;x;${MISSING}`,
      "",
    ].join("\r\n"),
  );
  assertEquals(report, {
    found: 1,
    missing: 1,
    errors: 0,
    skipped: 0,
    columns: { endereco: "endereco" },
  });
});

/** Rows whose text is not as the program would write it. */
const WRITTEN_OTHERWISE: readonly (readonly [
  name: string,
  header: string,
  rows: readonly string[],
])[] = [
  ["quotes without need", '"id";"endereco"\n', ['"1";"Rua A"\n']],
  ["blanks", "id ; endereco\n", [" 1 ;Rua A\t \n"]],
  ["quotes within a cell", "id;endereco\n", ['1"2;Rua "A"\n']],
  ["a carriage return within a cell", "id;endereco\n", ["1\r2;Rua A\n"]],
  ["mixed line ends", "id;endereco\n", ["1;Rua A\r\n", "2;Rua B\n"]],
  ["line ends in quotes", 'id;"endereco"\r\n', [
    '"1\r\n2\n";"Rua\nA"\r\n',
    "3;Rua B\r\n",
  ]],
  ["a header with line ends in quotes", '"i\nd";"endereco\r\n"\r\n', [
    "1;Rua A\r\n",
  ]],
  [
    "a header whose first cell is quoted, after a mark",
    '\uFEFF"i;d";endereco\n',
    [
      "1;Rua A\n",
    ],
  ],
  ["columns without a name", ";endereco;;\n", ["1;Rua A;;2\n"]],
  ["quotes around all of its only column", '"endereco"\n', ['"Rua A, 5"\n']],
  ["quotes within its only column", "endereco\n", ['Rua "A"\n']],
];

for (const [name, header, rows] of WRITTEN_OTHERWISE) {
  for (const chunk of [1, 7, 1000]) {
    Deno.test(`matchTable keeps the text of a table with ${name}, in chunks of ${chunk}`, async () => {
      const table = header + rows.join("");
      const { output, report } = await run(table, { chunk });
      const added = header.includes(";") ? HEADER : HEADER.replaceAll(";", ",");
      const found = header.includes(";") ? FOUND : FOUND.replaceAll(";", ",");
      const separator = added[14];
      const extend = (row: string, cells: string) =>
        row.replace(/\r?\n$/, (end) => separator + cells + end);
      assertEquals(
        output,
        extend(header, added) + rows.map((row) => extend(row, found)).join(""),
      );
      assertEquals(report.found, rows.length);
      const left = earlier(Buffer.from(output));
      const resumed = await run(table, { chunk, earlier: left });
      assertEquals(resumed.report.skipped, rows.length);
    });
  }
}

Deno.test("matchTable gives a last row without a line end that of the header", async () => {
  const { output } = await run("id;endereco\r\n1;Rua A");
  assert(output.endsWith(`\r\n1;Rua A;${FOUND}\r\n`));
  const cut = await run('id;endereco\r\n1;"Rua A"\r');
  assert(cut.output.endsWith(`\r\n1;"Rua A";${FOUND}\r\n`));
});

Deno.test("matchTable puts an error in the place of a broken row", async () => {
  const long = "x".repeat(MAX_ADDRESS + 1);
  const { output, report } = await run(
    `id;endereco\n1;Rua A\n2;"Rua\n3\n4;a;b\n5;${long}\n6;Rua B\n`,
  );
  assertEquals(output.split("\n").slice(1), [
    `1;Rua A;${FOUND}`,
    `2;"""Rua";${FAILED}aspas sem par ou seguidas de texto`,
    `3;;${FAILED}linha com 1 colunas em vez de 2`,
    `4;"a;b";${FAILED}linha com 3 colunas em vez de 2`,
    `5;${long};${FAILED}endereço com mais de ${MAX_ADDRESS} caracteres`,
    `6;Rua B;${FOUND}`,
    "",
  ]);
  assertEquals(report, {
    found: 2,
    missing: 0,
    errors: 4,
    skipped: 0,
    columns: { endereco: "endereco" },
  });
});

Deno.test("matchTable allows each part of an address the length that the API does", async () => {
  const long = "x".repeat(MAX_ADDRESS);
  const { report } = await run(
    `logradouro;complemento\n${long};${long}\n${long}x;\n`,
  );
  assertEquals([report.found, report.missing, report.errors], [0, 1, 1]);
});

/** Rows with more cells than the header, and the cells of their answers. */
const EXCESS: readonly [name: string, row: string, cells: string][] = [
  ["cells", "1;a;b;c", '1;"a;b;c"'],
  ["empty cells", "1;a;;", '1;"a;;"'],
  ["quoted cells", '1;"a""b";"c;d"', '1;"a""b;c;d"'],
  ["cells and a broken quote", '1;a;b";"c', '1;"a;b"";""c"'],
];

for (const [name, row, cells] of EXCESS) {
  Deno.test(`matchTable keeps ${name} beyond the header in the last column`, async () => {
    const table = `id;endereco\n${row}\n2;Rua B\n`;
    const { output } = await run(table);
    const [, answer = "", next] = output.split("\n");
    assertEquals(answer.slice(0, cells.length), cells);
    assert(answer.slice(cells.length).startsWith(`;${FAILED}`), answer);
    assertEquals(next, `2;Rua B;${FOUND}`);
    const left = earlier(Buffer.from(output));
    const resumed = await run(table, { earlier: left });
    assertEquals(resumed.report.skipped, 2);
  });
}

Deno.test("matchTable reports bytes that are not UTF-8", async () => {
  const latin1 = Buffer.from("endereco\nRua São João\n", "latin1");
  const { output } = await run(latin1);
  assert(output.includes("informe MATCH_ENCODING=iso-8859-1"));
});

Deno.test("matchTable answers rows whose letters were lost before", async () => {
  const asked: string[] = [];
  const matcher = {
    match: (endereco: string) => {
      asked.push(endereco);
      return find(endereco);
    },
  };
  await run("endereco\nRua S\uFFFDo Jo\uFFFDo\n", { matcher });
  assertEquals(asked, ["Rua S\uFFFDo Jo\uFFFDo"]);
  const cut = Buffer.from("endereco\nRua S\uFFFDo Jo\u00e3").subarray(0, -1);
  const { output } = await run(cut);
  assert(output.includes("informe MATCH_ENCODING=iso-8859-1"));
});

Deno.test("matchTable tells that the search for a row ended early", async () => {
  const matcher = {
    match: async (endereco: string) =>
      ({ ...await find(endereco), parcial: true }) as const,
  };
  const { output } = await run("id;endereco\n1;Rua A\n", { matcher });
  assert(output.endsWith(";3599901;sim;\n"), output);
});

Deno.test("matchTable reads ISO-8859-1", async () => {
  const latin1 = Buffer.from("endereco\nRua São João\n", "latin1");
  const { output } = await run(latin1, { encoding: "iso-8859-1" });
  assert(output.includes("\nRua São João,01900001,"));
});

Deno.test("matchTable keeps a byte order mark, also when it continues", async () => {
  const { output } = await run("\uFEFFendereco\nRua A\nRua B\n");
  assert(output.startsWith("\uFEFFendereco,cep_encontrado,"));
  const left = earlier(Buffer.from(output).subarray(0, -3));
  const rest = await run("\uFEFFendereco\nRua A\nRua B\n", { earlier: left });
  assertEquals(
    Buffer.concat([left.bytes, Buffer.from(rest.output)]).toString(),
    output,
  );
});

Deno.test("matchTable reads a table of one column, with or without quotes", async () => {
  const { output } = await run('endereco\nRua A, 5; 6\n"Rua B, 7"\nx\n');
  assertEquals(
    output.split("\n").slice(1).map((line) => line.slice(0, 21)),
    ['"Rua A, 5; 6",0190000', '"Rua B, 7",01900001,0', "x,,0,,,,,,,,,,", ""],
  );
});

Deno.test("matchTable answers NDJSON", async () => {
  const { output, report } = await run(
    '{"id":1,"endereco":"Rua A"}\n{"id":2}\nnot JSON\n[]\n' +
      '{"rua":"x","cep":1310100,"encontrado":0}',
    { format: "ndjson" },
  );
  const [first, ...others] = output.trimEnd().split("\n")
    .map((line) => JSON.parse(line));
  assertEquals(first, {
    id: 1,
    endereco: "Rua A",
    encontrado: {
      cep: "01900001",
      pontuacao: 0.87,
      diferencas: first.encontrado.diferencas,
      outros_ceps: ["01900002"],
      cep_novo: null,
      nome_encontrado: null,
      registro: address(),
    },
  });
  const nothing = {
    cep: null,
    pontuacao: 0,
    diferencas: [],
    outros_ceps: [],
    cep_novo: null,
    nome_encontrado: null,
    registro: null,
  };
  assertEquals(others, [
    { id: 2, erro: "linha sem endereço" },
    { linha: "not JSON", erro: "a linha deve ser um objeto JSON" },
    { linha: "[]", erro: "a linha deve ser um objeto JSON" },
    { rua: "x", cep: 1310100, encontrado: 0, encontrado_2: nothing },
  ]);
  assertEquals([report.found, report.missing, report.errors], [1, 1, 3]);
});

Deno.test("matchTable reads NDJSON with a byte order mark, in chunks of any size", async () => {
  const object = '{"endereco":"Rua A"}';
  for (const chunk of [1, 2, 3, 100]) {
    const { report } = await run(`\uFEFF${object}`, {
      chunk,
      format: "ndjson",
    });
    assertEquals(report.found, 1);
  }
});

/** Objects that would not be the same if they were parsed and written. */
const OBJECTS = [
  '{"id":12345678901234567890,"endereco":"Rua A"}',
  '{"a":1.0,"b":1e3,"c":-0,"endereco":"Rua A"}',
  ' { "endereco" : "Rua  A" ,\t"b" : [ 1 ] } ',
  '{"2":0,"1":0,"endereco":"Rua A"}',
  '{"endereco":"Rua \\u0041\\/","id":"\\u00e7\\ud83c"}',
  '{"id":1,"id":2,"endereco":"Rua A"}',
  '{"__proto__":{"x":1},"endereco":"Rua A"}',
  "{}",
  "{ }",
];

for (const object of OBJECTS) {
  for (const end of ["\n", "\r\n", ""]) {
    Deno.test(`matchTable keeps the text of ${object}${JSON.stringify(end)}`, async () => {
      const { output } = await run(object + end, { format: "ndjson" });
      const start = object.slice(0, object.lastIndexOf("}"));
      assertEquals(output.slice(0, start.length), start);
      const { encontrado, erro } = JSON.parse(output);
      assertEquals(
        encontrado?.cep ?? erro,
        start.includes("Rua") ? "01900001" : "linha sem endereço",
      );
      const rest = object.slice(start.length + 1) + (end || "\n");
      assert(output.endsWith(`}${rest}`), output);
    });
  }
}

Deno.test("matchTable does not replace members that are named like its own", async () => {
  const rows = [
    '{"encontrado":0,"endereco":"Rua A"}',
    '{"encontrado":0,"encontrado_2":{"cep":1},"erro":2,"endereco":"Rua A"}',
    '{"erro":"antigo"}',
    '{"\\u0065rro":1,"erro_2":2}',
  ];
  const { output } = await run(rows.join("\n"), { format: "ndjson" });
  const lines = output.trimEnd().split("\n");
  for (const [i, row] of rows.entries()) {
    assertEquals(lines[i]!.slice(0, row.length), `${row.slice(0, -1)},`);
  }
  const [first, second, third, fourth] = lines.map((it) => JSON.parse(it));
  assertEquals(first.encontrado_2.cep, "01900001");
  assertEquals(second.encontrado_3.cep, "01900001");
  assertEquals(third.erro_2, "linha sem endereço");
  assertEquals(fourth.erro_3, "linha sem endereço");
  const left = earlier(Buffer.from(output));
  const again = await run(rows.join("\n"), { format: "ndjson", earlier: left });
  assertEquals(again.report.skipped, rows.length);
});

Deno.test("matchTable reads the columns given", async () => {
  const known: unknown[] = [];
  await run("a,b\nRua A,01310-100\n", {
    columns: { endereco: "a", cep: "b" },
    matcher: {
      match(text, parts) {
        known.push(text, parts);
        return find(text);
      },
    },
  });
  assertEquals(known, ["Rua A", { cep: "01310-100" }]);
});

const REFUSED: readonly (readonly [
  name: string,
  table: string | Uint8Array,
  message: string,
  options?: Run,
])[] = [
  ["an empty table", "", "Cannot read the table: it is empty"],
  ["blank lines", "\n \n", "Cannot read the table: it is empty"],
  ["a header without addresses", "a;b\n", "Cannot find addresses"],
  [
    "a header with a broken quote",
    '"a\nb',
    "Cannot read the header: a quote is not closed, or text follows it",
  ],
  [
    "a header that is not UTF-8, even if other columns have addresses",
    Buffer.from("Endereço;Bairro;Cidade\n", "latin1"),
    "Cannot read the header: it is not UTF-8; set MATCH_ENCODING=iso-8859-1",
  ],
  [
    "a header that is too long",
    Array.from({ length: 200_001 }, (_, i) => `c${i}`).join(),
    `Cannot read the header: it has more than ${MAX_ROW} characters`,
    { chunk: 1 << 16 },
  ],
  ["UTF-16", Buffer.from("\uFEFFendereco", "utf16le"), "it is UTF-16"],
  ["a workbook", Buffer.from("PK\x03\x04\x14\0"), "it is an Excel workbook"],
  [
    "an old workbook",
    Buffer.from("d0cf11e0a1b11ae1", "hex"),
    "it is an Excel workbook",
  ],
  [
    "a header of answers",
    "endereco,pontuacao\n",
    'Cannot add the column "pontuacao": the table has it already',
  ],
  [
    "a column that stands twice",
    "id;endereco;nome; endereco \n",
    'Cannot read the table: the column "endereco" appears twice; rename one',
  ],
  [
    "a column that stands twice, even one without an address",
    'id;"no\nme";endereco;"no\nme"\n',
    'the column "no\nme" appears twice',
  ],
  [
    "a given column that is missing",
    "a,b\n",
    'Cannot find the column "c"',
    { columns: { cep: "c" } },
  ],
];

for (const [name, table, message, options] of REFUSED) {
  Deno.test(`matchTable refuses ${name}`, async () => {
    await assertRejects(() => run(table, options), TableError, message);
  });
}

Deno.test("matchTable waits until each part of the answers is written", async () => {
  const rows = `${"Rua A\n".repeat(5000)}`;
  let [pending, most] = [0, 0];
  await run(`endereco\n${rows}`, {
    chunk: 1 << 20,
    async write() {
      most = Math.max(most, ++pending);
      await Promise.resolve();
      pending--;
    },
  });
  assertEquals(most, 1);
});

Deno.test("matchTable keeps the order of rows whose searches end in another", async () => {
  const rows = Array.from({ length: 200 }, (_, i) => `${i};Rua A`);
  let [searching, most] = [0, 0];
  const { output } = await run(`id;endereco\n${rows.join("\n")}\n`, {
    chunk: 1 << 20,
    matcher: {
      async match(text) {
        most = Math.max(most, ++searching);
        // The later in a group of ten, the earlier it ends.
        for (let turns = 10 - searching % 10; turns > 0; turns--) {
          await Promise.resolve();
        }
        searching--;
        return await find(text);
      },
    },
  });
  const ids = output.trim().split("\n").slice(1).map((row) =>
    row.split(";")[0]
  );
  assertEquals(ids, rows.map((row) => row.split(";")[0]));
  assert(most > 1 && most <= 65, `${most}`);
});

Deno.test("matchTable stops at the first search that fails", async () => {
  const rows = "Rua A\n".repeat(50);
  let searches = 0;
  await assertRejects(
    () =>
      run(`endereco\n${rows}`, {
        chunk: 1 << 20,
        matcher: {
          match: () => Promise.reject(new DatabaseError(`${++searches}`)),
        },
      }),
    DatabaseError,
    "1",
  );
});

Deno.test("matchTable reports its progress", async () => {
  const calls: unknown[] = [];
  await run("endereco\nRua A\n", {
    chunk: 12,
    onProgress: (progress) => calls.push(progress),
  });
  assertEquals(calls, [
    { bytes: 12, rows: 0, done: false },
    { bytes: 15, rows: 1, done: false },
    { bytes: 15, rows: 1, done: false },
    { bytes: 15, rows: 1, done: true },
  ]);
});

/** Answers in memory, as an earlier run left them. */
function earlier(text: Uint8Array): EarlierAnswers & { bytes: Uint8Array } {
  return {
    bytes: text,
    async *read() {
      for (let i = 0; i < this.bytes.length; i += 11) {
        yield await Promise.resolve(this.bytes.subarray(i, i + 11));
      }
    },
    truncate(size) {
      this.bytes = this.bytes.subarray(0, size);
      return Promise.resolve();
    },
  };
}

const CELL = fc.array(
  fc.constantFrom("Rua ", "A", '"', ",", "\n", "\r\n", "ã", "🏠"),
  { maxLength: 5 },
).map((parts) => parts.join(""));

for (const format of ["csv", "ndjson"] as const) {
  Deno.test(`matchTable continues ${format} that was cut at any byte, as if it had not been`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(CELL, { minLength: 1, maxLength: 6 }),
        fc.array(fc.constantFrom('"x', '{"a', "1,2,3"), { maxLength: 2 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (cells, broken, share) => {
          const good = format === "csv"
            ? cells.map((cell) => joinCells(["1", cell], ","))
            : cells.map((cell) => JSON.stringify({ erro: 1, endereco: cell }));
          const head = format === "csv" ? ["id,endereco"] : [];
          const table = [...head, ...good, ...broken].join("\n") + "\n";
          const { output } = await run(table, { format });
          const whole = Buffer.from(output);
          const least = whole.indexOf("\n") + 1;
          const cut = least + Math.floor((whole.length - least) * share);
          const left = earlier(whole.subarray(0, cut));
          const rest = await run(table, { format, earlier: left });
          assertEquals(
            Buffer.concat([left.bytes, Buffer.from(rest.output)]).toString(),
            output,
          );
        },
      ),
      FIXED,
    );
  });
}

const UNRELATED: readonly (readonly [
  name: string,
  output: string,
  message: string,
])[] = [
  ["other columns", "id;endereco\n1;Rua A\n", "the columns of the output"],
  ["a part of a header", "id;ende", "line 1 of the output is incomplete"],
  [
    "answers to other rows",
    `id;endereco;${HEADER}\n7;Rua A;${FOUND}\n`,
    "answer 1 of the output is not to row 1",
  ],
  [
    "more answers than rows",
    `id;endereco;${HEADER}\n1;Rua A;${FOUND}\n2;Rua B;${FOUND}\n`,
    "the output has 2 answers, the table 1 rows",
  ],
];

for (const [name, output, message] of UNRELATED) {
  Deno.test(`matchTable refuses to continue ${name}, and keeps them`, async () => {
    const bytes = Buffer.from(`${output}partial`);
    const left = earlier(bytes);
    await assertRejects(
      () => run("id;endereco\n1;Rua A\n", { earlier: left }),
      TableError,
      message,
    );
    assertEquals(left.bytes, bytes);
  });
}

Deno.test("matchTable begins an empty output", async () => {
  const left = earlier(new Uint8Array());
  const { output, report } = await run("endereco\nRua A\n", { earlier: left });
  assert(output.startsWith("endereco,"));
  assertEquals(report.skipped, 0);
});
