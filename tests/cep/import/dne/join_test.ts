import { assertEquals, assertThrows } from "@std/assert";
import { STATES } from "../../../../cep/record/address.ts";
import { Join, type Warning } from "../../../../cep/import/dne/join.ts";
import type { Entry } from "../../../../cep/record/entry.ts";
import {
  RejectedRow,
  type Rejection,
  type Row,
} from "../../../../cep/import/dne/layout.ts";
import { row } from "../../_directory.ts";

type LocalityRow = Partial<Row<"LOG_LOCALIDADE">>;

/** Localities by kind, districts before their municipalities. */
const LOCALITIES: Readonly<Record<string, LocalityRow>> = {
  district: { LOC_NU: "10", LOC_NO: "Ponte Alta", LOC_NU_SUB: "1", MUN_NU: "" },
  village: { LOC_NU: "11", LOC_NO: "Barro", LOC_NU_SUB: "1", MUN_NU: "" },
  districtWithCode: {
    LOC_NU: "12",
    LOC_NO: "Boa Vista",
    LOC_NU_SUB: "1",
    MUN_NU: "3599912",
  },
  districtOfNew: { LOC_NU: "13", LOC_NO: "Ilha", LOC_NU_SUB: "2", MUN_NU: "" },
  districtOfNewWithCode: {
    LOC_NU: "14",
    LOC_NO: "Porto",
    LOC_NU_SUB: "2",
    MUN_NU: "3599914",
  },
  orphan: { LOC_NU: "15", LOC_NO: "Fim", LOC_NU_SUB: "99", MUN_NU: "" },
  orphanWithCode: {
    LOC_NU: "16",
    LOC_NO: "Fundo",
    LOC_NU_SUB: "99",
    MUN_NU: "3599916",
  },
  municipality: { LOC_NU: "1", LOC_NO: "Vila Grande", MUN_NU: "3599901" },
  newMunicipality: { LOC_NU: "2", LOC_NO: "Recente", MUN_NU: "" },
};

/**
 * Returns a join with these localities and a neighbourhood, and its warnings.
 */
function prepare(): { join: Join; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const join = new Join((warning) => warnings.push(warning));
  for (const fields of Object.values(LOCALITIES)) {
    join.addLocality(row("LOG_LOCALIDADE", fields));
  }
  join.addNeighbourhood(
    row("LOG_BAIRRO", { BAI_NU: "1", LOC_NU: "1", BAI_NO: "Centro" }),
  );
  assertEquals(warnings, []);
  return { join, warnings };
}

type Common = Partial<Record<"UFE_SG" | "LOC_NU" | "CEP", string>>;

/** Methods for the files with CEPs, except LOG_LOCALIDADE. */
const SOURCES: Readonly<
  Record<string, (join: Join, fields: Common, bairro?: string) => Entry>
> = {
  street: (join, fields, BAI_NU_INI = "1") =>
    join.street(
      row("LOG_LOGRADOURO", { ...fields, BAI_NU_INI }),
      "LOG_LOGRADOURO_SP.TXT",
    ),
  largeUser: (join, fields, BAI_NU = "1") =>
    join.largeUser(
      row("LOG_GRANDE_USUARIO", { ...fields, BAI_NU }),
      "LOG_GRANDE_USUARIO.TXT",
    ),
  operationalUnit: (join, fields, BAI_NU = "1") =>
    join.operationalUnit(
      row("LOG_UNID_OPER", { ...fields, BAI_NU }),
      "LOG_UNID_OPER.TXT",
    ),
  communityPost: (join, fields) =>
    join.communityPost(row("LOG_CPC", fields), "LOG_CPC.TXT"),
};

