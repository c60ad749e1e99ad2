/** Spreadsheets on the page: columns, answers, doubts, bad files. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { join } from "node:path";
import process from "node:process";
import type { Page } from "playwright-core";
import { violations } from "./_axe.ts";
import { readZip, writeZip } from "../../page/zip.js";
import { pageTest, useScene } from "./_browser_tests.ts";
import type { Visit } from "./_page_visit.ts";
import {
  check,
  checkTable,
  choose,
  download,
  downloadCsv,
} from "./_spreadsheet.ts";

useScene();

/** Zip file with texts by their names. */
async function zipOf(files: Record<string, string>): Promise<Uint8Array> {
  return await (await writeZip(files)).bytes();
}

/** Folder for screenshots to look at, optional. */
const SHOTS = process.env.PAGE_SHOTS;

/** Rows that are certain, in doubt, and unknown. */
const MIXED = "Código;Nome;Endereço de entrega;Nº;Cidade;Estado;Telefone\n" +
  "1;=1+1;av paulista;1578;São Paulo;SP;+5511987654321\n" +
  "2;Conceição;rua doutora joão ribeiro;;Florianópolis;SC;-\n" +
  "3;Zé;rua que não existe;3;Lugar Nenhum;SP;@zé\n" +
  "4;João;;;;;\n";

function counts(page: Page): Promise<string[]> {
  return page.locator(".counts dd").allInnerTexts();
}

pageTest(
  "a table shows its columns with guesses and three rows, and sends nothing",
  {},
  async (visit) => {
    const { page } = visit;
    const before = visit.responses.length;
    await choose(page, MIXED);
    assertEquals(
      await page.locator("#mapping select").evaluateAll((them) =>
        them.map((it) => (it as unknown as { value: string }).value)
      ),
      ["", "", "endereco", "numero", "cidade", "uf", ""],
    );
    const rows = await page.locator("#mapping tbody tr").allInnerTexts();
    assertEquals(rows.length, 3);
    assertStringIncludes(rows[1]!, "Conceição");
    assertMatch(await visit.slot("fileName"), /^clientes\.csv, linhas: 4\./);
    const sent = visit.responses.slice(before).map((it) => it.request());
    assertEquals(sent.filter((it) => it.method() !== "GET"), []);
  },
);

