import { assertEquals, assertThrows } from "@std/assert";
import { type Address, type Entry, STATES } from "../../../cep/address.ts";
import { Join, type Warning } from "../../../cep/dne/join.ts";
import {
  RejectedRow,
  type Rejection,
  type Row,
} from "../../../cep/dne/layout.ts";
import { row } from "../_fixtures.ts";

type LocalityRow = Partial<Row<"LOG_LOCALIDADE">>;

/** Districts stand before their municipalities. */
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

/** A join that knows these localities and a neighbourhood, and its warnings. */
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

/** The four files beside LOG_LOCALIDADE that have codes. */
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

Deno.test("Join.street gives every field of a street", () => {
  const { join, warnings } = prepare();
  const entry = join.street(
    row("LOG_LOGRADOURO", {
      LOG_NU: "77",
      LOC_NU: "1",
      BAI_NU_INI: "1",
      LOG_NO: "das Acácias",
      LOG_COMPLEMENTO: "- de 2 a 98 - lado par",
      CEP: "01990001",
      TLO_TX: "Rua",
    }),
    "LOG_LOGRADOURO_SP.TXT",
  );
  assertEquals(entry, {
    number: 77,
    locality: 1,
    neighbourhood: 1,
    address: {
      cep: "01990001",
      logradouro: "Rua das Acácias",
      complemento: "de 2 a 98 - lado par",
      bairro: "Centro",
      distrito: "",
      cidade: "Vila Grande",
      uf: "SP",
      codigo_ibge: "3599901",
      tipo_logradouro: "Rua",
      tipo_origem: "logradouro",
      nome: "",
      nome_origem: "LOG_LOGRADOURO_SP.TXT",
    },
  });
  assertEquals(warnings, []);
});

Deno.test("Join.largeUser gives every field of a large user", () => {
  const { join, warnings } = prepare();
  const entry = join.largeUser(
    row("LOG_GRANDE_USUARIO", {
      GRU_NU: "78",
      GRU_NO: 'Jornal "O Sol"',
      GRU_ENDERECO: "Rua das Acácias, 9",
      CEP: "01990900",
    }),
    "LOG_GRANDE_USUARIO.TXT",
  );
  assertEquals(entry, {
    number: 78,
    locality: 1,
    neighbourhood: 1,
    address: {
      cep: "01990900",
      logradouro: "Rua das Acácias, 9",
      complemento: "",
      bairro: "Centro",
      distrito: "",
      cidade: "Vila Grande",
      uf: "SP",
      codigo_ibge: "3599901",
      tipo_logradouro: "",
      tipo_origem: "grande_usuario",
      nome: 'Jornal "O Sol"',
      nome_origem: "LOG_GRANDE_USUARIO.TXT",
    },
  });
  assertEquals(warnings, []);
});

Deno.test("Join.operationalUnit gives every field of a unit", () => {
  const { join, warnings } = prepare();
  const entry = join.operationalUnit(
    row("LOG_UNID_OPER", {
      UOP_NU: "79",
      UOP_NO: "AC Acácias",
      UOP_ENDERECO: "Rua das Acácias, 90",
      CEP: "01990970",
    }),
    "LOG_UNID_OPER.TXT",
  );
  assertEquals(entry, {
    number: 79,
    locality: 1,
    neighbourhood: 1,
    address: {
      cep: "01990970",
      logradouro: "Rua das Acácias, 90",
      complemento: "",
      bairro: "Centro",
      distrito: "",
      cidade: "Vila Grande",
      uf: "SP",
      codigo_ibge: "3599901",
      tipo_logradouro: "",
      tipo_origem: "unid_oper",
      nome: "AC Acácias",
      nome_origem: "LOG_UNID_OPER.TXT",
    },
  });
  assertEquals(warnings, []);
});

Deno.test("Join.communityPost gives every field of a community post", () => {
  const { join, warnings } = prepare();
  const entry = join.communityPost(
    row("LOG_CPC", {
      CPC_NU: "80",
      LOC_NU: "10",
      CPC_NO: "Bar do Zé",
      CPC_ENDERECO: "Estrada Velha, km 9",
      CEP: "01990990",
    }),
    "LOG_CPC.TXT",
  );
  assertEquals(entry, {
    number: 80,
    locality: 10,
    neighbourhood: null,
    address: {
      cep: "01990990",
      logradouro: "Estrada Velha, km 9",
      complemento: "",
      bairro: "",
      distrito: "Ponte Alta",
      cidade: "Vila Grande",
      uf: "SP",
      codigo_ibge: "3599901",
      tipo_logradouro: "",
      tipo_origem: "cpc",
      nome: "Bar do Zé",
      nome_origem: "LOG_CPC.TXT",
    },
  });
  assertEquals(warnings, []);
});

