/** Agreement of a generated CNEFE with its reader and its DNE. */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import {
  type Agreement,
  compareRelease,
} from "../../cep/import/compare/compare_release.ts";
import { readCensus } from "../../cep/import/cnefe/read_census.ts";
import { seed } from "../../cep/import/seed.ts";
import type { CensusRow, CensusStreet } from "../../cep/record/census.ts";
import { openStore } from "../../cep/store/mod.ts";
import { writeCensus } from "../../scripts/generate_cnefe.ts";
import { type CodeFacts, Truth } from "../../scripts/generate_cnefe/truth.ts";
import { writeDirectory } from "../../scripts/generate_dne.ts";
import { unaccent } from "../../scripts/generate_dne/names.ts";
import { TemporaryFolder } from "../../scripts/temporary_folder.ts";
import { CapturingLogger } from "../cep/_logger.ts";

const [ROWS, STREETS, SEED] = [30_000, 2000, 11];

/** Lists the facts that a row does not tell. */
function differences(facts: CodeFacts, row: CensusRow | undefined): string[] {
  const street = row?.streets[0];
  const isSame = {
    municipality: row?.ibge === facts.ibge,
    addresses: row?.addresses === facts.addresses,
    streets: row?.streetCount === facts.streets,
    // Any of equally frequent ones.
    street: writtenOf(street) === facts.street ||
      (facts.isTie && street?.addresses === facts.streetAddresses),
  };
  return Object.entries(isSame).filter(([, same]) => !same)
    .map(([name]) => `${facts.cep}: ${name}`);
}

/** Writes a street as the files do. */
function writtenOf(street: CensusStreet | undefined): string {
  if (street === undefined) return "";
  return unaccent(`${street.type} ${street.name}`).toUpperCase()
    .replaceAll("'", " ").trim();
}

/** Imports a DNE with its CNEFE, and compares both. */
async function compareSources(
  path: string,
  directory: string,
  cnefe: string,
): Promise<Agreement> {
  const logger = new CapturingLogger();
  const options = { snapshot: false, search: false, logger };
  const store = await openStore({ path, ...options });
  try {
    await seed({ store, directory, cnefe: [cnefe], logger });
    const dump = (await store.dump())!;
    const { total } = await compareRelease(
      { records: dump.pages, census: dump.census },
      () => Promise.resolve(),
    );
    return total;
  } finally {
    await store.close();
  }
}

Deno.test("readCensus reads what the generator wrote, which agrees with its DNE as far as it should", async () => {
  using folder = new TemporaryFolder("census");
  const [dne, cnefe, database] = ["dne", "cnefe", "db"]
    .map((name) => join(folder.path, name)) as [string, string, string];
  const truth = new Truth();
  writeDirectory(dne, { rows: STREETS, seed: SEED });
  const options = { rows: ROWS, streets: STREETS, seed: SEED };
  writeCensus(cnefe, options, { zip: true, truth });

  const read = new Map(
    [...(await readCensus({ paths: [cnefe] })).rows()].flat()
      .map((row) => [row.cep, row]),
  );
  const codes = [...truth.codes()];
  assertEquals(codes.flatMap((it) => differences(it, read.get(it.cep))), []);
  assertEquals(read.size, codes.length);
  assert(read.size > 2000);

  const sources = await compareSources(database, dne, cnefe);
  const kinds = Map.groupBy(codes, ({ kind }) => kind);
  const count = (kind: CodeFacts["kind"]) => kinds.get(kind)?.length ?? 0;
  const text = JSON.stringify(sources);
  assertEquals(sources.cnefe, read.size);
  // A mistaken CEP may be that of another street, or fit by chance.
  const others = count("renamed") + count("split") + count("wrong");
  assert(sources.otherStreet <= others, text);
  assert(sources.otherStreet >= count("renamed") / 2, text);
  const moved = count("moved") + count("wrong");
  assert(sources.otherMunicipality <= moved, text);
  assert(sources.same / sources.both > 0.95, text);
});
