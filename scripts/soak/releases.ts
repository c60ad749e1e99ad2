import { cpSync } from "node:fs";
import { createHandler } from "../../cep/http/handler.ts";
import { update } from "../../cep/import/update/update.ts";
import { seed } from "../../cep/import/seed.ts";
import type { Address } from "../../cep/record/address.ts";
import { openStore, type Store } from "../../cep/store/mod.ts";
import type { Logger } from "../../cep/util/logger.ts";
import { writeDirectory } from "../generate_dne.ts";
import { Random } from "../generate_dne/random.ts";
import { type Kind, makeRequests, type SoakRequest } from "./requests.ts";

/** Answer, decompressed. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

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

/** Pages of a list that are read. */
export const PAGES = 3;

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

/** Right answers of one release by itself, without load, sockets and swaps. */
interface Reference {
  readonly store: Store;
  /** Version of the DNE. */
  readonly version: string;
  readonly records: ReadonlyMap<string, Address>;
  /** Answers to requests, one for each page. */
  readonly replies: Map<SoakRequest, readonly Reply[]>;
}

/** Releases in order, each made from the one before. */
export class Releases implements AsyncDisposable {
  readonly imports: SoakImport[] = [];
  readonly #references: Reference[] = [];
  requests: ReadonlyMap<Kind, readonly SoakRequest[]> = new Map();

  /** Generates and imports all releases, and computes the right answers. */
  static async prepare(options: ReleasesOptions): Promise<Releases> {
    const { folder, rows, count, onRelease = () => {} } = options;
    const releases = new Releases();
    for (let release = 0; release < count; release++) {
      onRelease(release);
      // Bases and deltas in turn.
      const isBase = release % 2 === 0;
      const raw = `${folder}/dne-${release}`;
      const since = isBase ? {} : { since: release - 1 };
      const generated = { rows, seed: options.seed, words: WORDS, release };
      writeDirectory(raw, { ...generated, ...since });
      const path = `${folder}/reference-${release}`;
      if (release > 0) {
        cpSync(`${folder}/reference-${release - 1}`, path, { recursive: true });
      }
      const step = { mode: isBase ? "seed" : "update", raw } as const;
      await importInto(path, step);
      releases.imports.push(step);
      releases.#references.push(await openReference(path));
    }
    const random = new Random(options.seed, "soak");
    const subjects = chooseSubjects(releases.#references, random);
    releases.requests = makeRequests(subjects, random);
    for (const { store, replies } of releases.#references) {
      const handler = createHandler({ store, config: { rateLimit: false } });
      for (const request of [...releases.requests.values()].flat()) {
        replies.set(request, await repliesOf(handler, request));
      }
    }
    return releases;
  }

  /** Returns the version of the DNE of a release. */
  version(release: number): string {
    return this.#references[release]!.version;
  }

  /** Returns the right answer of a release. */
  reply(release: number, request: SoakRequest, page = 0): Reply {
    const replies = this.#references[release]!.replies.get(request);
    return replies?.[page] ?? { status: 0, body: "" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { store } of this.#references) await store.close();
  }
}

async function importInto(
  path: string,
  { mode, raw: directory }: SoakImport,
): Promise<void> {
  const options = { path, snapshot: false, search: false, logger: SILENT };
  const store = await openStore(options);
  try {
    const read = mode === "seed" ? seed : update;
    await read({ store, directory, logger: SILENT });
  } finally {
    await store.close();
  }
}

async function openReference(path: string): Promise<Reference> {
  const store = await openStore({ path });
  const records = (await Array.fromAsync(store.scan())).flat();
  return {
    store,
    version: (await store.release())!.dneVersion,
    records: new Map(records.map((record) => [record.cep, record])),
    replies: new Map(),
  };
}

async function repliesOf(
  handler: (request: Request) => Response | Promise<Response>,
  request: SoakRequest,
): Promise<Reply[]> {
  const pages: Reply[] = [];
  let path: string | undefined = request.path;
  while (path !== undefined && pages.length < PAGES) {
    const { method, headers, body = null } = request;
    const response: Response = await handler(
      new Request(`http://localhost${path}`, { method, headers, body }),
    );
    const text = await response.text();
    pages.push(normalize({ status: response.status, body: text }));
    path = nextPath(request, text);
  }
  return pages;
}

/** Chooses records, half of them different in another release. */
function chooseSubjects(references: readonly Reference[], random: Random) {
  const [first, ...later] = references.map(({ records }) => records);
  const isChanged = ([cep, record]: [string, Address]) =>
    JSON.stringify(first!.get(cep)) !== JSON.stringify(record);
  const changed = new Map(
    later.flatMap((records) => [...records].filter(isChanged)),
  );
  const all = [...first!.values()];
  const chosen = random.shuffle([...changed.values()], changed.size)
    .slice(0, SUBJECTS / 2);
  while (chosen.length < SUBJECTS) chosen.push(random.pick(all));
  const replaced = later.flatMap((records, i) =>
    [...references[i]!.records.keys()].filter((cep) => !records.has(cep))
  );
  return { records: chosen, replaced };
}

/**
 * Replaces the parts of an answer that differ between two imports of the same
 * release: cursors and times.
 */
export function normalize({ status, body }: Reply): Reply {
  return {
    status,
    body: body
      .replace(/"cursor":"[\w-]+"/, '"cursor":"…"')
      .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"…"'),
  };
}

/** Returns the path of the next page, `undefined` after the last one. */
export function nextPath(
  { kind, path }: SoakRequest,
  body: string,
): string | undefined {
  if (kind !== "pages") return undefined;
  const cursor = /"cursor":"([\w-]+)"/.exec(body)?.[1];
  if (cursor === undefined) return undefined;
  return `${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
}
