/**
 * CEPs that Correios has replaced or removed, and that the CNEFE still has: its
 * addresses are those of 2022.
 */
import { NumberSet } from "../util/number_set.ts";
import type { Logger } from "../util/logger.ts";
import { reasonOf } from "../util/reason_of.ts";
import { type Staging, UnreachableError } from "../store/store.ts";

/**
 * Returns a function that is true for a CEP that the DNE of the current or of an
 * earlier release had. If the new DNE lacks it, it is not answered from the
 * CNEFE: its history tells what became of it.
 */
export async function readDneCodes(
  { rows }: Pick<Staging, "rows">,
  logger: Logger,
): Promise<(cep: number) => boolean> {
  if (rows === undefined) return () => false;
  const codes = new NumberSet();
  try {
    for await (const batch of rows.dneCodes()) {
      for (const cep of batch) codes.add(cep);
    }
  } catch (error) {
    if (error instanceof UnreachableError) throw error;
    logger.warn("Cannot read which CEPs the DNE had in the current release", {
      error: reasonOf(error),
    });
  }
  return (cep) => codes.has(cep);
}
