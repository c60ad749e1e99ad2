import { type Address, readCep } from "../record/address.ts";
import { CepError } from "./error.ts";

/** Result of one CEP of a batch: a record or an error. */
export type BatchItem =
  | {
    /** CEP as it was given. */
    readonly cep: string;
    /** Its record. */
    readonly address: Address;
    /** Not set beside a record. */
    readonly error?: undefined;
  }
  | {
    /** CEP as it was given. */
    readonly cep: string;
    /** Reason why there is no record, e.g. with the code `cep_not_found`. */
    readonly error: CepError;
    /** Not set beside an error. */
    readonly address?: undefined;
  };

/** Maximum number of CEPs per request. */
export const BATCH_SIZE = 1000;

/** Splits CEPs into batches. */
export async function* toBatches(
  ceps: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const cep of ceps) {
    batch.push(cep);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Returns the eight digits of a CEP in one of its written forms.
 *
 * @throws {CepError} With the code `cep_invalid` for anything else.
 */
export function requireCep(cep: string): string {
  const digits = readCep(cep);
  if (digits !== undefined) return digits;
  throw new CepError(
    "cep_invalid",
    "CEP inválido: informe oito dígitos, como 01310-100.",
  );
}
