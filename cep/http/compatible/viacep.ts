import { formatCep, parseCep } from "../../record/address.ts";
import type { Config } from "../../settings/config.ts";
import { type Reader, UnreachableError } from "../../store/store.ts";
import {
  type Answer,
  type AnswerDoc,
  type Endpoint,
  type Exchange,
  type Parameter,
  type Route,
  textBody,
} from "../exchange.ts";
import {
  anyOf,
  CEP_TEXT,
  type Content,
  jsonContent,
  named,
  object,
  oneOfStrings,
  textContent,
} from "../open_api/schema.ts";
import { type FinderOptions, recordFinder } from "./find_record.ts";
import {
  CALLBACK_TEXT,
  isCallback,
  VIACEP_FIELDS,
  viacepBody,
  viacepElements,
  viacepJson,
  viacepXml,
  xmlElement,
} from "./viacep_bodies.ts";
import { schemaOf } from "./table.ts";

/** Answer to a malformed request, which ViaCEP does not send as JSON. */
export const VIACEP_MALFORMED: Answer = {
  status: 400,
  body: textBody(
    '<!DOCTYPE html>\n<html lang="pt-BR">\n<meta charset="utf-8">\n' +
      "<title>400</title>\n<h1>Http 400</h1>\n<h3>Verifique a URL</h3>\n" +
      "<h3>{Bad Request}</h3>\n</html>\n",
    "text/html; charset=utf-8",
  ),
};

/** Documentation of {@linkcode VIACEP_MALFORMED}. */
export const MALFORMED_DOC: AnswerDoc = {
  en: "malformed, as a page of HTML",
  pt: "requisição malformada, em uma página HTML",
  content: textContent("text/html"),
};

/** Record of ViaCEP. */
export const VIACEP_RECORD = named("ViaCEP", schemaOf(VIACEP_FIELDS));

/** Parameter of JSONP. */
export const CALLBACK: Parameter = {
  name: "callback",
  in: "query",
  description: {
    en: "function of JSONP: letters, digits, `_`, `$`, `.` and `[0]`",
    pt: "função do JSONP: letras, dígitos, `_`, `$`, `.` e `[0]`",
  },
  example: "mostrar",
  schema: CALLBACK_TEXT,
};

/** Body of JSON, or of JSONP for a callback. */
export function scriptContent(json: Content): Content {
  return { ...json, ...textContent("application/javascript") };
}

/** Body of XML. */
export const XML_CONTENT: Content = textContent("application/xml");

function endpoint(
  form: string,
  content: Content,
  parameters: readonly Parameter[],
): Endpoint {
  return {
    id: `getViaCep${form === "json" ? "Json" : "Xml"}`,
    pattern: `/ws/:cep/${form}`,
    lenient: true,
    summary: {
      en: `as ViaCEP: the record of a CEP in ${form.toUpperCase()}`,
      pt: `como o ViaCEP: o registro de um CEP em ${form.toUpperCase()}`,
    },
    parameters: [{
      name: "cep",
      in: "path",
      description: {
        en: "eight digits, with or without the hyphen",
        pt: "oito dígitos, com ou sem o hífen",
      },
      example: "01310100",
      schema: CEP_TEXT,
    }, ...parameters],
    answers: {
      200: {
        en:
          "the record, or `erro` for an unknown CEP, with the `cep_novo` of " +
          "a replaced one if the settings ask for it",
        pt: "o registro, ou `erro` para um CEP inexistente, com o `cep_novo` " +
          "de um substituído se as configurações o pedirem",
        content,
      },
      304: {
        en: "`If-None-Match` names the current version of the record",
        pt: "`If-None-Match` indica a versão atual do registro",
      },
      400: MALFORMED_DOC,
    },
    errors: ["database_not_ready"],
  };
}

/** Members of the answer for an unknown CEP. */
type Unknown = Readonly<Record<string, string>>;

function unknownXml(members: Unknown): string {
  return Object.entries(members)
    .map(([name, text]) => xmlElement(name, text, "  ")).join("");
}

const JSON_ROUTE = endpoint(
  "json",
  scriptContent(
    jsonContent(
      anyOf(
        VIACEP_RECORD,
        object({ erro: oneOfStrings("true") }, { cep_novo: CEP_TEXT }),
      ),
    ),
  ),
  [CALLBACK],
);

const XML_ROUTE = endpoint("xml", XML_CONTENT, []);

/** Options of {@linkcode viacep}. */
export interface ViaCepOptions
  extends FinderOptions, Pick<Config, "viacepSuccessor"> {
  /** Store of the records and of replaced CEPs. */
  readonly store: FinderOptions["store"] & Pick<Reader, "lastChange">;
}

/** Creates the routes of ViaCEP's records. */
export function viacep(options: ViaCepOptions): Route[] {
  const find = recordFinder(options);

  async function unknown(cep: string): Promise<Unknown> {
    const successor = await successorOf(options, cep);
    return {
      erro: "true",
      ...(successor !== undefined && { cep_novo: formatCep(successor) }),
    };
  }

  return [
    {
      ...JSON_ROUTE,
      handle(exchange) {
        const cep = parseCep(exchange.variables["cep"]!);
        const callback = callbackOf(exchange);
        if (cep === undefined || callback === null) return VIACEP_MALFORMED;
        return find(exchange, cep, {
          body: (record) => viacepBody(viacepJson(record), callback),
          unknown: async () => ({
            status: 200,
            body: viacepBody(JSON.stringify(await unknown(cep)), callback),
          }),
        });
      },
    },
    {
      ...XML_ROUTE,
      handle(exchange) {
        const cep = parseCep(exchange.variables["cep"]!);
        if (cep === undefined) return VIACEP_MALFORMED;
        return find(exchange, cep, {
          body: (record) => viacepXml(viacepElements(record, "  ")),
          unknown: async () => ({
            status: 200,
            body: viacepXml(unknownXml(await unknown(cep))),
          }),
        });
      },
    },
  ];
}

/** Returns the successor of a replaced CEP, if the settings ask for it. */
async function successorOf(
  { store, viacepSuccessor }: ViaCepOptions,
  cep: string,
): Promise<string | undefined> {
  if (!viacepSuccessor) return undefined;
  try {
    return (await store.lastChange(cep))?.successor ?? undefined;
  } catch (error) {
    // The records in memory are complete, even if the server is away.
    if (error instanceof UnreachableError) return undefined;
    throw error;
  }
}

/**
 * Returns the callback of a request, `undefined` without one, null if it is not
 * the name of a function.
 */
export function callbackOf(
  { query }: Exchange,
): string | undefined | null {
  if (query === "") return undefined;
  const callback = new URLSearchParams(query).get("callback");
  if (callback === null || callback === "") return undefined;
  return isCallback(callback) ? callback : null;
}