const STREET_NAMES: readonly [
  name: string,
  type: string,
  written: string,
  street: string,
  expected: string,
][] = [
  ["before the name for S", "Rua", "S", "das Flores", "Rua das Flores"],
  ["before the name for an empty flag", "Rua", "", "Onze", "Rua Onze"],
  ["not at all for N", "Quadra", "N", "QC 2 Conjunto Q", "QC 2 Conjunto Q"],
  ["once where the name has it", "Rua", "S", "Rua Onze", "Rua Onze"],
  [
    "once where an empty flag and the name have it",
    "Rua",
    "",
    "Rua A",
    "Rua A",
  ],
  ["once where the name has it for N", "Rua", "N", "Rua Onze", "Rua Onze"],
  [
    "once where the name has it in capitals",
    "Rua",
    "S",
    "RUA ONZE",
    "RUA ONZE",
  ],
  ["once where it has an accent", "Praça", "S", "PRAÇA da Paz", "PRAÇA da Paz"],
  ["once where it is the whole name", "Rodovia", "S", "Rodovia", "Rodovia"],
  [
    "once where it has two words",
    "4ª Travessa",
    "S",
    "4ª Travessa da Paz",
    "4ª Travessa da Paz",
  ],
  [
    "before a name that begins like it",
    "Rua",
    "S",
    "Ruan Silva",
    "Rua Ruan Silva",
  ],
  [
    "before a name that has it further on",
    "Rua",
    "S",
    "da Rua Velha",
    "Rua da Rua Velha",
  ],
  ["not at all where there is none", "", "S", "Ponta Grossa", "Ponta Grossa"],
];

for (const [name, type, written, street, expected] of STREET_NAMES) {
  Deno.test(`Join.street writes the type ${name}`, () => {
    const { address } = prepare().join.street(
      row("LOG_LOGRADOURO", {
        TLO_TX: type,
        LOG_STA_TLO: written,
        LOG_NO: street,
      }),
      "LOG_LOGRADOURO_SP.TXT",
    );
    assertEquals(address.logradouro, expected);
    assertEquals(address.tipo_logradouro, type);
  });
}

const COMPLEMENTS: readonly [name: string, text: string, expected: string][] = [
  ["nothing as nothing", "", ""],
  ["a stretch", "- até 697 - lado ímpar", "até 697 - lado ímpar"],
  ["a place in brackets", "(Lot Aurora)", "(Lot Aurora)"],
  ["a word", "Comércio", "Comércio"],
  ["a hyphen inside a word", "Lote-Rural", "Lote-Rural"],
  ["a second hyphen", "- de 1 - 9", "de 1 - 9"],
  ["kilometres", "- do km 1,000 ao km 2,000", "do km 1,000 ao km 2,000"],
];

for (const [name, LOG_COMPLEMENTO, expected] of COMPLEMENTS) {
  Deno.test(`Join.street reads in the complement ${name}`, () => {
    const { address } = prepare().join.street(
      row("LOG_LOGRADOURO", { LOG_COMPLEMENTO }),
      "LOG_LOGRADOURO_SP.TXT",
    );
    assertEquals(address.complemento, expected);
  });
}

type Place = Pick<Address, "distrito" | "cidade" | "codigo_ibge">;

const PLACES: readonly [
  name: string,
  locality: string,
  place: Place,
  warnings: Warning[],
][] = [
  [
    "a municipality",
    "1",
    { distrito: "", cidade: "Vila Grande", codigo_ibge: "3599901" },
    [],
  ],
  [
    "a district that stands before its municipality",
    "10",
    { distrito: "Ponte Alta", cidade: "Vila Grande", codigo_ibge: "3599901" },
    [],
  ],
  [
    "a village",
    "11",
    { distrito: "Barro", cidade: "Vila Grande", codigo_ibge: "3599901" },
    [],
  ],
  [
    "a district that has a code at IBGE, too",
    "12",
    { distrito: "Boa Vista", cidade: "Vila Grande", codigo_ibge: "3599901" },
    [],
  ],
  [
    "a municipality without a code at IBGE",
    "2",
    { distrito: "", cidade: "Recente", codigo_ibge: "" },
    ["no IBGE code"],
  ],
  [
    "a district where neither it nor its municipality has a code at IBGE",
    "13",
    { distrito: "Ilha", cidade: "Recente", codigo_ibge: "" },
    ["no IBGE code"],
  ],
  [
    "a district that alone has a code at IBGE",
    "14",
    { distrito: "Porto", cidade: "Recente", codigo_ibge: "3599914" },
    [],
  ],
  [
    "a district whose municipality is not known",
    "15",
    { distrito: "Fim", cidade: "", codigo_ibge: "" },
    ["unknown municipality of a district", "no IBGE code"],
  ],
  [
    "a district with a code at IBGE whose municipality is not known",
    "16",
    { distrito: "Fundo", cidade: "", codigo_ibge: "3599916" },
    ["unknown municipality of a district"],
  ],
  [
    "a locality that is not known",
    "98",
    { distrito: "", cidade: "", codigo_ibge: "" },
    ["unknown locality"],
  ],
];