const MEMBERS: readonly [
  name: string,
  take: (join: Join) => Entry,
  entry: Entry,
][] = [
  [
    "street",
    (join) =>
      join.street(
        row("LOG_LOGRADOURO", {
          LOG_NU: "00000077",
          LOC_NU: "1",
          BAI_NU_INI: "1",
          LOG_NO: "das Acácias",
          LOG_COMPLEMENTO: "- de 2 a 98 - lado par",
          CEP: "01990001",
          TLO_TX: "Rua",
        }),
        "LOG_LOGRADOURO_SP.TXT",
      ),
    {
      cep: "01990001",
      number: 77,
      uf: "SP",
      locality: 1,
      neighbourhood: 1,
      streetType: "Rua",
      typeInName: true,
      street: "das Acácias",
      complement: "de 2 a 98 - lado par",
      name: "",
      origin: "logradouro",
      file: "LOG_LOGRADOURO_SP.TXT",
      order: 1,
    },
  ],
  [
    "largeUser",
    (join) =>
      join.largeUser(
        row("LOG_GRANDE_USUARIO", {
          GRU_NU: "78",
          GRU_NO: 'Jornal "O Sol"',
          GRU_ENDERECO: "Rua das Acácias, 9",
          CEP: "01990900",
        }),
        "LOG_GRANDE_USUARIO.TXT",
      ),
    {
      cep: "01990900",
      number: 78,
      uf: "SP",
      locality: 1,
      neighbourhood: 1,
      streetType: "",
      typeInName: false,
      street: "Rua das Acácias, 9",
      complement: "",
      name: 'Jornal "O Sol"',
      origin: "grande_usuario",
      file: "LOG_GRANDE_USUARIO.TXT",
      order: 1,
    },
  ],
  [
    "operationalUnit",
    (join) =>
      join.operationalUnit(
        row("LOG_UNID_OPER", {
          UOP_NU: "79",
          UOP_NO: "AC Acácias",
          UOP_ENDERECO: "Rua das Acácias, 90",
          CEP: "01990970",
        }),
        "LOG_UNID_OPER.TXT",
      ),
    {
      cep: "01990970",
      number: 79,
      uf: "SP",
      locality: 1,
      neighbourhood: 1,
      streetType: "",
      typeInName: false,
      street: "Rua das Acácias, 90",
      complement: "",
      name: "AC Acácias",
      origin: "unid_oper",
      file: "LOG_UNID_OPER.TXT",
      order: 1,
    },
  ],
  [
    "communityPost",
    (join) =>
      join.communityPost(
        row("LOG_CPC", {
          CPC_NU: "80",
          LOC_NU: "10",
          CPC_NO: "Bar do Zé",
          CPC_ENDERECO: "Estrada Velha, km 9",
          CEP: "01990990",
        }),
        "LOG_CPC.TXT",
      ),
    {
      cep: "01990990",
      number: 80,
      uf: "SP",
      locality: 10,
      neighbourhood: null,
      streetType: "",
      typeInName: false,
      street: "Estrada Velha, km 9",
      complement: "",
      name: "Bar do Zé",
      origin: "cpc",
      file: "LOG_CPC.TXT",
      order: 1,
    },
  ],
  [
    "generalCode",
    (join) =>
      join.generalCode(
        join.addLocality(
          row("LOG_LOCALIDADE", {
            LOC_NU: "50",
            LOC_NO: "Lagoa Bonita",
            CEP: "12990000",
            LOC_NU_SUB: "1",
          }),
        )!,
      ),
    {
      cep: "12990000",
      number: 50,
      uf: "SP",
      locality: 50,
      neighbourhood: null,
      streetType: "",
      typeInName: false,
      street: "",
      complement: "",
      name: "",
      origin: "localidade",
      file: "LOG_LOCALIDADE.TXT",
      order: 1,
    },
  ],
];

for (const [source, take, expected] of MEMBERS) {
  Deno.test(`Join.${source} returns every member of an entry`, () => {
    const { join, warnings } = prepare();
    assertEquals(take(join), expected);
    assertEquals(warnings, []);
  });
}

const STREET_NAMES: readonly [
  name: string,
  type: string,
  written: string,
  street: string,
  typeInName: boolean,
][] = [
  ["is written for S", "Rua", "S", "das Flores", true],
  ["is written for an empty flag", "Rua", "", "Onze", true],
  ["is not written for N", "Quadra", "N", "QC 2 Conjunto Q", false],
  ["is not repeated", "Rua", "S", "Rua Onze", false],
  ["is not repeated for an empty flag", "Rua", "", "Rua A", false],
  ["is not repeated for N", "Rua", "N", "Rua Onze", false],
  ["is not repeated in upper case", "Rua", "S", "RUA ONZE", false],
  ["is not repeated with an accent", "Praça", "S", "PRAÇA da Paz", false],
  ["is not repeated as the whole name", "Rodovia", "S", "Rodovia", false],
  [
    "is not repeated with two words",
    "4ª Travessa",
    "S",
    "4ª Travessa da Paz",
    false,
  ],
  ["is written before a name that begins like it", "Rua", "S", "Ruan", true],
  [
    "is written before a name that contains it",
    "Rua",
    "S",
    "da Rua Velha",
    true,
  ],
  ["is not written if it is empty", "", "S", "Ponta Grossa", false],
  ["is not written before an empty name", "Rua", "S", "", false],
];

