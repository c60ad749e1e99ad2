import fc from "fast-check";
import {
  COLUMNS,
  type Family,
  type Row,
} from "../../../cep/import/dne/layout.ts";
import type { Address } from "../../../cep/record/address.ts";
import { FIELDS } from "../../../cep/record/fields.ts";
import { CEPS, type Files, line, LINES } from "../_directory.ts";
import { EMPTY_ADDRESS } from "../_records.ts";
import { seedFiles } from "../_seeding.ts";
import { BothStores } from "../_stores.ts";
import { CENSUS, seedBoth } from "../import/_both.ts";
import { testStore } from "../store/_every_store.ts";
import { assert, assertEquals, assertObjectMatch } from "@std/assert";

const SP = "LOG_LOGRADOURO_SP.TXT";
const AC = "LOG_LOGRADOURO_AC.TXT";

/** Fields of the first version, on which clients rely. */
const FIRST = [
  "cep",
  "logradouro",
  "complemento",
  "bairro",
  "distrito",
  "cidade",
  "uf",
  "codigo_ibge",
  "tipo_logradouro",
  "tipo_origem",
  "nome",
  "nome_origem",
];

Deno.test("FIELDS begins with the fields of the first version, in order", () => {
  const names = Object.keys(FIELDS).filter((name) => FIRST.includes(name));
  assertEquals(names, FIRST);
});

const VILA_GRANDE = {
  distrito: "",
  cidade: "Vila Grande",
  uf: "SP",
  codigo_ibge: "3599901",
};
const SERRA_CLARA = {
  distrito: "",
  cidade: "Serra Clara",
  uf: "SP",
  codigo_ibge: "3599902",
};
const PONTE_ALTA = { ...SERRA_CLARA, distrito: "Ponte Alta" };

/** Records of the small DNE, in the order of {@linkcode CEPS}. */
const SMALL: readonly Address[] = [
  {
    ...EMPTY_ADDRESS,
    ...VILA_GRANDE,
    cep: "01900001",
    logradouro: "Rua das Flores",
    complemento: "de 1 a 99 - lado ímpar",
    bairro: "Centro",
    tipo_logradouro: "Rua",
    tipo_origem: "logradouro",
    nome_origem: SP,
    latitude: -22.5,
    longitude: -46.5,
    raio_m: 6,
    enderecos: 3,
  },
  {
    ...EMPTY_ADDRESS,
    ...VILA_GRANDE,
    cep: "01900002",
    logradouro: "QC 2 Conjunto Q",
    bairro: 'Jardim "Água"',
    tipo_logradouro: "Quadra",
    tipo_origem: "logradouro",
    nome_origem: SP,
  },
  {
    ...EMPTY_ADDRESS,
    ...VILA_GRANDE,
    cep: "01900900",
    logradouro: "Rua das Flores, 10",
    bairro: "Centro",
    tipo_origem: "grande_usuario",
    nome: "Banco Aurora",
    nome_origem: "LOG_GRANDE_USUARIO.TXT",
  },
  {
    ...EMPTY_ADDRESS,
    ...SERRA_CLARA,
    cep: "12900000",
    tipo_origem: "localidade",
    nome_origem: "LOG_LOCALIDADE.TXT",
  },
  {
    ...EMPTY_ADDRESS,
    ...SERRA_CLARA,
    cep: "12900990",
    logradouro: "Estrada do Mel, km 3",
    tipo_origem: "cpc",
    nome: "Armazém da Serra",
    nome_origem: "LOG_CPC.TXT",
  },
  {
    ...EMPTY_ADDRESS,
    ...PONTE_ALTA,
    cep: "12905000",
    bairro: "Ponte Alta",
    tipo_origem: "localidade",
    nome_origem: "LOG_LOCALIDADE.TXT",
  },
  {
    ...EMPTY_ADDRESS,
    ...PONTE_ALTA,
    cep: "12905970",
    logradouro: "Praça Central, s/n",
    bairro: "São João",
    tipo_origem: "unid_oper",
    nome: "AC Ponte Alta",
    nome_origem: "LOG_UNID_OPER.TXT",
  },
  {
    ...EMPTY_ADDRESS,
    cep: "69990001",
    logradouro: "Travessa Três",
    bairro: "Cidade Nova",
    cidade: "Rio Manso",
    uf: "AC",
    codigo_ibge: "1299904",
    tipo_logradouro: "Travessa",
    tipo_origem: "logradouro",
    nome_origem: AC,
    latitude: -9.97499,
    longitude: -67.82435,
    raio_m: 6,
    enderecos: 4,
  },
];

