import type { CensusRow, CensusStreet } from "../record/census.ts";
import type { Entry } from "../record/entry.ts";
import type { CensusPlace } from "./census_places.ts";

/**
 * Converts a row of the CNEFE into an entry. It has a street only if that has
 * at least half of the addresses: any other CEP is that of a whole place.
 *
 * @param order Position of the row within the import.
 */
export function toCensusEntry(
  row: CensusRow,
  place: CensusPlace,
  order: number,
): Entry {
  const street = mainStreet(row);
  return {
    ...place,
    cep: row.cep,
    number: Number(row.cep),
    streetType: street?.type ?? "",
    typeInName: street !== undefined && street.type !== "",
    street: street?.name ?? "",
    complement: "",
    name: "",
    origin: "cnefe",
    file: row.file,
    order,
  };
}

/** Returns the street that has at least half of the addresses of a CEP. */
export function mainStreet(
  { streets, addresses }: Pick<CensusRow, "streets" | "addresses">,
): CensusStreet | undefined {
  const [first] = streets;
  return first !== undefined && first.addresses * 2 >= addresses
    ? first
    : undefined;
}
