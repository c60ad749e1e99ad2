/** Records, and stores of records without a database. */
import type { Address, OwnFieldName } from "../../cep/record/address.ts";
import { NO_PARTS } from "../../cep/record/address_parts.ts";
import { OWN_FIELDS } from "../../cep/record/fields.ts";
import type { Gazetteer } from "../../cep/release/gazetteer.ts";
import type { Release, ReleaseReader, Store } from "../../cep/store/store.ts";

/** Record of the DNE alone whose fields are all empty. */
export const EMPTY_ADDRESS = Object.fromEntries(
  OWN_FIELDS.map((name) => [name, ""]),
) as unknown as Address;

/** Returns a record with some fields replaced. */
export function address(changes: Partial<Address> = {}): Address {
  return {
    ...EMPTY_ADDRESS,
    cep: "01900001",
    logradouro: "Rua das Flores",
    complemento: "de 1 a 99 - lado ímpar",
    bairro: "Centro",
    cidade: "Vila Grande",
    uf: "SP",
    codigo_ibge: "3599901",
    tipo_logradouro: "Rua",
    tipo_origem: "logradouro",
    nome_origem: "LOG_LOGRADOURO_SP.TXT",
    ...changes,
  };
}

/** Returns records of consecutive CEPs. */
export function addresses(
  first: number,
  count: number,
  changes: Partial<Address> = {},
): Address[] {
  return Array.from({ length: count }, (_, i) =>
    address({
      logradouro: `Rua ${i + 1} das Flores`,
      ...changes,
      cep: String(first + i).padStart(8, "0"),
    }));
}

/** First release of {@linkcode recordsStore}. */
export const RELEASE: Release = {
  id: 1,
  dneVersion: "26011",
  seededAt: "2026-01-02T03:04:05.000Z",
  totalCeps: 1,
  totalByState: { SP: 1 },
  totalByFile: { "LOG_LOGRADOURO_SP.TXT": 1 },
  optionalFiles: [],
  sources: ["dne"],
  totalCensus: 0,
};

/** Methods of a store, and queries that only its release has. */
type StoreMethods = Partial<
  Store & Omit<ReleaseReader, keyof Store | "facts">
>;

/**
 * Creates a store that rejects all calls except those of the given methods,
 * which are also the queries of its release.
 */
export function fakeStore(methods: StoreMethods = {}): Store {
  const known: Record<PropertyKey, unknown> = {
    // Optional.
    freshness: undefined,
    check: undefined,
    missingParts: undefined,
    searchLoad: undefined,
    read: async (action: (release: ReleaseReader) => unknown) => {
      if (methods.release === undefined) return await action(toReader(store));
      const facts = await methods.release();
      return facts && await action(toReader(store, facts));
    },
    ...methods,
  };
  const store = new Proxy(known, {
    get: (_target, name) =>
      name in known
        ? known[name]
        : () => Promise.reject(new Error(`unexpected call of ${String(name)}`)),
  }) as unknown as Store;
  return store;
}

/** Returns a fake store as the release that it reads. */
function toReader(store: Store, facts?: Release): ReleaseReader {
  return Object.create(store, {
    facts: {
      get() {
        if (facts) return facts;
        throw new Error("unexpected reading of facts");
      },
    },
  });
}

/** Creates a gazetteer without places. */
export function emptyGazetteer(release: Release): Gazetteer {
  return {
    release,
    stateRanges: () => [],
    municipalities: () => [],
    municipality: () => undefined,
    municipalityOf: () => undefined,
    districts: () => [],
    neighbourhoods: () => Promise.resolve([]),
  };
}

/** Store of plain records. */
export interface RecordsStore extends Store {
  /** Replaces the records with those of a new release. */
  publish(records: readonly Address[]): void;
}

/**
 * Creates a store of these records, or one without a release.
 *
 * @param methods Methods in place of its own.
 */
export function recordsStore(
  records?: readonly Address[],
  methods: Partial<Store> = {},
): RecordsStore {
  const codes = new Map<string, Address>();
  let release: Release | undefined;
  function publish(records: readonly Address[]): void {
    codes.clear();
    for (const record of records.toSorted(byCep)) codes.set(record.cep, record);
    release = {
      ...RELEASE,
      id: (release?.id ?? 0) + 1,
      totalCeps: codes.size,
      totalByState: countBy(records, "uf"),
      totalByFile: countBy(records, "nome_origem"),
    };
  }
  if (records) publish(records);
  const store = fakeStore({
    close: () => Promise.resolve(),
    release: () => Promise.resolve(release),
    gazetteer: () => Promise.resolve(release && emptyGazetteer(release)),
    history: (cep) =>
      Promise.resolve(
        release && {
          release,
          isCurrent: codes.has(cep),
          changes: [],
          last: undefined,
        },
      ),
    // The records of the CNEFE are those of a test.
    census: () => Promise.resolve(release && { release, row: undefined }),
    nearest: () => Promise.resolve(release && { release, data: [] }),
    lastChange: async (cep) => (await store.history(cep))?.last,
    // Finds every record.
    search({ limit }) {
      const data = [...codes.values()].slice(0, limit)
        .map((it) => ({ cep: it.cep, json: JSON.stringify(it) }));
      const page = { total: codes.size, data, next: null };
      return Promise.resolve(release && { release, ...page });
    },
    // Finds every record, and is sure of the first.
    findAddress({ parts: given, limit }) {
      const [first, ...others] = codes.values();
      const best = first && {
        cep: first.cep,
        json: JSON.stringify(first),
        agreements: {},
      };
      const page = {
        parts: { ...NO_PARTS, ...given },
        probability: best === undefined ? 0 : 1,
        work: 0,
        best,
        others: others.slice(0, limit).map(({ cep }) => cep),
      };
      return Promise.resolve(release && { release, ...page });
    },
    find: (cep) => Promise.resolve(codes.get(cep)),
    findJson(cep) {
      const record = codes.get(cep);
      return Promise.resolve(
        record && release &&
          { json: JSON.stringify(record), release, fromMemory: true },
      );
    },
    list(prefix, limit) {
      const data = [...codes.values()].filter(({ cep }) =>
        cep.startsWith(prefix)
      );
      return Promise.resolve({
        total: data.length,
        data: data.slice(0, limit),
      });
    },
    publish,
    ...methods,
  } as Partial<RecordsStore>) as RecordsStore;
  return store;
}

function byCep(a: Address, b: Address): number {
  return Number(a.cep) - Number(b.cep);
}

function countBy(
  records: readonly Address[],
  field: OwnFieldName,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (
    const record of records.toSorted((a, b) => a[field] < b[field] ? -1 : 1)
  ) {
    counts[record[field]] = (counts[record[field]] ?? 0) + 1;
  }
  return counts;
}