/** Record of a CEP that only the small CNEFE has. */
const COUNTED: Address = {
  ...EMPTY_ADDRESS,
  ...VILA_GRANDE,
  cep: "01900005",
  logradouro: "Rua das Laranjas",
  bairro: "Centro",
  tipo_logradouro: "Rua",
  tipo_origem: "cnefe",
  nome_origem: "35_SP.csv",
  latitude: -22.5,
  longitude: -46.5,
  raio_m: 6,
  enderecos: 2,
};

testStore(
  "FIELDS computes the records of the small DNE and CNEFE",
  async (store) => {
    await seedBoth(store, { dne: {}, cnefe: CENSUS });
    for (const [i, cep] of CEPS.entries()) {
      const found = await store.find(cep);
      assertEquals(
        Object.keys(found!),
        "latitude" in found! ? Object.keys(FIELDS) : FIRST,
      );
      assertEquals(found, SMALL[i]);
      assertEquals((await store.list(cep, 1)).data, [found!]);
    }
    assertEquals(await store.find(COUNTED.cep), COUNTED);
  },
);

/** Localities for the rules, in addition to those of the small DNE. */
const LOCALITIES = [
  line("LOG_LOCALIDADE", {
    LOC_NU: "20",
    LOC_NO: "Recente",
    CEP: "12920000",
    MUN_NU: "",
  }),
  line("LOG_LOCALIDADE", {
    LOC_NU: "21",
    LOC_NO: "Ilha",
    CEP: "12921000",
    LOC_NU_SUB: "20",
    MUN_NU: "",
  }),
  line("LOG_LOCALIDADE", {
    LOC_NU: "22",
    LOC_NO: "Porto",
    CEP: "12922000",
    LOC_NU_SUB: "20",
    MUN_NU: "3599922",
  }),
  line("LOG_LOCALIDADE", {
    LOC_NU: "23",
    LOC_NO: "Boa Vista",
    CEP: "12923000",
    LOC_NU_SUB: "2",
    MUN_NU: "3599923",
  }),
  line("LOG_LOCALIDADE", {
    LOC_NU: "24",
    LOC_NO: "Fim",
    CEP: "12924000",
    LOC_NU_SUB: "99",
    MUN_NU: "",
  }),
  line("LOG_LOCALIDADE", {
    LOC_NU: "25",
    LOC_NO: "Torta",
    CEP: "12925000",
    MUN_NU: "35",
  }),
  line("LOG_LOCALIDADE", {
    LOC_NU: "26",
    LOC_NO: "Trânsito",
    CEP: "12926000",
    LOC_IN_SIT: "3",
    MUN_NU: "3599926",
  }),
];

const FILES = {
  LOG_LOGRADOURO: SP,
  LOG_GRANDE_USUARIO: "LOG_GRANDE_USUARIO.TXT",
  LOG_UNID_OPER: "LOG_UNID_OPER.TXT",
  LOG_CPC: "LOG_CPC.TXT",
} as const;

/** Line in addition to those of the small DNE, and the CEP of its record. */
interface Example {
  readonly cep: string;
  readonly file?: string;
  readonly line?: string;
}

/** Number of the last example; each has its own number and CEP. */
let lastNumber = 100;