for (const [name, LOC_NU, place, expected] of PLACES) {
  for (const [source, take] of Object.entries(SOURCES)) {
    Deno.test(`Join.${source} places in ${name}`, () => {
      const { join, warnings } = prepare();
      const { locality, address } = take(join, { LOC_NU });
      const { distrito, cidade, codigo_ibge, uf } = address;
      assertEquals({ distrito, cidade, codigo_ibge }, place);
      assertEquals(locality, Number(LOC_NU));
      assertEquals(uf, "SP");
      assertEquals(warnings, expected);
    });
  }
}

Deno.test("Join warns of every row, not only of the first in a place", () => {
  const { join, warnings } = prepare();
  for (const CEP of ["01990001", "01990002", "01990003"]) {
    SOURCES.street!(join, { CEP, LOC_NU: "98" });
  }
  assertEquals(warnings, Array(3).fill("unknown locality"));
});

for (const source of ["street", "largeUser", "operationalUnit"]) {
  Deno.test(`Join.${source} keeps a row of an unknown neighbourhood`, () => {
    const { join, warnings } = prepare();
    const { neighbourhood, address } = SOURCES[source]!(join, {}, "98");
    assertEquals(neighbourhood, 98);
    assertEquals(address.bairro, "");
    assertEquals(address.cidade, "Vila Grande");
    assertEquals(warnings, ["unknown neighbourhood"]);
  });
}