for (const [name, TLO_TX, LOG_STA_TLO, LOG_NO, expected] of STREET_NAMES) {
  Deno.test(`Join.street finds that the type ${name}`, () => {
    const { street, streetType, typeInName } = prepare().join.street(
      row("LOG_LOGRADOURO", { TLO_TX, LOG_STA_TLO, LOG_NO }),
      "LOG_LOGRADOURO_SP.TXT",
    );
    assertEquals([street, streetType, typeInName], [LOG_NO, TLO_TX, expected]);
  });
}

const COMPLEMENTS: readonly [name: string, text: string, expected: string][] = [
  ["without text", "", ""],
  ["of a stretch", "- até 697 - lado ímpar", "até 697 - lado ímpar"],
  ["of a place in brackets", "(Lot Aurora)", "(Lot Aurora)"],
  ["of a word", "Comércio", "Comércio"],
  ["with a hyphen inside a word", "Lote-Rural", "Lote-Rural"],
  ["with a second hyphen", "- de 1 - 9", "de 1 - 9"],
  ["in kilometres", "- do km 1,000 ao km 2,000", "do km 1,000 ao km 2,000"],
  ["with more blanks after the hyphen", "-   lado par", "lado par"],
  ["of a hyphen alone", "-", ""],
];

for (const [name, LOG_COMPLEMENTO, expected] of COMPLEMENTS) {
  Deno.test(`Join.street reads a complement ${name}`, () => {
    const { complement } = prepare().join.street(
      row("LOG_LOGRADOURO", { LOG_COMPLEMENTO }),
      "LOG_LOGRADOURO_SP.TXT",
    );
    assertEquals(complement, expected);
  });
}

const PLACES: readonly [
  name: string,
  locality: string,
  warnings: Warning[],
][] = [
  ["a municipality", "1", []],
  ["a district that comes before its municipality", "10", []],
  ["a village", "11", []],
  ["a district with an IBGE code of its own", "12", []],
  ["a municipality without an IBGE code", "2", ["no IBGE code"]],
  [
    "a district in a municipality, both without an IBGE code",
    "13",
    ["no IBGE code"],
  ],
  ["a district with an IBGE code in a municipality without one", "14", []],
  [
    "a district of an unknown municipality",
    "15",
    ["unknown municipality of a district", "no IBGE code"],
  ],
  [
    "a district with an IBGE code of an unknown municipality",
    "16",
    ["unknown municipality of a district"],
  ],
  ["an unknown locality", "98", ["unknown locality"]],
];

for (const [name, LOC_NU, expected] of PLACES) {
  for (const [source, take] of Object.entries(SOURCES)) {
    Deno.test(`Join.${source} keeps an entry in ${name}`, () => {
      const { join, warnings } = prepare();
      const { locality, uf } = take(join, { LOC_NU });
      assertEquals([locality, uf], [Number(LOC_NU), "SP"]);
      assertEquals(warnings, expected);
    });
  }
}

for (const [key, { LOC_NU }] of Object.entries(LOCALITIES)) {
  const expected = PLACES.find(([, number]) => number === LOC_NU)![2];
  Deno.test(`Join.checkLocality warns like a street in the ${key}`, () => {
    const { join, warnings } = prepare();
    const [locality] = [...join.localities]
      .filter(({ number }) => number === Number(LOC_NU));
    join.checkLocality(locality!);
    assertEquals(warnings, expected);
  });
}

Deno.test("Join.street warns about every row in an unknown locality", () => {
  const { join, warnings } = prepare();
  for (const CEP of ["01990001", "01990002", "01990003"]) {
    SOURCES.street!(join, { CEP, LOC_NU: "98" });
  }
  assertEquals(warnings, Array(3).fill("unknown locality"));
});

const WITH_NEIGHBOURHOOD = ["street", "largeUser", "operationalUnit"];

for (const source of WITH_NEIGHBOURHOOD) {
  Deno.test(`Join.${source} keeps a row of an unknown neighbourhood`, () => {
    const { join, warnings } = prepare();
    const { neighbourhood } = SOURCES[source]!(join, {}, "98");
    assertEquals(neighbourhood, 98);
    assertEquals(warnings, ["unknown neighbourhood"]);
  });
}