function example<F extends keyof typeof FILES>(
  family: F,
  fields: Partial<Row<F & Family>>,
): Example {
  const number = String(++lastNumber);
  const cep = `01990${number}`;
  const [numberColumn] = COLUMNS[family];
  const own = { [numberColumn]: number, CEP: cep, ...fields };
  return { cep, file: FILES[family], line: line(family, own) };
}

const street = (fields: Partial<Row<"LOG_LOGRADOURO">>) =>
  example("LOG_LOGRADOURO", fields);
const largeUser = (fields: Partial<Row<"LOG_GRANDE_USUARIO">>) =>
  example("LOG_GRANDE_USUARIO", fields);
const unit = (fields: Partial<Row<"LOG_UNID_OPER">>) =>
  example("LOG_UNID_OPER", fields);
const post = (fields: Partial<Row<"LOG_CPC">>) => example("LOG_CPC", fields);
const general = (cep: string): Example => ({ cep });

/** Rules of the fields, each with an example. */
const RULES: readonly [
  rule: string,
  example: Example,
  fields: Partial<Address>,
][] = [
  [
    "the type before the name if LOG_STA_TLO is S",
    street({ TLO_TX: "Rua", LOG_NO: "Onze", LOG_STA_TLO: "S" }),
    { logradouro: "Rua Onze", tipo_logradouro: "Rua" },
  ],
  [
    "the type before the name if LOG_STA_TLO is empty",
    street({ TLO_TX: "Rua", LOG_NO: "Onze", LOG_STA_TLO: "" }),
    { logradouro: "Rua Onze", tipo_logradouro: "Rua" },
  ],
  [
    "the name alone if LOG_STA_TLO is N",
    street({ TLO_TX: "Quadra", LOG_NO: "QC 2", LOG_STA_TLO: "N" }),
    { logradouro: "QC 2", tipo_logradouro: "Quadra" },
  ],
  [
    "the type once if the name begins with it",
    street({ TLO_TX: "Rua", LOG_NO: "Rua Onze", LOG_STA_TLO: "S" }),
    { logradouro: "Rua Onze", tipo_logradouro: "Rua" },
  ],
  [
    "the type once if the name begins with it in another letter case",
    street({ TLO_TX: "Praça", LOG_NO: "PRAÇA DA PAZ", LOG_STA_TLO: "" }),
    { logradouro: "PRAÇA DA PAZ", tipo_logradouro: "Praça" },
  ],
  [
    "the type before a name that only begins with the same letters",
    street({ TLO_TX: "Rua", LOG_NO: "Ruanda", LOG_STA_TLO: "S" }),
    { logradouro: "Rua Ruanda", tipo_logradouro: "Rua" },
  ],
  [
    "a type of two words",
    street({ TLO_TX: "4ª Travessa", LOG_NO: "da Paz", LOG_STA_TLO: "S" }),
    { logradouro: "4ª Travessa da Paz", tipo_logradouro: "4ª Travessa" },
  ],
  [
    "the name alone if there is no type",
    street({ TLO_TX: "", LOG_NO: "Ponta Grossa", LOG_STA_TLO: "S" }),
    { logradouro: "Ponta Grossa", tipo_logradouro: "" },
  ],
  [
    "the name rather than its abbreviation",
    street({ LOG_NO: "das Acácias", LOG_NO_ABREV: "R das Acácias      " }),
    { logradouro: "Rua das Acácias" },
  ],
  [
    "a complement without its leading hyphen",
    street({ LOG_COMPLEMENTO: "- até 697 - lado ímpar   " }),
    { complemento: "até 697 - lado ímpar" },
  ],
  [
    "a complement without a hyphen unchanged",
    street({ LOG_COMPLEMENTO: "(Lot Aurora)" }),
    { complemento: "(Lot Aurora)" },
  ],
  [
    "a complement with its second hyphen",
    street({ LOG_COMPLEMENTO: "-   de 1 - 9" }),
    { complemento: "de 1 - 9" },
  ],
  [
    "no street without a name",
    street({ TLO_TX: "Rua", LOG_NO: "", LOG_STA_TLO: "S" }),
    { logradouro: "", tipo_logradouro: "Rua" },
  ],
  [
    "the type alone if it is the name",
    street({ TLO_TX: "Rodovia", LOG_NO: "Rodovia", LOG_STA_TLO: "S" }),
    { logradouro: "Rodovia", tipo_logradouro: "Rodovia" },
  ],
  [
    "quotes and apostrophes unchanged",
    street({ LOG_NO: `D'Água "B"`, LOG_COMPLEMENTO: `Lot "C" \\ 'D'` }),
    { logradouro: `Rua D'Água "B"`, complemento: `Lot "C" \\ 'D'` },
  ],
  [
    "the neighbourhood of a street by BAI_NU_INI",
    street({ BAI_NU_INI: "2", BAI_NU_FIM: "1" }),
    { bairro: 'Jardim "Água"' },
  ],
  [
    "no neighbourhood for an unknown number",
    street({ BAI_NU_INI: "98" }),
    { ...VILA_GRANDE, bairro: "" },
  ],
  [
    "no neighbourhood if BAI_NU_INI is empty",
    street({ BAI_NU_INI: "" }),
    { ...VILA_GRANDE, bairro: "" },
  ],
  [
    "the neighbourhood of a street in a district",
    street({ LOC_NU: "3", BAI_NU_INI: "4" }),
    { ...PONTE_ALTA, bairro: "São João" },
  ],
  [
    "no neighbourhood for an unknown number in a district",
    street({ LOC_NU: "3", BAI_NU_INI: "98" }),
    { ...PONTE_ALTA, bairro: "" },
  ],
  [
    "no city for a street in an unknown locality",
    street({ LOC_NU: "98" }),
    { distrito: "", cidade: "", codigo_ibge: "", uf: "SP", bairro: "Centro" },
  ],
  [
    "the name and the address of a large user",
    largeUser({ GRU_NO: "Mar Azul", GRU_ENDERECO: " Rua A, 9 ", BAI_NU: "2" }),
    {
      logradouro: "Rua A, 9",
      nome: "Mar Azul",
      bairro: 'Jardim "Água"',
      tipo_logradouro: "",
      tipo_origem: "grande_usuario",
    },
  ],
  [
    "the city of a large user in a district",
    largeUser({ LOC_NU: "3", BAI_NU: "4" }),
    { ...PONTE_ALTA, bairro: "São João" },
  ],
  [
    "the name and the address of a unit",
    unit({ UOP_NO: "AC Mar", UOP_ENDERECO: "Praça B, s/n" }),
    {
      logradouro: "Praça B, s/n",
      nome: "AC Mar",
      bairro: "Centro",
      tipo_origem: "unid_oper",
    },
  ],
  [
    "the name and the address of a community mailbox, without a neighbourhood",
    post({ CPC_NO: "Bar", CPC_ENDERECO: " Estrada C" }),
    {
      logradouro: "Estrada C",
      nome: "Bar",
      bairro: "",
      tipo_origem: "cpc",
    },
  ],
  [
    "the city of a community mailbox in a district, without a neighbourhood",
    post({ LOC_NU: "3" }),
    { ...PONTE_ALTA, bairro: "" },
  ],
  [
    "only the city for the general CEP of a municipality",
    general("12920000"),
    {
      logradouro: "",
      bairro: "",
      distrito: "",
      cidade: "Recente",
      codigo_ibge: "",
      tipo_origem: "localidade",
    },
  ],
  [
    "the district as neighbourhood and district of its general CEP",
    general("12905000"),
    { ...PONTE_ALTA, bairro: "Ponte Alta", logradouro: "" },
  ],
  [
    "the IBGE code of the municipality rather than that of the district",
    general("12923000"),
    { distrito: "Boa Vista", cidade: "Serra Clara", codigo_ibge: "3599902" },
  ],
  [
    "the IBGE code of the district if the municipality has none",
    general("12922000"),
    { distrito: "Porto", cidade: "Recente", codigo_ibge: "3599922" },
  ],
  [
    "no IBGE code if neither has one",
    general("12921000"),
    { distrito: "Ilha", cidade: "Recente", codigo_ibge: "" },
  ],
  [
    "no city for a district of an unknown municipality",
    general("12924000"),
    { bairro: "Fim", distrito: "Fim", cidade: "", codigo_ibge: "", uf: "SP" },
  ],
  [
    "no IBGE code if it is unusable",
    general("12925000"),
    { cidade: "Torta", codigo_ibge: "" },
  ],
  [
    "the general CEP of a locality in transition",
    general("12926000"),
    { cidade: "Trânsito", tipo_origem: "localidade", logradouro: "" },
  ],
];

