import { type Reader, UnreachableError } from "../store/store.ts";
import { HttpError } from "./errors.ts";
import { suggestionBody } from "./place_bodies.ts";

/** Store of the history and of the ranges of municipalities. */
type MissingStore = Pick<Reader, "gazetteer" | "lastChange">;

/**
 * Returns the error for a CEP that has no record. If an earlier release had
 * one, the error gives its successor. Without a successor, it suggests the
 * municipality in whose range the CEP lies, if any.
 */
export async function missingCep(
  store: MissingStore,
  cep: string,
): Promise<HttpError> {
  try {
    return await explain(store, cep);
  } catch (error) {
    // The records in memory are complete, even if the server is away.
    if (error instanceof UnreachableError) {
      return new HttpError("cep_not_found");
    }
    throw error;
  }
}

async function explain(store: MissingStore, cep: string): Promise<HttpError> {
  const gazetteer = await store.gazetteer();
  if (gazetteer === undefined) return new HttpError("database_not_ready");
  const municipality = gazetteer.municipalityOf(cep);
  const hint = municipality && { sugestao: suggestionBody(municipality) };
  const last = await store.lastChange(cep);
  if (last === undefined) return new HttpError("cep_not_found", hint);
  const { successor: cep_novo, dneVersion: release } = last;
  return new HttpError("cep_replaced", {
    cep_novo,
    release,
    ...(cep_novo === null ? hint : {}),
  });
}