for (const source of WITH_NEIGHBOURHOOD) {
  Deno.test(`Join.${source} keeps a row without a neighbourhood`, () => {
    const { join, warnings } = prepare();
    const { neighbourhood } = SOURCES[source]!(join, {}, "");
    assertEquals(neighbourhood, null);
    assertEquals(warnings, ["unknown neighbourhood"]);
  });
}

const CODES: readonly [
  name: string,
  cep: string,
  expected: string,
  warnings: Warning[],
][] = [
  ["eight digits", "69990001", "69990001", []],
  ["eight digits with a leading zero", "01990001", "01990001", []],
  [
    "seven digits in SP, whose CEPs begin with 0",
    "1990001",
    "01990001",
    ["CEP padded with a zero"],
  ],
];

for (const [name, CEP, expected, expectedWarnings] of CODES) {
  for (const [source, take] of Object.entries(SOURCES)) {
    Deno.test(`Join.${source} accepts a CEP of ${name}`, () => {
      const { join, warnings } = prepare();
      assertEquals(take(join, { CEP }).cep, expected);
      assertEquals(warnings, expectedWarnings);
    });
  }
}

const REJECTED: readonly [
  name: string,
  fields: Common,
  Rejection,
  string,
][] = [
  ["a CEP of 9 digits", { CEP: "019900011" }, "unusable CEP", "019900011"],
  ["a CEP of 6 digits", { CEP: "990001" }, "unusable CEP", "990001"],
  ["a CEP of letters", { CEP: "ABCDEFGH" }, "unusable CEP", "ABCDEFGH"],
  ["a CEP with a letter", { CEP: "0199000O" }, "unusable CEP", "0199000O"],
  ["no CEP", { CEP: "" }, "unusable CEP", ""],
  ["an unknown state", { UFE_SG: "XX" }, "unknown state", "XX"],
  ["a state in lower case", { UFE_SG: "sp" }, "unknown state", "sp"],
  ["no state", { UFE_SG: "" }, "unknown state", ""],
  ["a locality of letters", { LOC_NU: "um" }, "unusable number", "um"],
  ["a locality below zero", { LOC_NU: "-1" }, "unusable number", "-1"],
  ["a locality with a fraction", { LOC_NU: "1.5" }, "unusable number", "1.5"],
  [
    "a locality of nine digits",
    { LOC_NU: "123456789" },
    "unusable number",
    "123456789",
  ],
  ["no locality", { LOC_NU: "" }, "unusable number", ""],
  // Only SP has CEPs that begin with 0.
  ...STATES.filter((uf) => uf !== "SP").map((
    UFE_SG,
  ): [string, Common, Rejection, string] => [
    `a CEP of seven digits in ${UFE_SG}`,
    { UFE_SG, CEP: "9990001" },
    "unusable CEP",
    "9990001",
  ]),
];

for (const [name, fields, reason, detail] of REJECTED) {
  for (const [source, take] of Object.entries(SOURCES)) {
    Deno.test(`Join.${source} rejects ${name}`, () => {
      const { join } = prepare();
      const error = assertThrows(() => take(join, fields), RejectedRow);
      assertEquals(
        { reason: error.reason, detail: error.detail },
        { reason, detail },
      );
    });
  }
}

const OWN_NUMBERS: readonly [name: string, take: (join: Join) => unknown][] = [
  ["street", (join) => join.street(row("LOG_LOGRADOURO", { LOG_NU: "x" }), "")],
  [
    "largeUser",
    (join) => join.largeUser(row("LOG_GRANDE_USUARIO", { GRU_NU: "x" }), ""),
  ],
  [
    "operationalUnit",
    (join) => join.operationalUnit(row("LOG_UNID_OPER", { UOP_NU: "x" }), ""),
  ],
  [
    "communityPost",
    (join) => join.communityPost(row("LOG_CPC", { CPC_NU: "x" }), ""),
  ],
  [
    "addLocality",
    (join) => join.addLocality(row("LOG_LOCALIDADE", { LOC_NU: "x" })),
  ],
  [
    "addNeighbourhood",
    (join) => join.addNeighbourhood(row("LOG_BAIRRO", { BAI_NU: "x" })),
  ],
];

