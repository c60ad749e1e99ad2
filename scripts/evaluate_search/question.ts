import type { Address } from "@carteiro/cep";
import type { Subject } from "./kinds.ts";

/** Search for a record. */
export interface Search {
  /** Parameters, without the limit. */
  readonly query: Readonly<Record<string, string>>;
  /** True for the record, and for others that the query does not tell apart. */
  readonly isAnswer: (found: Address) => boolean;
}

/** Question to `GET /busca`. */
export type SearchQuestion = Search & Subject;

/** Body for `POST /enderecos`. */
export type AddressBody = Readonly<Record<string, string>>;

/** Address of a record, or of none. */
export interface WrittenAddress {
  readonly body: AddressBody;
  /** True if the address is of no record, so that none is the right answer. */
  readonly hasNone: boolean;
  /**
   * True for the CEP of the record, for those of others that the address does
   * not tell apart, and for `null` if the address is of no record.
   */
  readonly isAnswer: (cep: string | null) => boolean;
}

/** Question to `POST /enderecos`. */
export type AddressQuestion = WrittenAddress & Subject;
