import type { CensusRow, CensusStreet } from "../../cep/record/census.ts";
import { unaccent } from "../generate_dne/names.ts";
import type { CodeFacts } from "../generate_cnefe/truth.ts";

/** Number of CEPs that agree. */
export interface TruthAgreement {
  /** CEPs that were written. */
  codes: number;
  /** CEPs that were read. */
  read: number;
  /** CEPs in the same municipality. */
  municipality: number;
  /** CEPs with the same number of addresses. */
  addresses: number;
  /** CEPs with the same number of streets. */
  streets: number;
  /** CEPs with the same most frequent street, or one of equally frequent. */
  street: number;
  /** CEPs of which several streets or municipalities are equally frequent. */
  ties: number;
  /** First differences. */
  readonly differences: string[];
}

const MAX_DIFFERENCES = 10;

/** Compares the rows that were read with the facts. */
export function compareWithTruth(
  rows: Iterable<readonly CensusRow[]>,
  truth: Iterable<CodeFacts>,
): TruthAgreement {
  const read = new Map<string, CensusRow>();
  for (const batch of rows) for (const row of batch) read.set(row.cep, row);
  const agreement: TruthAgreement = {
    codes: 0,
    read: read.size,
    municipality: 0,
    addresses: 0,
    streets: 0,
    street: 0,
    ties: 0,
    differences: [],
  };
  for (const facts of truth) {
    agreement.codes++;
    if (facts.isTie) agreement.ties++;
    const row = read.get(facts.cep);
    const street = row?.streets[0];
    const isSame = {
      municipality: row?.ibge === facts.ibge,
      addresses: row?.addresses === facts.addresses,
      streets: row?.streetCount === facts.streets,
      street: (facts.isTie && street?.addresses === facts.streetAddresses) ||
        row !== undefined && writtenOf(street) === facts.street,
    };
    for (const [name, same] of Object.entries(isSame)) {
      if (same) agreement[name as keyof typeof isSame]++;
    }
    const differs = !Object.values(isSame).every(Boolean);
    const { differences } = agreement;
    if (differs && differences.length < MAX_DIFFERENCES) {
      differences.push(`${JSON.stringify(facts)}\n  ${JSON.stringify(row)}`);
    }
  }
  return agreement;
}

/** True if everything agrees. */
export function isComplete(agreement: TruthAgreement): boolean {
  const { codes, read, municipality, addresses, streets, street } = agreement;
  return [read, municipality, addresses, streets, street]
    .every((count) => count === codes);
}

/** Writes a street as the files do. */
function writtenOf(street: CensusStreet | undefined): string {
  if (street === undefined) return "";
  return unaccent(`${street.type} ${street.name}`).toUpperCase()
    .replaceAll("'", " ").trim();
}