for (const [name, take] of OWN_NUMBERS) {
  Deno.test(`Join.${name} rejects letters as a number`, () => {
    const { join } = prepare();
    const error = assertThrows(() => take(join), RejectedRow);
    assertEquals(error.reason, "unusable number");
    assertEquals(error.detail, "x");
  });
}

Deno.test("Join.street accepts every state", () => {
  const { join } = prepare();
  const states = STATES.map((UFE_SG) => SOURCES.street!(join, { UFE_SG }).uf);
  assertEquals(states, STATES);
  assertEquals(new Set(states).size, 27);
});

const SITUATIONS: readonly [
  situation: string,
  cep: string,
  warnings: Warning[],
][] = [
  ["0", "12990000", []],
  ["1", "", []],
  ["2", "", []],
  ["3", "12990000", []],
  ["0", "", ["no general CEP"]],
  ["3", "", ["no general CEP"]],
];

for (const [situation, cep, expected] of SITUATIONS) {
  const ending = cep === "" ? "without a CEP" : "with a CEP";
  const found = expected.length === 0 ? "without" : "with";
  Deno.test(`Join.addLocality accepts situation ${situation} ${ending} ${found} a warning`, () => {
    const { join, warnings } = prepare();
    const locality = join.addLocality(
      row("LOG_LOCALIDADE", { LOC_IN_SIT: situation, CEP: cep }),
    );
    assertEquals(locality?.cep, cep);
    assertEquals(locality?.situation, situation);
    assertEquals(warnings, expected);
  });
}

Deno.test("Join.addLocality returns every column", () => {
  const { join } = prepare();
  const locality = join.addLocality(
    row("LOG_LOCALIDADE", {
      LOC_NU: "00000050",
      UFE_SG: "AC",
      LOC_NO: "Olho D'Água",
      CEP: "69990000",
      LOC_IN_SIT: "3",
      LOC_IN_TIPO_LOC: "P",
      LOC_NU_SUB: "1",
      LOC_NO_ABREV: "O D'Água",
      MUN_NU: "1299950",
    }),
  );
  assertEquals(locality, {
    number: 50,
    uf: "AC",
    name: "Olho D'Água",
    cep: "69990000",
    situation: "3",
    type: "P",
    parent: 1,
    ibge: "1299950",
    abbreviation: "O D'Água",
  });
});

Deno.test("Join.addLocality warns about a CEP of seven digits", () => {
  const { join, warnings } = prepare();
  join.addLocality(row("LOG_LOCALIDADE", { CEP: "1990000" }));
  assertEquals(warnings, ["CEP padded with a zero"]);
});

const IBGE_CODES: readonly [
  name: string,
  text: string,
  ibge: string,
  warnings: Warning[],
][] = [
  ["seven digits", "3599950", "3599950", []],
  ["no digits", "", "", []],
  ["six digits", "359995", "", ["unusable IBGE code"]],
  ["eight digits", "35999500", "", ["unusable IBGE code"]],
  ["letters", "abcdefg", "", ["unusable IBGE code"]],
  ["a letter O instead of zero", "359995O", "", ["unusable IBGE code"]],
  ["scientific notation", "3,6E+06", "", ["unusable IBGE code"]],
  ["seven digits and a second line", "3599950\r1", "", ["unusable IBGE code"]],
];

for (const [name, MUN_NU, expected, expectedWarnings] of IBGE_CODES) {
  Deno.test(`Join.addLocality reads an IBGE code of ${name}`, () => {
    const { join, warnings } = prepare();
    const locality = join.addLocality(
      row("LOG_LOCALIDADE", { LOC_NU: "50", MUN_NU }),
    );
    assertEquals(locality?.ibge, expected);
    assertEquals(warnings, expectedWarnings);
  });
}

Deno.test("Join treats an unusable IBGE code as a missing one", () => {
  const { join, warnings } = prepare();
  join.addLocality(row("LOG_LOCALIDADE", { LOC_NU: "50", MUN_NU: "1" }));
  SOURCES.street!(join, { LOC_NU: "50" });
  assertEquals(warnings, ["unusable IBGE code", "no IBGE code"]);
});

const BAD_LOCALITIES: readonly [name: string, LocalityRow, Rejection][] = [
  ["a CEP of 9 digits", { CEP: "129900001" }, "unusable CEP"],
  ["a CEP of letters", { CEP: "abcdefgh" }, "unusable CEP"],
  [
    "a CEP of seven digits outside SP",
    { UFE_SG: "AC", CEP: "9990000" },
    "unusable CEP",
  ],
  ["an unknown state", { UFE_SG: "XX" }, "unknown state"],
  ["a municipality of letters", { LOC_NU_SUB: "x" }, "unusable number"],
];