let records: Promise<Map<string, Address | undefined>> | undefined;

/** Imports all examples together, and finds their records. */
function findExamples(): NonNullable<typeof records> {
  return records ??= (async () => {
    const files: Record<string, string[]> = {};
    for (const [name, lines] of Object.entries(LINES)) files[name] = [...lines];
    files["LOG_LOCALIDADE.TXT"]!.push(...LOCALITIES);
    for (const [, { file, line }] of RULES) {
      if (file && line) files[file]!.push(line);
    }
    await using stores = await BothStores.open((store) =>
      seedFiles(store, files, { maxDanglingPercent: 100 })
    );
    const found = new Map<string, Address | undefined>();
    for (const [, { cep }] of RULES) found.set(cep, await stores.find(cep));
    return found;
  })();
}

for (const [rule, { cep }, fields] of RULES) {
  Deno.test(`FIELDS computes ${rule}`, async () => {
    const found = (await findExamples()).get(cep);
    assert(found);
    assertObjectMatch(found, fields);
  });
}

/**
 * DNE of arbitrary rows. Numbers are few, so that most references are known and
 * some are not, and CEPs repeat.
 */
interface Rows {
  readonly localities: readonly Row<"LOG_LOCALIDADE">[];
  readonly neighbourhoods: readonly Row<"LOG_BAIRRO">[];
  readonly streets: readonly Row<"LOG_LOGRADOURO">[];
  readonly largeUsers: readonly Row<"LOG_GRANDE_USUARIO">[];
  readonly units: readonly Row<"LOG_UNID_OPER">[];
  readonly posts: readonly Row<"LOG_CPC">[];
}

