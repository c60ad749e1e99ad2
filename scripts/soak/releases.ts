import { cpSync } from "node:fs";
import { seed } from "../../cep/import/seed.ts";
import { update } from "../../cep/import/dne/update.ts";
import type { Logger } from "../../cep/util/logger.ts";
import { openStore } from "../../cep/store/mod.ts";
import { generate, writeDirectory } from "../generate_dne.ts";
import { Random } from "../generate_dne/random.ts";
import { toTables } from "../generate_dne/table.ts";
import { computeOracle, findReplaced, type Oracle } from "./oracle.ts";
import { Reference } from "./reference.ts";
import { type Kind, makeRequests, type SoakRequest } from "./request.ts";

/** Import that makes a release from the one before. */
export interface SoakImport {
  /** `seed` for a base, `update` for a delta. */
  readonly mode: "seed" | "update";
  /** Folder of the DNE or of the delta. */
  readonly raw: string;
}

/** Options of {@linkcode Releases.prepare}. */
export interface ReleasesOptions {
  /** Folder for all files. */
  readonly folder: string;
  readonly rows: number;
  readonly seed: number;
  /** Number of releases. */
  readonly count: number;
  /** Called with the number of each release before it is made. */
  readonly onRelease?: (release: number) => void;
}

/** Records that requests are made of. */
const SUBJECTS = 2000;

/** Invented words in the names of streets. */
const WORDS = 5000;

const SILENT: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
};

/** Releases in order, each made from the one before. */
export class Releases implements AsyncDisposable {
  readonly imports: SoakImport[] = [];
  readonly #references: Reference[] = [];
  /** Differences between a release by itself and the rows of the generator. */
  readonly differences: string[] = [];
  requests: ReadonlyMap<Kind, readonly SoakRequest[]> = new Map();

  /** Generates and imports all releases, and computes the right answers. */
  static async prepare(options: ReleasesOptions): Promise<Releases> {
    const { folder, rows, count, onRelease = () => {} } = options;
    const releases = new Releases();
    const oracles: Oracle[] = [];
    for (let release = 0; release < count; release++) {
      onRelease(release);
      const generated = { rows, seed: options.seed, words: WORDS, release };
      const step = describeImport(folder, release);
      writeDirectory(step.raw, {
        ...generated,
        ...(step.mode === "update" ? { since: release - 1 } : {}),
      });
      releases.imports.push(step);
      const path = `${folder}/reference-${release}`;
      if (release > 0) {
        cpSync(`${folder}/reference-${release - 1}`, path, { recursive: true });
      }
      await importInto(path, step);
      const oracle = computeOracle(toTables(generate(generated)));
      const before = oracles.at(-1);
      const replaced = before ? findReplaced(before, oracle) : new Map();
      const reference = await Reference.open(path);
      releases.#references.push(reference);
      for (const it of await reference.compare(oracle, replaced)) {
        releases.differences.push(`release ${release}: ${it}`);
      }
      oracles.push(oracle);
    }
    const random = new Random(options.seed, "soak");
    releases.requests = makeRequests(chooseSubjects(oracles, random), random);
    for (const reference of releases.#references) {
      await reference.prepare([...releases.requests.values()].flat());
    }
    return releases;
  }

  /** Returns the right answers of a release. */
  reference(release: number): Reference {
    return this.#references[release]!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const it of this.#references) await it[Symbol.asyncDispose]();
  }
}

/** Returns the import of a release: bases and deltas in turn. */
function describeImport(folder: string, release: number): SoakImport {
  return release % 2 === 0
    ? { mode: "seed", raw: `${folder}/base-${release}` }
    : { mode: "update", raw: `${folder}/delta-${release}` };
}

async function importInto(
  path: string,
  { mode, raw: directory }: SoakImport,
): Promise<void> {
  const options = { path, snapshot: false, search: false, logger: SILENT };
  const store = await openStore(options);
  try {
    await (mode === "seed" ? seed : update)({
      store,
      directory,
      logger: SILENT,
    });
  } finally {
    await store.close();
  }
}

/** Chooses records, half of them different in another release. */
function chooseSubjects(oracles: readonly Oracle[], random: Random) {
  const [first, ...later] = oracles;
  const texts = new Map(
    [...first!.records].map(([cep, it]) => [cep, JSON.stringify(it)]),
  );
  const changed = new Map(
    later.flatMap(({ records }) =>
      [...records].filter(([cep, it]) => texts.get(cep) !== JSON.stringify(it))
    ),
  );
  const all = [...first!.records.values()];
  const chosen = random.shuffle([...changed.values()], changed.size)
    .slice(0, SUBJECTS / 2);
  while (chosen.length < SUBJECTS) chosen.push(random.pick(all));
  const replaced = oracles.slice(1).flatMap((oracle, i) => [
    ...findReplaced(oracles[i]!, oracle).keys(),
  ]);
  return { records: chosen, replaced };
}
