import type { Address } from "../record/address.ts";
import { requireCep } from "./arguments.ts";
import { CepError } from "./error.ts";
import type { CallOptions } from "./options.ts";
import type { Source } from "./source.ts";

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
const BATCH_SIZE = 1000;

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

/** Looks up a batch, in which CEPs may be invalid. */
export async function lookUpBatch(
  source: Source,
  ceps: readonly string[],
  call: CallOptions,
): Promise<BatchItem[]> {
  const checked = ceps.map(tryCep);
  const valid = checked.filter((it) => typeof it === "string");
  const found = valid.length === 0 ? [] : await source.batch(valid, call);
  let next = 0;
  return checked.map((it, i) => {
    const result = typeof it === "string" ? found[next++]! : it;
    const cep = ceps[i]!;
    return result instanceof CepError
      ? { cep, error: result }
      : { cep, address: result };
  });
}

function tryCep(cep: string): string | CepError {
  try {
    return requireCep(cep);
  } catch (error) {
    return error as CepError;
  }
}
