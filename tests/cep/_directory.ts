/** Small invented DNE, as lines and on disk. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  COLUMNS,
  type Family,
  REQUIRED_FILES,
  type Row,
} from "../../cep/import/dne/layout.ts";

/** Encodes a text in ISO-8859-1. */
export function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    if (code > 0xFF) throw new RangeError(`Cannot encode "${character}"`);
    return code;
  });
}

const DEFAULTS: { readonly [F in Family]: Row<F> } = {
  LOG_LOCALIDADE: {
    LOC_NU: "9",
    UFE_SG: "SP",
    LOC_NO: "Lagoa Bonita",
    CEP: "12990000",
    LOC_IN_SIT: "0",
    LOC_IN_TIPO_LOC: "M",
    LOC_NU_SUB: "",
    LOC_NO_ABREV: "",
    MUN_NU: "3599909",
  },
  LOG_BAIRRO: {
    BAI_NU: "9",
    UFE_SG: "SP",
    LOC_NU: "1",
    BAI_NO: "Jardim Alegre",
    BAI_NO_ABREV: "",
  },
  LOG_LOGRADOURO: {
    LOG_NU: "9",
    UFE_SG: "SP",
    LOC_NU: "1",
    BAI_NU_INI: "1",
    BAI_NU_FIM: "",
    LOG_NO: "das Acácias",
    LOG_COMPLEMENTO: "",
    CEP: "01990000",
    TLO_TX: "Rua",
    LOG_STA_TLO: "S",
    LOG_NO_ABREV: "",
  },
  LOG_GRANDE_USUARIO: {
    GRU_NU: "9",
    UFE_SG: "SP",
    LOC_NU: "1",
    BAI_NU: "1",
    LOG_NU: "",
    GRU_NO: "Fábrica Estrela",
    GRU_ENDERECO: "Rua das Acácias, 9",
    CEP: "01990900",
    GRU_NO_ABREV: "",
  },
  LOG_UNID_OPER: {
    UOP_NU: "9",
    UFE_SG: "SP",
    LOC_NU: "1",
    BAI_NU: "1",
    LOG_NU: "",
    UOP_NO: "AC Acácias",
    UOP_ENDERECO: "Rua das Acácias, 90",
    CEP: "01990970",
    UOP_IN_CP: "N",
    UOP_NO_ABREV: "",
  },
  LOG_CPC: {
    CPC_NU: "9",
    UFE_SG: "SP",
    LOC_NU: "1",
    CPC_NO: "Bar do Zé",
    CPC_ENDERECO: "Estrada Velha, km 9",
    CEP: "01990990",
  },
  LOG_FAIXA_UF: {
    UFE_SG: "SP",
    UFE_CEP_INI: "01000000",
    UFE_CEP_FIM: "19999999",
  },
  LOG_FAIXA_LOCALIDADE: {
    LOC_NU: "1",
    LOC_CEP_INI: "01900000",
    LOC_CEP_FIM: "01999999",
    LOC_TIPO_FAIXA: "T",
  },
  LOG_FAIXA_BAIRRO: {
    BAI_NU: "1",
    FCB_CEP_INI: "01900000",
    FCB_CEP_FIM: "01900999",
  },
  LOG_FAIXA_CPC: { CPC_NU: "1", CPC_INICIAL: "1", CPC_FINAL: "108" },
  LOG_FAIXA_UOP: { UOP_NU: "1", FNC_INICIAL: "1", FNC_FINAL: "360" },
  LOG_VAR_LOC: { LOC_NU: "1", VAL_NU: "1", VAL_TX: "Vila Gde" },
  LOG_VAR_BAI: { BAI_NU: "1", VDB_NU: "1", VDB_TX: "Centro Velho" },
  LOG_VAR_LOG: {
    LOG_NU: "2",
    VLO_NU: "1",
    TLO_TX: "Rua",
    VLO_TX: "Rua das Rosas",
  },
  LOG_NUM_SEC: {
    LOG_NU: "2",
    SEC_NU_INI: "1",
    SEC_NU_FIM: "99",
    SEC_IN_LADO: "I",
  },
};

