import type { PageLanguage } from "../web_page/texts.ts";

/** Texts of the reference of the API. */
export interface DocsTexts {
  /** Language as in HTML. */
  readonly lang: string;
  readonly title: string;
  readonly intro: string;
  readonly skip: string;
  readonly home: string;
  readonly operations: string;
  readonly parameters: string;
  readonly required: string;
  readonly example: string;
  readonly body: string;
  readonly answers: string;
  readonly errors: string;
  readonly schemas: string;
  readonly schemasIntro: string;
  /** The other language. */
  readonly other: PageLanguage;
  readonly otherName: string;
}

/** Texts by language. */
export const DOCS_TEXTS: Readonly<Record<PageLanguage, DocsTexts>> = {
  pt: {
    lang: "pt-BR",
    title: "Referência da API de CEP",
    intro:
      "`HEAD` é aceito onde `GET` é aceito. Uma resposta de erro é JSON, " +
      "com o motivo em `error`, um `code` estável e o endereço da " +
      "documentação dele em `docs`.",
    skip: "Ir para as operações",
    home: "Página inicial",
    operations: "Operações",
    parameters: "Parâmetros",
    required: "obrigatório",
    example: "Exemplo",
    body: "Corpo da requisição",
    answers: "Respostas",
    errors: "Erros",
    schemas: "Esquemas",
    schemasIntro: "Um campo com `?` pode faltar.",
    other: "en",
    otherName: "English",
  },
  en: {
    lang: "en",
    title: "Reference of the CEP API",
    intro: "`HEAD` is answered where `GET` is. An error is JSON, with the " +
      "reason in `error`, a stable `code`, and the URL of its documentation " +
      "in `docs`. Messages are in Portuguese.",
    skip: "Skip to the operations",
    home: "Start page",
    operations: "Operations",
    parameters: "Parameters",
    required: "required",
    example: "Example",
    body: "Body of the request",
    answers: "Responses",
    errors: "Errors",
    schemas: "Schemas",
    schemasIntro: "A field with `?` may be absent. Its meaning is in " +
      "Portuguese, as in the document.",
    other: "pt",
    otherName: "Português",
  },
};