for (const source of ["street", "largeUser", "operationalUnit"]) {
  Deno.test(`Join.${source} keeps a row without a neighbourhood`, () => {
    const { join, warnings } = prepare();
    const { neighbourhood, address } = SOURCES[source]!(join, {}, "");
    assertEquals(neighbourhood, null);
    assertEquals(address.bairro, "");
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
  ["eight digits with a zero before them", "01990001", "01990001", []],
  ["seven digits", "1990001", "01990001", ["CEP padded with a zero"]],
];

for (const [name, CEP, expected, expectedWarnings] of CODES) {
  for (const [source, take] of Object.entries(SOURCES)) {
    Deno.test(`Join.${source} takes a CEP of ${name}`, () => {
      const { join, warnings } = prepare();
      assertEquals(take(join, { CEP }).address.cep, expected);
      assertEquals(warnings, expectedWarnings);
    });
  }
}

const REJECTED: readonly [name: string, fields: Common, Rejection, string][] = [
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
  Deno.test(`Join.${name} rejects a number of letters`, () => {
    const { join } = prepare();
    const error = assertThrows(() => take(join), RejectedRow);
    assertEquals(error.reason, "unusable number");
    assertEquals(error.detail, "x");
  });
}

Deno.test("Join.street takes every state", () => {
  const { join } = prepare();
  const states = STATES.map((UFE_SG) =>
    SOURCES.street!(join, { UFE_SG }).address.uf
  );
  assertEquals(states, STATES);
  assertEquals(new Set(states).size, 27);
});

/** The general code of a locality that is added to the others. */
function generalCode(fields: LocalityRow) {
  const { join, warnings } = prepare();
  const locality = join.addLocality(
    row("LOG_LOCALIDADE", { LOC_NU: "50", ...fields }),
  );
  return { entry: join.generalCode(locality!), warnings };
}

Deno.test("Join.generalCode gives every field of a municipality", () => {
  const { entry, warnings } = generalCode({
    LOC_NO: "Lagoa Bonita",
    CEP: "12990000",
    MUN_NU: "3599950",
  });
  assertEquals(entry, {
    number: 50,
    locality: 50,
    neighbourhood: null,
    address: {
      cep: "12990000",
      logradouro: "",
      complemento: "",
      bairro: "",
      distrito: "",
      cidade: "Lagoa Bonita",
      uf: "SP",
      codigo_ibge: "3599950",
      tipo_logradouro: "",
      tipo_origem: "localidade",
      nome: "",
      nome_origem: "LOG_LOCALIDADE.TXT",
    },
  });
  assertEquals(warnings, []);
});

Deno.test("Join.generalCode names a district as district and as bairro", () => {
  const { entry, warnings } = generalCode({
    LOC_NO: "Serra Azul",
    CEP: "12990500",
    LOC_IN_TIPO_LOC: "D",
    LOC_NU_SUB: "1",
    MUN_NU: "",
  });
  const { bairro, distrito, cidade, codigo_ibge } = entry.address;
  assertEquals({ bairro, distrito, cidade, codigo_ibge }, {
    bairro: "Serra Azul",
    distrito: "Serra Azul",
    cidade: "Vila Grande",
    codigo_ibge: "3599901",
  });
  assertEquals(warnings, []);
});

Deno.test("Join.generalCode keeps a district without its municipality", () => {
  const { entry, warnings } = generalCode({ LOC_NU_SUB: "99", MUN_NU: "" });
  const { bairro, cidade, uf, codigo_ibge } = entry.address;
  assertEquals({ bairro, cidade, uf, codigo_ibge }, {
    bairro: "Lagoa Bonita",
    cidade: "",
    uf: "SP",
    codigo_ibge: "",
  });
  assertEquals(warnings, [
    "unknown municipality of a district",
    "no IBGE code",
  ]);
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
  const code = cep === "" ? "no CEP" : "a CEP";
  const found = expected.length === 0 ? "silently" : "with a warning";
  Deno.test(`Join.addLocality takes situation ${situation} and ${code} ${found}`, () => {
    const { join, warnings } = prepare();
    const locality = join.addLocality(
      row("LOG_LOCALIDADE", { LOC_IN_SIT: situation, CEP: cep }),
    );
    assertEquals(locality?.cep, cep);
    assertEquals(locality?.situation, situation);
    assertEquals(warnings, expected);
  });
}

Deno.test("Join.addLocality gives every column but the abbreviation", () => {
  const { join } = prepare();
  const locality = join.addLocality(
    row("LOG_LOCALIDADE", {
      LOC_NU: "00000050",
      UFE_SG: "AC",
      LOC_NO: "Olho D'Água",
      CEP: "9990000",
      LOC_IN_SIT: "3",
      LOC_IN_TIPO_LOC: "P",
      LOC_NU_SUB: "1",
      MUN_NU: "1299950",
    }),
  );
  assertEquals(locality, {
    number: 50,
    uf: "AC",
    name: "Olho D'Água",
    cep: "09990000",
    situation: "3",
    type: "P",
    parent: 1,
    ibge: "1299950",
  });
});

Deno.test("Join.addLocality warns of a CEP of seven digits", () => {
  const { join, warnings } = prepare();
  join.addLocality(row("LOG_LOCALIDADE", { CEP: "1990000" }));
  assertEquals(warnings, ["CEP padded with a zero"]);
});

const BAD_LOCALITIES: readonly [name: string, LocalityRow, Rejection][] = [
  ["a CEP of 9 digits", { CEP: "129900001" }, "unusable CEP"],
  ["a CEP of letters", { CEP: "abcdefgh" }, "unusable CEP"],
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

Deno.test("Join.addLocality learns a locality whose CEP is unusable", () => {
  const { join, warnings } = prepare();
  const fields = { LOC_NU: "50", LOC_NO: "Lagoa Bonita", CEP: "129900001" };
  assertThrows(
    () => join.addLocality(row("LOG_LOCALIDADE", fields)),
    RejectedRow,
  );
  const { address } = SOURCES.street!(join, { LOC_NU: "50" });
  assertEquals(address.cidade, "Lagoa Bonita");
  assertEquals(warnings, []);
  assertEquals([...join.localities].at(-1)?.cep, "");
});

Deno.test("Join.addLocality keeps the first of two with one number", () => {
  const { join, warnings } = prepare();
  const second = row("LOG_LOCALIDADE", { LOC_NU: "1", LOC_NO: "Outra" });
  assertEquals(join.addLocality(second), undefined);
  const { address } = SOURCES.street!(join, { LOC_NU: "1" });
  assertEquals(address.cidade, "Vila Grande");
  assertEquals(warnings, []);
});

Deno.test("Join.addNeighbourhood gives its columns", () => {
  const { join, warnings } = prepare();
  const fields = { BAI_NU: "50", LOC_NU: "1", BAI_NO: 'Jardim "G"' };
  assertEquals(join.addNeighbourhood(row("LOG_BAIRRO", fields)), {
    number: 50,
    uf: "SP",
    locality: 1,
    name: 'Jardim "G"',
  });
  assertEquals(warnings, []);
});

Deno.test("Join.addNeighbourhood keeps the first of two with one number", () => {
  const { join } = prepare();
  const second = row("LOG_BAIRRO", { BAI_NU: "1", BAI_NO: "Outro" });
  assertEquals(join.addNeighbourhood(second), undefined);
  assertEquals(SOURCES.street!(join, {}).address.bairro, "Centro");
});

Deno.test("Join.addNeighbourhood keeps one of an unknown locality", () => {
  const { join, warnings } = prepare();
  const fields = { BAI_NU: "50", LOC_NU: "98", BAI_NO: "Longe" };
  join.addNeighbourhood(row("LOG_BAIRRO", fields));
  assertEquals(warnings, ["unknown locality"]);
  assertEquals(SOURCES.street!(join, {}, "50").address.bairro, "Longe");
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

Deno.test("Join gives localities and neighbourhoods in their order", () => {
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