/** Texts that are never UTF-8, without adjacent non-ASCII characters. */
const TEXT = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(..."ABCdef 0159-,.()/") },
    fc.constantFrom("'", '"', "\\", "\r", "\t", "\x01", "\x1A", "\x7F"),
    fc.constantFrom("%", "_", "<", "&", "{", "}", "$", "`", ";", "--", "  "),
    fc.constantFrom("a\xA0", "4ª", "1º", "2°", "É", "Ã", "ç", "õ", "ÿ"),
  ),
  { maxLength: 12 },
).map((parts) => parts.join(""));

const NUMBER = fc.integer({ min: 1, max: 6 }).map(String);
const REFERENCE = fc.integer({ min: 0, max: 7 }).map(String);
const OPTIONAL = fc.oneof(REFERENCE, fc.constant(""));
const STATE = fc.constantFrom("SP", "AC", "DF");
const CEP = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1_000_000, max: 1_000_040 }) },
  fc.integer({ min: 1_000_000, max: 99_999_999 }),
).map((code) => String(code).padStart(8, "0"));
const TYPE = fc.oneof(fc.constantFrom("Rua", "Praça", "4ª Travessa", ""), TEXT);
const FLAG = fc.constantFrom("S", "N", "");

const ROWS: fc.Arbitrary<Rows> = fc.record({
  localities: rows({
    LOC_NU: NUMBER,
    UFE_SG: STATE,
    LOC_NO: TEXT,
    CEP: fc.oneof(CEP, fc.constant("")),
    LOC_IN_SIT: fc.constantFrom("0", "1", "2", "3"),
    LOC_IN_TIPO_LOC: fc.constantFrom("M", "D", "P"),
    LOC_NU_SUB: fc.oneof(fc.constant(""), REFERENCE),
    LOC_NO_ABREV: TEXT,
    MUN_NU: fc.constantFrom("3599901", "1299904", "", "       ", "35", "x"),
  }),
  neighbourhoods: rows({
    BAI_NU: NUMBER,
    UFE_SG: STATE,
    LOC_NU: REFERENCE,
    BAI_NO: TEXT,
    BAI_NO_ABREV: TEXT,
  }),
  streets: rows({
    LOG_NU: NUMBER,
    UFE_SG: STATE,
    LOC_NU: REFERENCE,
    BAI_NU_INI: OPTIONAL,
    BAI_NU_FIM: OPTIONAL,
    LOG_NO: fc.oneof(TEXT, fc.constantFrom("Rua A", "RUA", "praça B")),
    LOG_COMPLEMENTO: fc.oneof(TEXT, TEXT.map((text) => `- ${text}`)),
    CEP,
    TLO_TX: TYPE,
    LOG_STA_TLO: FLAG,
    LOG_NO_ABREV: TEXT,
  }),
  largeUsers: rows({
    GRU_NU: NUMBER,
    UFE_SG: STATE,
    LOC_NU: REFERENCE,
    BAI_NU: OPTIONAL,
    LOG_NU: OPTIONAL,
    GRU_NO: TEXT,
    GRU_ENDERECO: TEXT,
    CEP,
    GRU_NO_ABREV: TEXT,
  }),
  units: rows({
    UOP_NU: NUMBER,
    UFE_SG: STATE,
    LOC_NU: REFERENCE,
    BAI_NU: OPTIONAL,
    LOG_NU: OPTIONAL,
    UOP_NO: TEXT,
    UOP_ENDERECO: TEXT,
    CEP,
    UOP_IN_CP: FLAG,
    UOP_NO_ABREV: TEXT,
  }),
  posts: rows({
    CPC_NU: NUMBER,
    UFE_SG: STATE,
    LOC_NU: REFERENCE,
    CPC_NO: TEXT,
    CPC_ENDERECO: TEXT,
    CEP,
  }),
});