pageTest(
  "the answer opens in a Brazilian spreadsheet, with harmless formulas",
  {},
  async ({ page }) => {
    const text = await checkTable(page, MIXED);
    const [header, ...lines] = text.split("\r\n");
    assertEquals(
      header,
      "\ufeffCódigo;Nome;Endereço de entrega;Nº;Cidade;Estado;Telefone;" +
        "situacao;cep_encontrado;pontuacao;diferencas;outros_ceps;" +
        "logradouro_encontrado;complemento_encontrado;bairro_encontrado;" +
        "cidade_encontrada;uf_encontrada;codigo_ibge_encontrado;parcial;erro",
    );
    assertMatch(
      lines[0]!,
      /^1;'=1\+1;av paulista;1578;São Paulo;SP;\+5511987654321;certo;01310-200;(1|0,\d+);/,
    );
    assertMatch(lines[1]!, /^2;.*;'-;/);
    assertMatch(lines[2]!, /^3;.*;'@zé;sem CEP;;0;/);
    assertMatch(lines[3]!, /^4;João;;;;;;sem CEP;;0;/);
    assertEquals(lines.length, 5);
  },
);

pageTest(
  "three counts stand above the rows in doubt, whose CEP a person confirms",
  {},
  async (visit) => {
    const { page } = visit;
    await choose(
      page,
      "endereco\nzzzz qqqq\navenida paulista, são paulo\n" +
        "av paulista 1578, são paulo\n",
    );
    await check(page);
    assertEquals(await counts(page), ["1", "1", "1"]);
    assertMatch(
      await page.locator("#status").innerText(),
      /1 certas, 1 a conferir, 1 sem CEP/,
    );
    const items = page.locator("#doubtful li");
    assertEquals(await items.count(), 2);
    assertMatch(await items.nth(0).innerText(), /^Linha 3\s+avenida paulista/);
    assertMatch(
      await items.nth(1).innerText(),
      /^Linha 2\s+zzzz qqqq\s+Nada na base é muito parecido\. Talvez/,
    );
    const select = items.nth(0).locator("select");
    await select.locator("option", { hasText: "Bela Vista" }).first()
      .waitFor({ state: "attached" });
    await select.selectOption("01310200");
    assertMatch(
      await items.nth(0).innerText(),
      /Avenida Paulista, de 1512 .*, Bela Vista, São Paulo – SP$/,
    );
    await page.getByRole("button", { name: "CEP da linha 3" }).click();
    assertEquals(await counts(page), ["2", "0", "1"]);
    const lines = (await downloadCsv(page)).split("\r\n");
    assertMatch(
      lines[2]!,
      /^avenida paulista, são paulo;conferido;01310-200;;;/,
    );
    assertStringIncludes(lines[2]!, ";Avenida Paulista;de 1512");
  },
);

pageTest(
  "columns are guessed by name and by content",
  {},
  async ({ page }) => {
    for (
      const [table, parts] of [
        // Without a header: the first row is an address, too.
        ["1;Avenida Paulista, 1578;01310-200\n2;Rua A, 3;01310-100\n", [
          "",
          "endereco",
          "cep",
        ]],
        ["Cliente,Onde mora,CEP entrega\nAna,Rua A 3,01310-100\n", [
          "",
          "endereco",
          "cep",
        ]],
        [
          "id\tTipo logradouro\tLogradouro\tNº\tMunicípio\n1\tRua\tA\t3\tSão Paulo\n",
          [
            "",
            "logradouro",
            "logradouro",
            "numero",
            "cidade",
          ],
        ],
        ["E-mail endereço;Estado civil;UF\nana@a.br;SP;SP\n", ["", "", "uf"]],
      ] as const
    ) {
      await choose(page, table);
      const given = await page.locator("#mapping select").evaluateAll((them) =>
        them.map((it) => (it as unknown as { value: string }).value)
      );
      assertEquals(given, [...parts], table);
      await page.getByRole("button", { name: "Outro arquivo" }).click();
    }
  },
);

/**
 * Workbook with what Excel writes: shared texts, dates, and a sheet before that
 * of the customers, which is hidden unless it has rows.
 */
function workbook(further = "", cover = ""): Promise<Uint8Array> {
  const sheet = (rows: string) =>
    `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  const relation = "http://schemas.openxmlformats.org/officeDocument/2006/" +
    "relationships";
  return zipOf({
    "xl/workbook.xml": `<workbook xmlns:r="${relation}"><sheets>` +
      `<sheet name="Capa"${cover ? "" : ' state="hidden"'} r:id="rId1"/>` +
      `<sheet name="Clientes" state="visible" r:id="rId2"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>` +
      `<Relationship Id="rId1" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/>` +
      `</Relationships>`,
    "xl/sharedStrings.xml": `<sst><si><t>Endereço</t></si><si><t>CEP</t></si>` +
      `<si><r><t>av </t></r><r><t>paulista</t></r><rPh><t>x</t></rPh></si></sst>`,
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="170" ` +
      `formatCode="dd/mm/yy"/><numFmt numFmtId="171" formatCode="0 &quot;dias` +
      `&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/>` +
      `<xf numFmtId="171"/></cellXfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": sheet(cover || `<row><c><v>1</v></c></row>`),
    "xl/worksheets/sheet2.xml": sheet(
      `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>` +
        `Nº</t></is></c><c r="D1" t="s"><v>1</v></c></row><row r="2"/>` +
        `<row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3"><v>1578</v></c>` +
        `<c r="D3" s="2" t="n"><v>1310200</v></c>` +
        `<c r="E3" s="1" t="n"><v>46349</v></c>` +
        `<c r="F3"><f>1+1</f><v>2</v></c><c r="G3"><v>` +
        `0.30000000000000004</v></c><c r="H3" t="b"><v>1</v></c></row>` +
        further,
    ),
  });
}

