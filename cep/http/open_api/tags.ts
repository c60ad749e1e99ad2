import type { Translated } from "../../settings/setting.ts";
import type { Endpoint } from "../exchange.ts";

/** Group of operations. */
export interface Tag {
  /** ASCII, because generated clients name a class or a file after it. */
  readonly name: string;
  readonly title: Translated;
  readonly description: string;
  /** First segments of the paths of its operations. */
  readonly roots: readonly string[];
}

/** Every group, in the order of the document. */
export const TAGS: readonly Tag[] = [
  {
    name: "cep",
    title: { en: "Lookup", pt: "Consulta" },
    description: "Consulta por CEP",
    roots: ["cep", "ceps"],
  },
  {
    name: "enderecos",
    title: { en: "Search", pt: "Busca" },
    description: "Busca de CEPs por endereço ou por lugar",
    roots: ["busca", "enderecos", "proximos"],
  },
  {
    name: "lugares",
    title: { en: "Places", pt: "Lugares" },
    description: "Estados, municípios, distritos e bairros",
    roots: ["estados", "municipios"],
  },
  {
    name: "compatibilidade",
    title: { en: "Compatible routes", pt: "Rotas compatíveis" },
    description: "As rotas do ViaCEP, da BrasilAPI e do OpenCEP",
    roots: ["ws", "api", "v1"],
  },
  {
    name: "pagina",
    title: { en: "Page", pt: "Página" },
    description: "A página para pessoas",
    roots: ["", "docs", "pagina", "favicon.ico", "opensearch.xml"],
  },
  {
    name: "operacao",
    title: { en: "Operations", pt: "Operação" },
    description: "Estado e conteúdo do serviço",
    roots: ["healthcheck", "livez", "debug", "metrics", "openapi.json"],
  },
];

/**
 * Returns the name of an endpoint's group.
 *
 * @throws {TypeError} If its first segment belongs to no group.
 */
export function tagOf({ pattern }: Pick<Endpoint, "pattern">): string {
  const [, root = ""] = pattern.split("/");
  const tag = TAGS.find(({ roots }) => roots.includes(root));
  if (tag !== undefined) return tag.name;
  throw new TypeError(`Cannot tag "${pattern}": "/${root}" is not in TAGS`);
}