for (const [name, fields, reason] of BAD_LOCALITIES) {
  Deno.test(`Join.addLocality rejects ${name}`, () => {
    const { join } = prepare();
    const error = assertThrows(
      () => join.addLocality(row("LOG_LOCALIDADE", fields)),
      RejectedRow,
    );
    assertEquals(error.reason, reason);
  });
}

Deno.test("Join.addLocality keeps a locality whose CEP is unusable", () => {
  const { join, warnings } = prepare();
  const fields = { LOC_NU: "50", LOC_NO: "Lagoa Bonita", CEP: "129900001" };
  assertThrows(
    () => join.addLocality(row("LOG_LOCALIDADE", fields)),
    RejectedRow,
  );
  SOURCES.street!(join, { LOC_NU: "50" });
  assertEquals(warnings, []);
  const { name, cep } = [...join.localities].at(-1)!;
  assertEquals([name, cep], ["Lagoa Bonita", ""]);
});

Deno.test("Join.addLocality keeps the first of two localities with the same number", () => {
  const { join, warnings } = prepare();
  const second = row("LOG_LOCALIDADE", { LOC_NU: "1", LOC_NO: "Outra" });
  assertEquals(join.addLocality(second), undefined);
  const found = [...join.localities].filter(({ number }) => number === 1);
  assertEquals(found.map(({ name }) => name), ["Vila Grande"]);
  assertEquals(warnings, []);
});

Deno.test("Join.addNeighbourhood returns every column", () => {
  const { join, warnings } = prepare();
  const fields = {
    BAI_NU: "50",
    LOC_NU: "1",
    BAI_NO: 'Jardim "G"',
    BAI_NO_ABREV: 'Jd "G"',
  };
  assertEquals(join.addNeighbourhood(row("LOG_BAIRRO", fields)), {
    number: 50,
    uf: "SP",
    locality: 1,
    name: 'Jardim "G"',
    abbreviation: 'Jd "G"',
  });
  assertEquals(warnings, []);
});

Deno.test("Join.addNeighbourhood keeps the first of two with the same number", () => {
  const { join } = prepare();
  const second = row("LOG_BAIRRO", { BAI_NU: "1", BAI_NO: "Outro" });
  assertEquals(join.addNeighbourhood(second), undefined);
  assertEquals([...join.neighbourhoods].map(({ name }) => name), ["Centro"]);
});

Deno.test("Join.addNeighbourhood keeps a neighbourhood of an unknown locality", () => {
  const { join, warnings } = prepare();
  const fields = { BAI_NU: "50", LOC_NU: "98", BAI_NO: "Longe" };
  join.addNeighbourhood(row("LOG_BAIRRO", fields));
  assertEquals(warnings, ["unknown locality"]);
  assertEquals(SOURCES.street!(join, {}, "50").neighbourhood, 50);
  assertEquals(warnings, ["unknown locality"]);
});

const BAD_NEIGHBOURHOODS: readonly [
  name: string,
  fields: Partial<Row<"LOG_BAIRRO">>,
  Rejection,
][] = [
  ["an unknown state", { UFE_SG: "XX" }, "unknown state"],
  ["a locality of letters", { LOC_NU: "x" }, "unusable number"],
];

for (const [name, fields, reason] of BAD_NEIGHBOURHOODS) {
  Deno.test(`Join.addNeighbourhood rejects ${name}`, () => {
    const { join } = prepare();
    const error = assertThrows(
      () => join.addNeighbourhood(row("LOG_BAIRRO", fields)),
      RejectedRow,
    );
    assertEquals(error.reason, reason);
  });
}

Deno.test("Join lists localities and neighbourhoods in the order of their rows", () => {
  const { join } = prepare();
  join.addNeighbourhood(row("LOG_BAIRRO", { BAI_NU: "3" }));
  join.addNeighbourhood(row("LOG_BAIRRO", { BAI_NU: "2" }));
  assertEquals(
    [...join.localities].map(({ number }) => number),
    [10, 11, 12, 13, 14, 15, 16, 1, 2],
  );
  assertEquals(
    [...join.neighbourhoods].map(({ number }) => number),
    [1, 3, 2],
  );
});