pageTest(
  "a workbook of Excel is read, answered, and read again",
  {},
  async (visit) => {
    const { page } = visit;
    await choose(page, await workbook(), "clientes.xlsx");
    assertEquals(
      await page.locator("#mapping td").allInnerTexts(),
      ["av paulista", "1578", "", "1310200", "23/11/2026", "2", "0.3"]
        .concat("VERDADEIRO"),
    );
    assertMatch(
      await page.locator("#mapping th").nth(2).innerText(),
      /^Coluna 3/,
    );
    await check(page);
    assertEquals(await counts(page), ["1", "0", "0"]);
    const answered = await download(page, "Baixar Excel", "clientes-cep.xlsx");
    await page.getByRole("button", { name: "Outro arquivo" }).click();
    await choose(page, answered, "clientes-cep.xlsx");
    const cells = await page.locator("#mapping td").allInnerTexts();
    assertEquals(cells.slice(6, 10), [
      "0.3",
      "VERDADEIRO",
      "certo",
      "01310-200",
    ]);
    assertMatch(cells[10]!, /^(1|0\.\d+)$/);
  },
);

pageTest(
  "rows above the header stay above it, with or without delimiters",
  {},
  async ({ page }) => {
    for (
      const title of [
        "Clientes de São José;;\nEmitido em 23/11/2026;;\n\n",
        "Clientes de São José\nEmitido em 23/11/2026\n",
      ]
    ) {
      const text = await checkTable(
        page,
        `${title}Nome;Rua;Est.\nAna;av paulista 1578, são paulo;SP\n`,
      );
      const lines = text.split("\r\n").map((it) => it.split(";"));
      assertEquals(lines.map(([first]) => first), [
        "\ufeffClientes de São José",
        "Emitido em 23/11/2026",
        "Nome",
        "Ana",
        "",
      ]);
      assertEquals(lines[3]!.slice(1, 5), [
        "av paulista 1578, são paulo",
        "SP",
        "certo",
        "01310-200",
      ]);
      await page.getByRole("button", { name: "Outro arquivo" }).click();
    }
  },
);

pageTest(
  "the table of a workbook is found behind its cover",
  {},
  async ({ page }) => {
    const cover = `<row r="1"><c r="A1" t="str"><v>Relatório</v></c></row>` +
      `<row r="2"><c r="A2" t="str"><v>Feito por Conceição</v></c></row>`;
    await choose(page, await workbook("", cover), "clientes.xlsx");
    assertEquals(
      (await page.locator("#mapping td").allInnerTexts())[0],
      "av paulista",
    );
  },
);

pageTest(
  "a row in doubt has its number of the sheet",
  {},
  async ({ page }) => {
    const row = `<row r="9"><c r="A9" t="str"><v>zzzz qqqq</v></c></row>`;
    for (
      const [table, name] of [
        [await workbook(row), "clientes.xlsx"],
        [
          "\n\nendereco;n\n;\n  ;\nav paulista, são paulo;1578\n\n;;\nzzzz qqqq;;;\n;\n",
          "",
        ],
      ] as const
    ) {
      await choose(page, table, name || undefined);
      await check(page);
      assertEquals(await counts(page), ["1", "0", "1"]);
      assertMatch(
        await page.locator("#doubtful li").innerText(),
        /^Linha 9\s+zzzz qqqq/,
      );
      await page.getByRole("button", { name: "Outro arquivo" }).click();
    }
  },
);

pageTest(
  "the styles of the answered workbook fill no cell",
  {},
  async ({ page }) => {
    await choose(page, "endereco\nav paulista 1578, são paulo\n");
    await check(page);
    const answered = await download(page, "Baixar Excel", "clientes-cep.xlsx");
    const zip = readZip(answered.buffer as ArrayBuffer);
    const styles = new TextDecoder().decode(
      await zip.get("xl/styles.xml")!(),
    );
    // Readers refuse a fill that says nothing (ECMA-376, 18.8.20).
    assertStringIncludes(
      styles,
      `<fills count="1"><fill><patternFill patternType="none"/></fill></fills>`,
    );
  },
);

pageTest(
  "the code for workbooks loads with the first one",
  {},
  async (visit) => {
    const { page } = visit;
    const loaded = () =>
      visit.responses.filter((it) => /\/(xlsx|zip)\./.test(it.url())).length;
    await choose(page, MIXED);
    assertEquals(loaded(), 0);
    await page.getByRole("button", { name: "Outro arquivo" }).click();
    await choose(page, await workbook(), "clientes.xlsx");
    assertEquals(loaded(), 2);
  },
);

