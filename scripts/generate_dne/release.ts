import { evolveStreets } from "./release_streets.ts";
import {
  evolveLocalities,
  evolveLocalityRanges,
  evolveNeighbourhoodRanges,
  evolveNeighbourhoods,
} from "./release_places.ts";
import {
  evolveBoxes,
  evolveLargeUsers,
  evolveMailboxes,
  evolveMailboxRanges,
  evolveUnits,
} from "./release_buildings.ts";
import { Round, type RoundOptions } from "./round.ts";
import { familyOf, type Row, type Table } from "./table.ts";

/** Changes the rows of a file from one release to the next. */
type Step = (round: Round, rows: readonly Row[]) => readonly Row[];

const withoutOwner =
  (removed: (round: Round) => Set<string>): Step => (round, rows) =>
    rows.filter(([owner = ""]) => !removed(round).has(owner));

/** Steps by file, in the order of the files; the others do not change. */
const STEPS: Readonly<Record<string, Step>> = {
  LOG_LOCALIDADE: evolveLocalities,
  LOG_VAR_LOC: withoutOwner(({ localities }) => localities.removed),
  LOG_FAIXA_LOCALIDADE: evolveLocalityRanges,
  LOG_BAIRRO: evolveNeighbourhoods,
  LOG_VAR_BAI: withoutOwner(({ neighbourhoods }) => neighbourhoods.removed),
  LOG_FAIXA_BAIRRO: evolveNeighbourhoodRanges,
  LOG_LOGRADOURO: evolveStreets,
  LOG_NUM_SEC: (round, rows) => round.sections.apply(rows),
  LOG_VAR_LOG: withoutOwner(({ streets }) => streets.removed),
  LOG_GRANDE_USUARIO: evolveLargeUsers,
  LOG_UNID_OPER: evolveUnits,
  LOG_FAIXA_UOP: evolveBoxes,
  LOG_CPC: evolveMailboxes,
  LOG_FAIXA_CPC: evolveMailboxRanges,
};

/**
 * Changes the files of a release, in the order of `generate`, into those of the
 * next one.
 */
export function* evolve(
  tables: Iterable<Table>,
  options: RoundOptions,
): Iterable<Table> {
  const round = new Round(options);
  for (const { name, rows } of tables) {
    const step = STEPS[familyOf(name)];
    yield { name, rows: step === undefined ? rows : step(round, rows) };
  }
}
