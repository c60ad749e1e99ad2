import { formatCep, parseCep, WRITTEN_CEP } from "../../record/address.ts";
import { type Endpoint, json, jsonBody, type Route } from "../exchange.ts";
import {
  BOOLEAN,
  jsonContent,
  matching,
  named,
  object,
} from "../open_api/schema.ts";
import { type FinderOptions, type Form, recordFinder } from "./find_record.ts";
import {
  regionName,
  renderer,
  schemaOf,
  stateName,
  type Table,
  text,
} from "./table.ts";

/** Fields of a record, as OpenCEP names them. */
const FIELDS: Table = {
  cep: text(({ cep }) => formatCep(cep)),
  logradouro: text(({ logradouro }) => logradouro),
  complemento: text(({ complemento }) => complemento),
  unidade: text(({ nome }) => nome),
  bairro: text(({ bairro }) => bairro),
  localidade: text(({ cidade }) => cidade),
  uf: text(({ uf }) => uf),
  estado: text(stateName),
  regiao: text(regionName),
  ibge: text(({ codigo_ibge }) => codigo_ibge),
};

/** Record of a CEP. */
const CEP: Endpoint = {
  id: "getOpenCep",
  pattern: "/v1/:cep",
  lenient: true,
  summary: {
    en: "as OpenCEP: the record of a CEP",
    pt: "como o OpenCEP: o registro de um CEP",
  },
  parameters: [{
    name: "cep",
    in: "path",
    description: {
      en: "eight digits, with or without the hyphen and `.json`",
      pt: "oito dígitos, com ou sem o hífen e `.json`",
    },
    example: "01310100",
    schema: matching(
      new RegExp(WRITTEN_CEP.source.replace(/\$$/, "(?:\\.json)?$")),
      "01310100.json",
    ),
  }],
  answers: {
    200: {
      en: "the record",
      pt: "o registro",
      content: jsonContent(named("OpenCEP", schemaOf(FIELDS))),
    },
    304: {
      en: "`If-None-Match` names the current version of the record",
      pt: "`If-None-Match` indica a versão atual do registro",
    },
    404: {
      en: "no such CEP in the DNE, or not a CEP",
      pt: "CEP inexistente no DNE, ou não é um CEP",
      content: jsonContent(object({ error: BOOLEAN })),
    },
  },
  errors: ["database_not_ready"],
};

const UNKNOWN = json({ error: true }, 404);

/** Creates the routes of OpenCEP. */
export function openCep(options: FinderOptions): Route[] {
  const find = recordFinder(options);
  const render = renderer(FIELDS);
  const form: Form = {
    body: (record) => jsonBody(render(record)),
    unknown: () => UNKNOWN,
  };
  return [{
    ...CEP,
    handle(exchange) {
      const { cep: name = "" } = exchange.variables;
      const cep = parseCep(name.endsWith(".json") ? name.slice(0, -5) : name);
      return cep === undefined ? UNKNOWN : find(exchange, cep, form);
    },
  }];
}