pageTest("the page says that it reads a file", {}, async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route(/\/xlsx\./, async (route) => {
    await held.promise;
    await route.continue();
  });
  const chosen = choose(page, await workbook(), "clientes.xlsx");
  await page.locator("#drop", { hasText: "Lendo o arquivo…" }).waitFor();
  held.resolve();
  await chosen;
  await page.getByRole("button", { name: "Outro arquivo" }).click();
  await page.locator("#drop", { hasText: "Excel (.xlsx) ou CSV" }).waitFor();
});

pageTest("a table with accents is understood", {}, async ({ page }) => {
  const result = await checkTable(
    page,
    "rua;cidade;estado\nRua Doutora João Ribeiro;Xicalândia dos Campos;SC\n" +
      "Rua Doutora Joao Ribeiro;Xicalandia dos Campos;SC\n",
  );
  const [, ...lines] = result.trim().split("\r\n");
  const answers = lines.map((line) => line.split(";").slice(3));
  assertEquals(answers.length, 2);
  assertEquals(answers[0], answers[1]);
  assertEquals(answers[0]!.slice(0, 2), ["certo", "88100-070"]);
});

pageTest(
  "a row of a table that is refused has its reason",
  {},
  async (visit) => {
    const { page } = visit;
    const result = await checkTable(page, `endereco\n${"x".repeat(501)}\n`);
    assertMatch(result, /;endereco deve ter no máximo 500 caracteres\r\n$/);
    assertMatch(
      await page.locator("#doubtful li").innerText(),
      /no máximo 500 caracteres$/,
    );
  },
);

for (
  const [encoding, mark, bytesOf] of [
    ["Latin-1", [], (code: number) => [code]],
    ["UTF-16", [0xFF, 0xFE], (code: number) => [code, 0]],
  ] as const
) {
  pageTest(`a table in ${encoding} is read`, {}, async ({ page }) => {
    const text = "endereço\r\navenida paulista 1578, são paulo\r\n";
    const codes = [...text].map((it) => it.charCodeAt(0));
    const bytes = Uint8Array.from([...mark, ...codes.flatMap(bytesOf)]);
    assertMatch(
      await checkTable(page, bytes),
      /avenida paulista 1578, são paulo;certo;01310-200/,
    );
  });
}

pageTest(
  "a table waits for the rate limit and goes on, by 250 rows a request",
  {
    config: { rateLimitMax: 6000, rateLimitBurst: 0, rateLimitMinutes: 100 },
  },
  async ({ page }) => {
    let refused = false;
    await page.route(/\/enderecos$/, (route) => {
      const lines = route.request().postData()!.split("\n");
      assert(lines.length <= 250);
      if (refused) return route.continue();
      refused = true;
      return route.fulfill({
        status: 429,
        headers: { "retry-after": "1" },
        body: `{"code":"rate_limited"}`,
      });
    });
    const rows = "avenida paulista 1578\n".repeat(600);
    const lines = (await checkTable(page, `endereco\n${rows}`)).trim()
      .split("\r\n");
    assertEquals(lines.length, 601);
    assertEquals(lines.every((it, i) => i === 0 || it.includes("01310")), true);
    assert(refused);
  },
);

pageTest(
  "a table of 20,000 rows is paused, saved with every row, and resumed",
  {},
  async (visit) => {
    const { page } = visit;
    let asked = 0;
    const held = Promise.withResolvers<void>();
    await page.route(/\/enderecos$/, async (route) => {
      // The third request waits until the table is paused.
      if (++asked === 3) await held.promise;
      const lines = route.request().postData()!.split("\n");
      const answer = `{"cep":"01310200","pontuacao":0.95,"diferencas":[],` +
        `"outros_ceps":[],"registro":null}\n`;
      await route.fulfill({ body: answer.repeat(lines.length) }).catch(
        () => {},
      );
    });
    await choose(page, `endereco\n${"avenida paulista 1578\n".repeat(20_000)}`);
    await page.getByRole("button", { name: "Conferir endereços" }).click();
    await page.getByText("500 de 20.000 linhas").waitFor();
    await page.getByRole("button", { name: "Pausar" }).click();
    assertEquals(
      await visit.slot("progressText"),
      "Em pausa. 500 de 20.000 linhas",
    );
    held.resolve();
    const lines = (await downloadCsv(page)).trim().split("\r\n");
    assertEquals(lines.length, 20_001);
    assertMatch(lines[500]!, /;certo;01310-200;0,95;/);
    assertMatch(lines[501]!, /^avenida paulista 1578;+$/);
    await page.getByRole("button", { name: "Continuar" }).click();
    await page.getByText("20.000 de 20.000 linhas").waitFor();
    assertEquals(await counts(page), ["20.000", "0", "0"]);
    assertEquals(asked, 81);
  },
);

