import { BUILD } from "../build.ts";
import { formatCep } from "../record/address.ts";
import type { Translated } from "../settings/setting.ts";

/** Members of an error's body in addition to those of every error. */
export type Details = Readonly<Record<string, unknown>>;

/** Kind of error. */
export interface ErrorKind {
  /** HTTP status. */
  readonly status: number;
  /** Message to the client, which may depend on the details of the error. */
  readonly message: string | ((details: Details) => string);
  /** Details in an example. */
  readonly example?: Details;
  /** Cause, for the tables of the documents. */
  readonly cause: Translated;
  /** What the operator can do about it, for the log. */
  readonly hint?: string;
}

/** Stable code of an error. */
export type ErrorCode =
  | "cep_missing"
  | "cep_invalid"
  | "prefix_invalid"
  | "cep_not_found"
  | "cep_replaced"
  | "census_missing"
  | "census_not_found"
  | "place_not_found"
  | "parameter_invalid"
  | "cursor_invalid"
  | "body_invalid"
  | "body_timeout"
  | "body_too_large"
  | "content_type_unsupported"
  | "route_not_found"
  | "method_not_allowed"
  | "rate_limited"
  | "internal"
  | "database_not_ready"
  | "service_busy";

/** Every error of the API, in the order of the documentation. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorKind>> = {
  cep_missing: {
    status: 400,
    message: "Informe o CEP na rota, por exemplo /cep/01310100.",
    cause: { en: "`/cep` without a CEP", pt: "`/cep` sem o CEP" },
  },
  cep_invalid: {
    status: 400,
    message: ({ motivo = "informe oito dígitos, como 01310-100" }) =>
      `CEP inválido: ${motivo}.`,
    cause: {
      en: "not a CEP in an accepted form; `motivo` says which CEP was " +
        "probably meant, if any",
      pt: "CEP em formato não aceito; `motivo` informa o CEP provável, se " +
        "houver",
    },
  },
  prefix_invalid: {
    status: 400,
    message: "Prefixo inválido: informe de um a oito dígitos.",
    cause: {
      en: "not a prefix of 1 to 8 digits",
      pt: "não é um prefixo de 1 a 8 dígitos",
    },
  },
  cep_not_found: {
    status: 404,
    message: "CEP não encontrado.",
    cause: {
      en: "no such CEP in the data; `sugestao` is the municipality in whose " +
        "range it lies, if any",
      pt: "CEP inexistente nos dados; `sugestao` é o município em cuja faixa " +
        "ele está, se houver",
    },
  },
  cep_replaced: {
    status: 404,
    message: ({ cep_novo }) =>
      typeof cep_novo === "string"
        ? `CEP substituído: o novo é ${formatCep(cep_novo)}.`
        : "CEP extinto: nenhum outro o substitui.",
    example: { cep_novo: "01310100", release: "26011" },
    cause: {
      en: "a CEP that the DNE had; `cep_novo` is its successor, or null with " +
        "`sugestao` as above, `release` the version that changed it",
      pt: "um CEP que o DNE já teve; `cep_novo` é seu sucessor, ou null com " +
        "`sugestao` como acima, `release` a versão que o alterou",
    },
  },
  census_missing: {
    status: 404,
    message: "Este serviço não tem os dados do Censo, nem coordenadas.",
    cause: {
      en: "the data do not include the CNEFE, which has the coordinates, or " +
        "it has none; `CNEFE_PATH` imports it",
      pt: "os dados não incluem o CNEFE, que tem as coordenadas, ou ele não " +
        "tem nenhuma; `CNEFE_PATH` o importa",
    },
    hint: "Cannot answer from the census: import the CNEFE with CNEFE_PATH",
  },
  census_not_found: {
    status: 404,
    message: "O Censo não tem endereços com este CEP.",
    cause: {
      en: "a CEP without addresses in the CNEFE, such as those of large users",
      pt: "um CEP sem endereços no CNEFE, como os de grandes usuários",
    },
  },
  place_not_found: {
    status: 404,
    message: "Estado ou município não encontrado.",
    cause: {
      en: "no such state, or no such municipality in the data",
      pt: "estado inexistente, ou município inexistente nos dados",
    },
  },
  parameter_invalid: {
    status: 400,
    message: ({ parametro, motivo }) =>
      `Parâmetro ${parametro} inválido: ${motivo}.`,
    example: {
      parametro: "limite",
      motivo: "deve ser um número inteiro de 1 a 100",
    },
    cause: {
      en: "a parameter of the query or the body; `parametro` names it, " +
        "`motivo` gives the allowed values",
      pt: "um parâmetro da query ou do corpo; `parametro` o identifica, " +
        "`motivo` informa os valores aceitos",
    },
  },
  cursor_invalid: {
    status: 400,
    message: "Cursor inválido: repita a consulta sem o cursor.",
    cause: {
      en: "not a cursor of this query and release",
      pt: "não é um cursor desta consulta e desta base",
    },
  },
  body_invalid: {
    status: 400,
    message: ({ motivo }) => `Corpo inválido: ${motivo}.`,
    example: { motivo: "deve ser JSON" },
    cause: {
      en: "the body cannot be parsed; `motivo` gives the expected form",
      pt: "o corpo não pode ser lido; `motivo` informa a forma esperada",
    },
  },
  body_timeout: {
    status: 408,
    message: "O corpo da requisição não chegou a tempo.",
    cause: {
      en: "the body did not arrive in time",
      pt: "o corpo não chegou a tempo",
    },
  },
  body_too_large: {
    status: 413,
    message: ({ limite }) => `Corpo grande demais: o limite é de ${limite}.`,
    example: { limite: "65536 bytes" },
    cause: {
      en: "a body or list above the limit in `limite`",
      pt: "corpo ou lista acima do limite em `limite`",
    },
  },
  content_type_unsupported: {
    status: 415,
    message: ({ motivo }) => `Tipo de corpo não aceito: ${motivo}.`,
    example: {
      motivo: "envie application/json",
      aceitos: ["application/json"],
    },
    cause: {
      en: "a content type that is not listed in `aceitos`, or a compressed " +
        "body; `motivo` says which",
      pt: "Content-Type que não consta em `aceitos`, ou corpo comprimido; " +
        "`motivo` informa qual dos dois",
    },
  },
  route_not_found: {
    status: 404,
    message: "Rota não encontrada.",
    cause: { en: "unknown path", pt: "rota desconhecida" },
  },
  method_not_allowed: {
    status: 405,
    message: ({ aceitos }) =>
      `Método não permitido: use ${(aceitos as string[]).join(" ou ")}.`,
    example: { aceitos: ["GET", "HEAD"] },
    cause: {
      en: "a method that is not listed in `aceitos` and `Allow`",
      pt: "método que não consta em `aceitos` e em `Allow`",
    },
  },
  rate_limited: {
    status: 429,
    message: ({ retry_after: seconds }) =>
      `Limite de requisições excedido: tente de novo em ${seconds} s.`,
    example: { retry_after: 9 },
    cause: {
      en: "too many requests; `retry_after` and `Retry-After` give the " +
        "seconds to wait",
      pt:
        "requisições demais; `retry_after` e `Retry-After` informam quantos " +
        "segundos esperar",
    },
  },
  internal: {
    status: 500,
    message: "Erro interno: informe o request_id ao suporte.",
    example: { request_id: "0b5f0c0e-8d1a-4c86-9f5e-0a4c1f1f2d3e" },
    cause: {
      en: "unexpected failure, logged with the `request_id` of the response",
      pt: "falha inesperada, registrada no log com o `request_id` da resposta",
    },
  },
  database_not_ready: {
    status: 503,
    message: "Base de dados indisponível: tente mais tarde.",
    cause: {
      en: "nothing has been imported, or the database is unreadable or out " +
        "of reach; `Retry-After` gives the seconds to wait",
      pt: "nada foi importado ainda, ou o banco está corrompido ou " +
        "indisponível; `Retry-After` informa quantos segundos esperar",
    },
  },
  service_busy: {
    status: 503,
    message: "Há buscas demais em andamento: tente de novo em instantes.",
    cause: {
      en: "too many searches wait; `Retry-After` gives the seconds to wait",
      pt: "há buscas demais à espera; `Retry-After` informa quantos segundos " +
        "esperar",
    },
  },
};

/** Error that is sent to the client. */
export class HttpError extends Error {
  override readonly name = "HttpError";

  constructor(
    readonly code: ErrorCode,
    /** Members of the body in addition to those of every error. */
    readonly details: Details = {},
  ) {
    super(messageOf(code, details));
  }
}

/** Body of an error, with its details. */
export interface ErrorBody {
  /** Reason in Portuguese, for people. */
  readonly error: string;
  /** Stable code. */
  readonly code: ErrorCode;
  /** URL of the documentation of the code. */
  readonly docs: string;
  readonly [detail: string]: unknown;
}

/** Returns the status and the body of an error. */
export function describeError(
  code: ErrorCode,
  details: Details = {},
): { status: number; body: ErrorBody } {
  const error = messageOf(code, details);
  const { status } = ERRORS[code];
  return { status, body: { error, code, docs: docsOf(code), ...details } };
}

/** Returns the URL of the documentation of an error. */
export function docsOf(code: ErrorCode): string {
  return `${BUILD.repo}/blob/main/docs/cep/pt-BR/api.md#${code}`;
}

function messageOf(code: ErrorCode, details: Details): string {
  const { message } = ERRORS[code];
  return typeof message === "string" ? message : message(details);
}
