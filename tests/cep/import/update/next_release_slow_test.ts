/** Base plus delta, compared with an import of the next base. */
import fc from "fast-check";
import { assertEquals, equal } from "@std/assert";
import {
  DELTA_FILES,
  type DeltaFamily,
  type Operation,
} from "../../../../cep/import/update/delta.ts";
import type { Family, Row } from "../../../../cep/import/dne/layout.ts";
import type { Store } from "../../../../cep/store/mod.ts";
import { deltaLine, updateFiles } from "../../_delta.ts";
import { line } from "../../_directory.ts";
import { ReleaseFolder } from "../../_release_folder.ts";
import { seedFiles } from "../../_seeding.ts";
import { OpenedStore } from "../../_stores.ts";

/** Few CEPs, so that several rows have the same one. */
const CEP = fc.integer({ min: 0, max: 11 }).map((n) => `019000${n + 10}`);
const CEP_OR_NONE = fc.oneof(fc.constant(""), CEP);
const PLACE = fc.integer({ min: 1, max: 5 }).map(String);
const STATE = fc.constantFrom("AC", "SP");
const NAME = fc.constantFrom("Um", "Dois", 'Três "C"', "d'Água");

type Fields = Readonly<Record<string, string>>;

/** Row before and after the delta, `null` for a row that does not exist. */
interface Change {
  readonly before: Fields | null;
  readonly after: Fields | null;
  /** Adds a line for a row that does not change. */
  readonly repeat: boolean;
  /** Position among the lines of the delta. */
  readonly position: number;
}

/** Rows of a family: arbitraries of their columns, without the key. */
interface Rows {
  readonly family: Family;
  /** Columns of the key. */
  readonly keys: readonly string[];
  readonly count: number;
  readonly fields: Readonly<Record<string, fc.Arbitrary<string>>>;
}

const PLACED = { UFE_SG: STATE, LOC_NU: PLACE };

const FAMILIES: readonly Rows[] = [
  {
    family: "LOG_LOCALIDADE",
    keys: ["LOC_NU"],
    count: 5,
    fields: {
      UFE_SG: STATE,
      LOC_NO: NAME,
      CEP: CEP_OR_NONE,
      LOC_NU_SUB: fc.constantFrom("", "77", "99"),
    },
  },
  {
    family: "LOG_BAIRRO",
    keys: ["BAI_NU"],
    count: 5,
    fields: { ...PLACED, BAI_NO: NAME },
  },
  {
    family: "LOG_LOGRADOURO",
    keys: ["LOG_NU"],
    count: 14,
    fields: {
      ...PLACED,
      BAI_NU_INI: PLACE,
      LOG_NO: NAME,
      CEP,
      TLO_TX: fc.constantFrom("Rua", "Avenida"),
      LOG_STA_TLO: fc.constantFrom("S", "N"),
    },
  },
  {
    family: "LOG_GRANDE_USUARIO",
    keys: ["GRU_NU"],
    count: 4,
    fields: { ...PLACED, BAI_NU: PLACE, GRU_NO: NAME, CEP },
  },
  {
    family: "LOG_UNID_OPER",
    keys: ["UOP_NU"],
    count: 4,
    fields: { ...PLACED, BAI_NU: PLACE, UOP_NO: NAME, CEP },
  },
  {
    family: "LOG_CPC",
    keys: ["CPC_NU"],
    count: 3,
    fields: { ...PLACED, CPC_NO: NAME, CEP },
  },
  {
    family: "LOG_FAIXA_LOCALIDADE",
    keys: ["LOC_NU"],
    count: 4,
    fields: { LOC_CEP_FIM: fc.constantFrom("01999998", "01999999") },
  },
  {
    family: "LOG_FAIXA_BAIRRO",
    keys: ["BAI_NU"],
    count: 4,
    fields: { FCB_CEP_FIM: fc.constantFrom("01900998", "01900999") },
  },
  {
    family: "LOG_NUM_SEC",
    keys: ["LOG_NU"],
    count: 6,
    fields: {
      SEC_NU_INI: fc.constantFrom("1", "2"),
      SEC_IN_LADO: fc.constantFrom("A", "I", "P"),
    },
  },
];

function changesOf({ keys, count, fields }: Rows): fc.Arbitrary<Change[]> {
  const columns = fc.record(fields);
  const change = fc.record({
    before: fc.option(columns, { freq: 4 }),
    after: fc.option(columns, { freq: 4 }),
    isSame: fc.boolean(),
    repeat: fc.boolean(),
    position: fc.nat(),
  });
  return fc.array(change, { minLength: count, maxLength: count }).map((all) =>
    all.map(({ before, after, isSame, ...rest }, i) => {
      const key = Object.fromEntries(keys.map((name) => [name, `${i + 1}`]));
      const withKey = (row: Fields | null) => row && { ...row, ...key };
      return {
        before: withKey(before),
        after: withKey(isSame ? before : after),
        ...rest,
      };
    })
  );
}

/** Names of the files of rows: streets have one per state. */
function fileOf(family: Family, row: Fields): string {
  return family === "LOG_LOGRADOURO"
    ? `${family}_${row["UFE_SG"]}.TXT`
    : `${family}.TXT`;
}

type Lines = Record<string, string[]>;

/** Files of a base, a delta and the next base. */
interface Bases {
  readonly base: Lines;
  readonly delta: Lines;
  readonly next: Lines;
}

const BASES: fc.Arbitrary<Bases> = fc.tuple(...FAMILIES.map(changesOf))
  .map((all) => {
    const bases: Bases = { base: {}, delta: {}, next: {} };
    for (const [i, changes] of all.entries()) {
      addFiles(bases, FAMILIES[i]!.family, changes);
    }
    // An update cannot leave a release empty.
    for (const lines of [bases.base, bases.next]) {
      lines["LOG_LOCALIDADE.TXT"]!.unshift(
        line("LOG_LOCALIDADE", { LOC_NU: "99", CEP: "12999000" }),
      );
    }
    addNames(bases);
    return bases;
  });