function rows<T>(columns: { [C in keyof T]: fc.Arbitrary<T[C]> }) {
  return fc.array(fc.record(columns), { maxLength: 6 });
}

/**
 * Returns the files of the rows; one file has all streets, whose rows have the
 * state.
 */
function toFiles(it: Rows): Files {
  const lines = <F extends Family>(family: F, rows: readonly Row<F>[]) =>
    rows.map((row) => line(family, row));
  return {
    "LOG_LOCALIDADE.TXT": lines("LOG_LOCALIDADE", it.localities),
    "LOG_BAIRRO.TXT": lines("LOG_BAIRRO", it.neighbourhoods),
    [AC]: [],
    [SP]: lines("LOG_LOGRADOURO", it.streets),
    "LOG_GRANDE_USUARIO.TXT": lines("LOG_GRANDE_USUARIO", it.largeUsers),
    "LOG_UNID_OPER.TXT": lines("LOG_UNID_OPER", it.units),
    "LOG_CPC.TXT": lines("LOG_CPC", it.posts),
  };
}

/** Returns the records by CEP, according to the rules. */
function toRecords(given: Rows): Map<string, Partial<Address>> {
  const { localities, neighbourhoods, ...it } = trimmed(given);
  // The first of two rows with the same number counts.
  const localityOf = (number: string) =>
    localities.find(({ LOC_NU }) => LOC_NU === number);
  const bairroOf = (number: string) =>
    neighbourhoods.find(({ BAI_NU }) => BAI_NU === number)?.BAI_NO ?? "";
  const ibgeOf = (text = "") => /^[0-9]{7}$/.test(text) ? text : "";

  const records = new Map<string, Partial<Address>>();
  const claim = (
    { CEP, UFE_SG, LOC_NU }: { CEP: string; UFE_SG: string; LOC_NU: string },
    fields: Partial<Address> & Pick<Address, "tipo_origem" | "nome_origem">,
  ) => {
    if (CEP === "" || records.has(CEP)) return;
    const locality = localityOf(LOC_NU);
    const isDistrict = (locality?.LOC_NU_SUB ?? "") !== "";
    const municipality = isDistrict
      ? localityOf(locality!.LOC_NU_SUB)
      : locality;
    records.set(CEP, {
      cep: CEP,
      logradouro: "",
      complemento: "",
      bairro: "",
      distrito: isDistrict ? locality!.LOC_NO : "",
      cidade: municipality?.LOC_NO ?? "",
      uf: UFE_SG,
      codigo_ibge: ibgeOf(municipality?.MUN_NU) || ibgeOf(locality?.MUN_NU),
      tipo_logradouro: "",
      nome: "",
      ...fields,
    });
  };

  for (const row of localities) {
    if (localityOf(row.LOC_NU) !== row) continue;
    claim(row, {
      bairro: row.LOC_NU_SUB === "" ? "" : row.LOC_NO,
      tipo_origem: "localidade",
      nome_origem: "LOG_LOCALIDADE.TXT",
    });
  }
  for (const row of it.streets) {
    claim(row, {
      logradouro: streetOf(row),
      complemento: row.LOG_COMPLEMENTO.replace(/^-/, "").trim(),
      bairro: bairroOf(row.BAI_NU_INI),
      tipo_logradouro: row.TLO_TX,
      tipo_origem: "logradouro",
      nome_origem: SP,
    });
  }
  for (const row of it.largeUsers) {
    claim(row, {
      logradouro: row.GRU_ENDERECO,
      bairro: bairroOf(row.BAI_NU),
      nome: row.GRU_NO,
      tipo_origem: "grande_usuario",
      nome_origem: "LOG_GRANDE_USUARIO.TXT",
    });
  }
  for (const row of it.units) {
    claim(row, {
      logradouro: row.UOP_ENDERECO,
      bairro: bairroOf(row.BAI_NU),
      nome: row.UOP_NO,
      tipo_origem: "unid_oper",
      nome_origem: "LOG_UNID_OPER.TXT",
    });
  }
  for (const row of it.posts) {
    claim(row, {
      logradouro: row.CPC_ENDERECO,
      nome: row.CPC_NO,
      tipo_origem: "cpc",
      nome_origem: "LOG_CPC.TXT",
    });
  }
  return records;
}

function trimmed(given: Rows): Rows {
  return JSON.parse(
    JSON.stringify(given),
    (_, value) => typeof value === "string" ? value.trim() : value,
  );
}

function streetOf({ TLO_TX, LOG_NO, LOG_STA_TLO }: Row<"LOG_LOGRADOURO">) {
  if (TLO_TX === "" || LOG_NO === "" || LOG_STA_TLO === "N") return LOG_NO;
  const [type, name] = [TLO_TX.toUpperCase(), LOG_NO.toUpperCase()];
  if (name === type || name.startsWith(`${type} `)) return LOG_NO;
  return `${TLO_TX} ${LOG_NO}`;
}

Deno.test("FIELDS computes the records of any DNE, from memory and by queries", async () => {
  await fc.assert(
    fc.asyncProperty(ROWS, async (rows) => {
      const records = toRecords(rows);
      fc.pre(records.size > 0);
      await using stores = await BothStores.open((store) =>
        seedFiles(store, toFiles(rows), { maxDanglingPercent: 100 })
      );
      assertEquals((await stores.memory.release())?.totalCeps, records.size);
      for (const [cep, record] of records) {
        assertObjectMatch((await stores.find(cep))!, record);
      }
    }),
    { numRuns: 15 },
  );
});
