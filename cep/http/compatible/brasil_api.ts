import { stateFacts } from "../../record/states.ts";
import {
  type Answer,
  type Endpoint,
  json,
  jsonBody,
  type Route,
} from "../exchange.ts";
import {
  array,
  jsonContent,
  matching,
  named,
  object,
  oneOfStrings,
  type Schema,
  STRING,
} from "../open_api/schema.ts";
import { type FinderOptions, type Form, recordFinder } from "./find_record.ts";
import {
  nested,
  renderer,
  schemaOf,
  type Table,
  text,
  textOrNull,
} from "./table.ts";
import type { RawRecord } from "./raw_record.ts";

/** Source of the DNE, one of those that BrasilAPI names. */
const SERVICE = "correios";

/** Source of CEPs that only the CNEFE has: clients take it for a text. */
const CENSUS_SERVICE = "cnefe";

/** Fields of version 1. */
const FIELDS: Table = {
  cep: text(({ cep }) => cep),
  state: text(({ uf }) => uf),
  city: text(({ cidade }) => cidade),
  neighborhood: text(({ bairro }) => bairro),
  street: text(({ logradouro }) => logradouro),
  service: text(({ tipo_origem }) =>
    tipo_origem === "cnefe" ? CENSUS_SERVICE : SERVICE
  ),
  ibge: nested({
    city: text(({ codigo_ibge }) => codigo_ibge),
    state: text(({ uf }) => stateFacts(uf)?.ibge ?? ""),
  }),
};

/**
 * Fields of version 2, which has null in place of the neighbourhood and the
 * street of a CEP without a street.
 */
const FIELDS_2: Table = {
  ...FIELDS,
  neighborhood: textOrNull(({ bairro, logradouro }) =>
    logradouro === "" ? undefined : bairro
  ),
  street: textOrNull(({ logradouro }) => logradouro || undefined),
  timezoneName: text(timeZone),
  location: {
    schema: object({
      type: STRING,
      coordinates: object({}, { longitude: STRING, latitude: STRING }),
    }),
    json: ({ longitude, latitude }) =>
      `{"type":"Point","coordinates":${coordinates(longitude, latitude)}}`,
  },
};

/** Returns coordinates as JSON: an empty object without them. */
function coordinates(longitude: string, latitude: string): string {
  return latitude === ""
    ? "{}"
    : `{"longitude":"${longitude}","latitude":"${latitude}"}`;
}

const VERSIONS = [
  { version: "v1", title: "BrasilAPI_v1", fields: FIELDS },
  { version: "v2", title: "BrasilAPI_v2", fields: FIELDS_2 },
];

const ERROR: Schema = named(
  "BrasilAPI_erro",
  object({
    name: STRING,
    message: STRING,
    type: oneOfStrings("validation_error", "service_error"),
    errors: array(
      object({ message: STRING, service: STRING }, { name: STRING }),
    ),
  }),
);

const MALFORMED = failure(
  400,
  "validation_error",
  "CEP deve conter exatamente 8 caracteres.",
  {
    message: "CEP informado possui mais do que 8 caracteres.",
    service: "cep_validation",
  },
);

const UNKNOWN = failure(
  404,
  "service_error",
  "Todos os serviços de CEP retornaram erro.",
  {
    name: "ServiceError",
    message: "CEP não encontrado na base dos Correios.",
    service: SERVICE,
  },
);

function failure(
  status: number,
  type: string,
  message: string,
  ...errors: readonly Readonly<Record<string, string>>[]
): Answer {
  return json({ name: "CepPromiseError", message, type, errors }, status);
}

function endpoint(version: string, schema: Schema): Endpoint {
  return {
    id: `getBrasilApi${version.toUpperCase()}`,
    pattern: `/api/cep/${version}/:cep`,
    lenient: true,
    summary: {
      en: `as BrasilAPI, ${version}: the record of a CEP`,
      pt: `como a BrasilAPI, ${version}: o registro de um CEP`,
    },
    parameters: [{
      name: "cep",
      in: "path",
      description: {
        en: "eight digits; other characters are ignored",
        pt: "oito dígitos; outros caracteres são ignorados",
      },
      example: "01310100",
      schema: matching(/^\D*(?:\d\D*){8}$/, "01310100"),
    }],
    answers: {
      200: {
        en: "the record",
        pt: "o registro",
        content: jsonContent(schema),
      },
      304: {
        en: "`If-None-Match` names the current version of the record",
        pt: "`If-None-Match` indica a versão atual do registro",
      },
      400: {
        en: "not eight digits",
        pt: "não são oito dígitos",
        content: jsonContent(ERROR),
      },
      404: {
        en: "no such CEP in the DNE",
        pt: "CEP inexistente no DNE",
        content: jsonContent(ERROR),
      },
    },
    errors: ["database_not_ready"],
  };
}

/** Creates the routes of BrasilAPI. */
export function brasilApi(options: FinderOptions): Route[] {
  const find = recordFinder(options);
  return VERSIONS.map(({ version, title, fields }) => {
    const render = renderer(fields);
    const form: Form = {
      body: (record) => jsonBody(render(record)),
      unknown: () => UNKNOWN,
    };
    return {
      ...endpoint(version, named(title, schemaOf(fields))),
      handle(exchange) {
        const cep = exchange.variables["cep"]!.replaceAll(/\D/g, "");
        return cep.length === 8 ? find(exchange, cep, form) : MALFORMED;
      },
    };
  });
}

/** Names in the IANA database by state; all others have the one of Brasília. */
const BY_STATE: Readonly<Record<string, string>> = {
  AC: "America/Rio_Branco",
  AL: "America/Maceio",
  AM: "America/Manaus",
  AP: "America/Belem",
  BA: "America/Bahia",
  CE: "America/Fortaleza",
  MA: "America/Fortaleza",
  MS: "America/Campo_Grande",
  MT: "America/Cuiaba",
  PA: "America/Belem",
  PB: "America/Fortaleza",
  PE: "America/Recife",
  PI: "America/Fortaleza",
  RN: "America/Fortaleza",
  RO: "America/Porto_Velho",
  RR: "America/Boa_Vista",
  SE: "America/Maceio",
  TO: "America/Araguaina",
};

/** Municipalities whose time differs from that of their state's capital. */
const BY_MUNICIPALITY: Readonly<Record<string, string>> = {
  "1300201": "America/Eirunepe", // Atalaia do Norte
  "1300607": "America/Eirunepe", // Benjamin Constant
  "1301407": "America/Eirunepe", // Eirunepé
  "1301506": "America/Eirunepe", // Envira
  "1301654": "America/Eirunepe", // Guajará
  "1301803": "America/Eirunepe", // Ipixuna
  "1304062": "America/Eirunepe", // Tabatinga
  "2605459": "America/Noronha", // Fernando de Noronha
};

/** Returns the time zone of a record's municipality. */
export function timeZone(
  { uf, codigo_ibge }: Pick<RawRecord, "uf" | "codigo_ibge">,
): string {
  return BY_MUNICIPALITY[codigo_ibge] ?? BY_STATE[uf] ?? "America/Sao_Paulo";
}