function addFiles(
  { base, delta, next }: Bases,
  family: Family,
  changes: readonly Change[],
): void {
  const add = (lines: Lines, row: Fields) =>
    (lines[fileOf(family, row)] ??= []).push(line(family, row));
  for (const name of fileNames(family)) base[name] = next[name] = [];
  for (const name of fileNames(family)) next[name] = [];
  const stays = ({ before, after }: Change) =>
    before && after && fileOf(family, before) === fileOf(family, after);
  for (const change of changes) {
    if (change.before) add(base, change.before);
    if (stays(change)) add(next, change.after!);
  }
  const name = DELTA_FILES.find((it) => it.family === family)!.name;
  delta[name] = [];
  for (const change of changes.toSorted((a, b) => a.position - b.position)) {
    delta[name].push(...deltaLines(family as DeltaFamily, change));
    // New rows are at the end of their file.
    if (change.after && !stays(change)) add(next, change.after);
  }
}

function fileNames(family: Family): string[] {
  return family === "LOG_LOGRADOURO"
    ? [`${family}_AC.TXT`, `${family}_SP.TXT`]
    : [`${family}.TXT`];
}

function deltaLines(
  family: DeltaFamily,
  { before, after, repeat, position }: Change,
): string[] {
  const of = (operation: Operation, row: Fields, previous?: string) =>
    deltaLine(family, operation, row as Partial<Row<DeltaFamily>>, previous);
  if (!before && !after) return [];
  if (!after) return [of("DEL", before!)];
  if (!before) {
    // Deltas accumulate: a row may be inserted and updated.
    return repeat ? [of("INS", after), of("UPD", after)] : [of("INS", after)];
  }
  if (equal(before, after)) {
    if (!repeat) return [];
    return [of(position % 2 === 0 ? "INS" : "UPD", after, before["CEP"])];
  }
  if (repeat && !("UFE_SG" in after)) {
    return [of("INS", after), of("DEL", before)];
  }
  return [of("UPD", after, before["CEP"])];
}

/** Adds alternative names, which an update deletes with their street. */
function addNames({ base, next }: Bases): void {
  const known = new Set(numbersIn(base));
  for (const lines of [base, next]) {
    lines["LOG_VAR_LOG.TXT"] = numbersIn(lines).filter((it) => known.has(it))
      .map((LOG_NU) => line("LOG_VAR_LOG", { LOG_NU }));
  }
}

/** Returns the numbers of all streets. */
function numbersIn(lines: Lines): string[] {
  return fileNames("LOG_LOGRADOURO").flatMap((name) => lines[name]!)
    .map((text) => text.split("@")[0]!);
}

const TOLERANT = {
  maxRejectedPercent: 0,
  maxDanglingPercent: 100,
  maxShrinkPercent: 100,
  now: () => 0,
};

const ENTRY = `cep, numero, loc_nu, bai_nu, logradouro, complemento, nome,
  prefixo, tipo_logradouro, tipo_origem, uf, nome_origem`;

/** Queries for all that two equal releases have in common. */
const CONTENT: readonly string[] = [
  `SELECT ${ENTRY} FROM cep JOIN origem ON origem.id = origem ORDER BY cep`,
  `SELECT ${ENTRY} FROM duplicado JOIN origem ON origem.id = origem
   ORDER BY cep, duplicado.id`,
  `SELECT loc_nu, uf, nome, cep, situacao, tipo, loc_nu_sub, mun_nu, nome_abrev
   FROM localidade ORDER BY ordem`,
  "SELECT * FROM bairro ORDER BY bai_nu",
  "SELECT * FROM faixa_localidade ORDER BY 1, 2, 4",
  "SELECT * FROM faixa_bairro ORDER BY 1, 2",
  "SELECT * FROM num_sec ORDER BY 1, 2, 4",
  "SELECT * FROM var_log ORDER BY 1, 2",
  "SELECT * FROM setor ORDER BY setor",
  `SELECT dne_version, total_ceps, total_by_state, total_by_file,
   optional_files FROM release`,
];

/** Returns the answers of a store to lookups and searches. */
async function answersOf(store: Store) {
  const records = (await Array.fromAsync(store.scan())).flat();
  const found = records.map(({ cep }) => store.findJson(cep));
  const searches = ["dois", "rua tres", "avenida um", "019000"].map(
    async (text) => {
      const page = await store.search({ text, limit: 100 });
      return page!.data.map(({ cep }) => cep).sort();
    },
  );
  return {
    records,
    texts: (await Promise.all(found)).map((it) => it?.json),
    searches: await Promise.all(searches),
  };
}

Deno.test("update makes the release that an import of the next base makes", async () => {
  await fc.assert(
    fc.asyncProperty(BASES, async ({ base, delta, next }) => {
      using updated = new ReleaseFolder();
      using imported = new ReleaseFolder();
      await using first = await OpenedStore.open({ path: updated.path });
      await using second = await OpenedStore.open({ path: imported.path });
      await seedFiles(first.store, base, { ...TOLERANT, dneVersion: "26011" });
      const options = { ...TOLERANT, dneVersion: "26012" };
      await updateFiles(first.store, delta, options);
      await seedFiles(second.store, next, options);
      for (const query of CONTENT) {
        assertEquals(updated.query(query), imported.query(query), query);
      }
      assertEquals(await answersOf(first.store), await answersOf(second.store));
      const again = await updateFiles(first.store, delta, options);
      assertEquals(again.changed, false);
    }),
    { numRuns: 8 },
  );
});