pageTest("a table goes on after its request broke off", {}, async (visit) => {
  const { page } = visit;
  await page.route(/\/enderecos$/, (route) => route.abort(), { times: 1 });
  const lines = (await checkTable(page, "cep\n01310-100\n")).split("\r\n");
  assertMatch(lines[1]!, /^01310-100;certo;01310-100;/);
});

pageTest("a table without a column of addresses says so", {}, async (visit) => {
  const { page } = visit;
  await choose(page, "cliente;idade\nAna;42\n");
  assertMatch(await visit.slot("tableProblem"), /^Nenhuma coluna parece/);
  await page.getByRole("button", { name: "Conferir endereços" }).click();
  assertMatch(await visit.slot("tableProblem"), /^Indique ao menos uma coluna/);
  await page.locator("#mapping select").first().selectOption("endereco");
  await check(page);
  assertEquals(await page.locator("#table-problem").isVisible(), false);
  assertMatch(await downloadCsv(page), /Ana;42;conferir;;0,1/);
  await page.getByRole("button", { name: "Outro arquivo" }).click();
  await page.locator("#drop").waitFor();
});

for (
  const [name, table, expected] of [
    ["an empty file", "", /precisa de um cabeçalho/],
    ["a header alone", "endereco\n", /precisa de um cabeçalho/],
    ["blank lines", "\n\n\n", /precisa de um cabeçalho/],
    ["a PDF", "%PDF-1.7\nx", /Não conseguimos ler este arquivo/],
    [
      "an image",
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
      /Não conseguimos ler este arquivo/,
    ],
    [
      "a zip of something else",
      await zipOf({ "foto.txt": "olá" }),
      /Não conseguimos ler/,
    ],
    ["a zip that is cut off", "PK\x03\x04\x14\0\0", /Não conseguimos ler/],
    [
      "a workbook without sheets",
      await zipOf({ "xl/workbook.xml": "<a/>" }),
      /Não cons/,
    ],
    [
      "formulas that no spreadsheet has calculated",
      await workbook(`<row><c><f>1+1</f><v/></c></row>`),
      /fórmulas sem resultado/,
    ],
    ["an old Excel file", "\xD0\xCF\x11\xE0\0\0", /Salvar como/],
    ["a web page", "<!DOCTYPE html><p>", /Não conseguimos ler este arquivo/],
  ] as const
) {
  pageTest(`the page refuses ${name}`, {}, async (visit) => {
    const { page } = visit;
    await choose(page, table, "clientes.xlsx");
    assertMatch(await visit.slot("tableProblem"), expected);
    assert(await page.locator("#drop").isVisible());
    await choose(page, "cep\n01310-100\n");
    await page.locator("#mapping").waitFor();
    assertEquals(await page.locator("#table-problem").isVisible(), false);
  });
}

for (const width of [375, 768, 1280]) {
  for (const dark of [false, true]) {
    const mode = dark ? "dark" : "light";
    pageTest(
      `axe-core finds no violation in a table at ${width} pixels, ${mode}`,
      { width, dark },
      async (visit) => {
        const { page } = visit;
        await choose(page, MIXED);
        await look(visit, `columns-${width}-${mode}`);
        await page.getByRole("button", { name: "Outro arquivo" }).click();
        await choose(
          page,
          "endereco\navenida paulista\nzzzz qqqq\n",
        );
        await check(page);
        await page.locator("#doubtful option", { hasText: "Bela Vista" })
          .first().waitFor({ state: "attached" });
        await look(visit, `answers-${width}-${mode}`);
        assertEquals(
          await page.evaluate("document.documentElement.scrollWidth"),
          width,
        );
      },
    );
  }
}

/** Runs axe-core, and takes a screenshot if there is a folder for it. */
async function look({ page }: Visit, name: string): Promise<void> {
  assertEquals(await violations(page), []);
  if (SHOTS === undefined) return;
  await page.locator("#planilha").screenshot({
    path: join(SHOTS, `table-${name}.png`),
  });
}
