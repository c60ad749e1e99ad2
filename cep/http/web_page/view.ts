import { type Address, formatCep } from "../../record/address.ts";
import type { Release } from "../../store/store.ts";
import type { MunicipalityFacts } from "../../record/municipalities.ts";
import type { ExampleAddress } from "./example_address.ts";
import type { PageLanguage } from "./texts.ts";

/** Result that a page shows. */
export type PageResult =
  | { readonly kind: "none" }
  | {
    readonly kind: "record";
    readonly record: Address;
    /** Its own place, or else the seat of its municipality, if known. */
    readonly point:
      | Pick<MunicipalityFacts, "latitude" | "longitude">
      | undefined;
  }
  | {
    readonly kind: "records";
    readonly records: readonly Address[];
    /** True if there are more. */
    readonly hasMore: boolean;
  }
  | {
    readonly kind: "notice";
    readonly text: string;
    /** CEP that the notice refers to. */
    readonly cep?: string;
    /** Words that other records resemble. */
    readonly similarTo?: string;
  };

/** Content of the page. */
export interface PageView {
  readonly language: PageLanguage;
  /** True if the query names the language. */
  readonly isChosen: boolean;
  /** Text in the search box. */
  readonly query: string;
  readonly result: PageResult;
  /** Release of the data, `undefined` without data. */
  readonly release: Release | "unreadable" | undefined;
  /** True if addresses can be searched. */
  readonly search: boolean;
  /** True if the service has the reference of the API. */
  readonly hasDocs: boolean;
  /** Address in the examples. */
  readonly example: ExampleAddress;
}

/** Returns the street of a record, or the name of its place. */
export function streetLine(
  { logradouro, complemento, nome, distrito, cidade }: Address,
): string {
  const street = [logradouro, complemento].filter(Boolean).join(", ");
  return [nome, street].filter(Boolean).join(" · ") || distrito || cidade;
}

/** Returns neighbourhood, municipality and state of a record. */
export function placeLine({ bairro, distrito, cidade, uf }: Address): string {
  const places = [bairro, distrito, `${cidade} – ${uf}`];
  return [...new Set(places)].filter(Boolean).join(", ");
}

/** Returns latitude and longitude of a record, `""` if they are unknown. */
export function coordinates({ latitude, longitude }: Address): string {
  return latitude === undefined ? "" : `${latitude}, ${longitude}`;
}

/** Returns the lines of an envelope. */
export function letterLines(
  { nome, logradouro, bairro, distrito, cidade, uf, cep }: Address,
): string {
  const district = [...new Set([bairro, distrito])].filter(Boolean).join(", ");
  const last = `${formatCep(cep)} ${cidade} – ${uf}`;
  return [nome, logradouro, district, last].filter(Boolean).join("\n");
}