/** Returns a valid row with some fields replaced. */
export function row<F extends Family>(
  family: F,
  fields: Partial<Row<F>> = {},
): Row<F> {
  return { ...DEFAULTS[family], ...fields };
}

/** Returns a valid line with some fields replaced. */
export function line<F extends Family>(
  family: F,
  fields: Partial<Row<F>> = {},
): string {
  const columns: readonly (keyof Row<F>)[] = COLUMNS[family];
  const values = row(family, fields);
  return columns.map((column) => values[column]).join("@");
}

/**
 * Lines of the small DNE by file: two municipalities and a district in SP, a
 * municipality in AC, and eight CEPs from all sources.
 */
export const LINES: Readonly<Record<string, readonly string[]>> = {
  "LOG_LOCALIDADE.TXT": [
    "1@SP@Vila Grande@@1@M@@Vl Grande@3599901",
    "3@SP@Ponte Alta@12905000@0@D@2@Pte Alta@",
    "2@SP@Serra Clara@12900000@0@M@@Sra Clara@3599902",
    "4@AC@Rio Manso@@1@M@@Rio Manso@1299904",
  ],
  "LOG_BAIRRO.TXT": [
    "1@SP@1@Centro@Centro",
    '2@SP@1@Jardim "Água"@Jd Água',
    "3@AC@4@Cidade Nova@",
    "4@SP@3@São João@S João",
  ],
  "LOG_LOGRADOURO_AC.TXT": [
    "1@AC@4@3@@Três@@69990001@Travessa@S@Tv Três      ",
  ],
  "LOG_LOGRADOURO_SP.TXT": [
    "2@SP@1@1@@das Flores@- de 1 a 99 - lado ímpar@01900001@Rua@S@R das Flores",
    "3@SP@1@2@@QC 2 Conjunto Q@@01900002@Quadra@N@QC 2 Cj Q",
  ],
  "LOG_GRANDE_USUARIO.TXT": [
    "1@SP@1@1@2@Banco Aurora@Rua das Flores, 10@01900900@Bco Aurora",
  ],
  "LOG_UNID_OPER.TXT": [
    "1@SP@3@4@@AC Ponte Alta@Praça Central, s/n@12905970@S@AC Pte Alta",
  ],
  "LOG_CPC.TXT": [
    "1@SP@2@Armazém da Serra@ Estrada do Mel, km 3@12900990",
  ],
};

/** CEPs of the small DNE, in order. */
export const CEPS: readonly string[] = [
  "01900001",
  "01900002",
  "01900900",
  "12900000",
  "12900990",
  "12905000",
  "12905970",
  "69990001",
];

/** Returns lines of streets in SP with CEPs from 02000000 on. */
export function streets(count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    line("LOG_LOGRADOURO", {
      LOG_NU: String(100 + i),
      LOG_NO: `Número ${i}`,
      CEP: String(2_000_000 + i).padStart(8, "0"),
    }));
}

/** Files by name: lines, bytes, or `null` for a missing file. */
export type Files = Readonly<
  Record<string, readonly string[] | Uint8Array | null>
>;

/**
 * Writes the small DNE, with an empty street file for every other state. The
 * given files replace those of the same name in any letter case, or are added.
 * Lines are written in ISO-8859-1 with CRLF.
 */
export function writeDirectory(path: string, files: Files = {}): void {
  mkdirSync(path, { recursive: true });
  const given = new Set(Object.keys(files).map((name) => name.toUpperCase()));
  const all: Record<string, Files[string]> = { ...files };
  for (const { name } of REQUIRED_FILES) {
    if (!given.has(name)) all[name] = LINES[name] ?? [];
  }
  for (const [name, content] of Object.entries(all)) {
    if (content === null) continue;
    const bytes = content instanceof Uint8Array ? content : encode(content);
    writeFileSync(join(path, name), bytes);
  }
}

/** Encodes lines in ISO-8859-1, each with a line end. */
export function encode(
  lines: readonly string[],
  end = "\r\n",
): Uint8Array<ArrayBuffer> {
  return latin1(lines.map((text) => text + end).join(""));
}
