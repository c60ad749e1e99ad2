import type { Address } from "../record/address.ts";
import type { Parameters } from "./base_url.ts";
import type { CepError } from "./error.ts";
import type { CallOptions } from "./options.ts";

/** Source of the answers. Arguments have been checked. */
export interface Source {
  /**
   * Returns the record of eight digits.
   *
   * @throws {CepError} If the CEP has no record.
   */
  lookup(cep: string, options: CallOptions): Promise<Address>;
  /** Looks up CEPs of eight digits, and returns the results in their order. */
  batch(
    ceps: readonly string[],
    options: CallOptions,
  ): Promise<readonly (Address | CepError)[]>;
  /** Returns the answer to `GET` of a path of the API. */
  get(
    path: readonly string[],
    parameters: Parameters,
    options: CallOptions,
  ): Promise<unknown>;
  /** Returns the answer to `POST` of JSON to a path of the API. */
  post(
    path: readonly string[],
    body: unknown,
    options: CallOptions,
  ): Promise<unknown>;
}
