import type { Address } from "../../cep/record/address.ts";
import type { Random } from "../generate_dne/random.ts";

/** Request, or the first one of a list in pages. */
export interface SoakRequest {
  readonly kind: Kind;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Records that requests are made of. */
export interface Subjects {
  /** Records that some release has, half of them changed by a release. */
  readonly records: readonly Address[];
  /** CEPs that a release has removed or replaced. */
  readonly replaced: readonly string[];
}

type Made = Omit<SoakRequest, "kind">;
type Maker = (subjects: Subjects, random: Random) => Made;

/** Share of the traffic, number of different requests, and their maker. */
type KindRow = readonly [share: number, requests: number, make: Maker];

function get(path: string): Made {
  return { method: "GET", path, headers: {} };
}

function post(path: string, body: string, type = "application/json"): Made {
  return { method: "POST", path, headers: { "content-type": type }, body };
}

function stream(most: number): Maker {
  return (subjects, random) => {
    const ceps = someCeps(subjects, random, 1 + random.int(most));
    return post("/ceps", ceps.join("\n"), "application/x-ndjson");
  };
}

/** Kinds of traffic. */
export const KINDS = {
  lookup: [
    40,
    400,
    (subjects, random) => get(`/cep/${someForm(subjects, random)}`),
  ],
  search: [15, 200, ({ records }, random) => {
    const record = random.pick(records);
    const query = new URLSearchParams({ q: wordsOf(record, random) });
    if (random.chance(30)) query.set("uf", record.uf);
    if (random.chance(20)) query.set("cidade", record.cidade);
    if (random.chance(20)) query.set("numero", `${1 + random.int(2000)}`);
    if (random.chance(50)) query.set("limite", `${1 + random.int(50)}`);
    return get(`/busca?${query}`);
  }],
  pages: [3, 20, ({ records }, random) => {
    const { uf, cep, codigo_ibge: ibge } = random.pick(records);
    return get(random.pick([
      `/busca?q=rua&uf=${uf}&limite=7`,
      `/busca?q=${cep.slice(0, 3)}&limite=40`,
      `/estados/${uf}/municipios?limite=5`,
      `/municipios/${ibge}/bairros?limite=3`,
    ]));
  }],
  batch: [6, 40, (subjects, random) => {
    const ceps = someCeps(subjects, random, 1 + random.int(200));
    return post("/ceps", JSON.stringify(ceps));
  }],
  stream: [3, 12, stream(3000)],
  compatible: [12, 150, (subjects, random) => {
    const cep = someCep(subjects, random);
    const { uf, cidade, logradouro } = random.pick(subjects.records);
    const street = (logradouro || cidade).split(" ").at(-1)!;
    const names = [uf, cidade, street].map(encodeURIComponent);
    return get(random.pick([
      `/ws/${cep}/json/`,
      `/ws/${cep}/xml/`,
      `/ws/${cep}/json/?callback=show`,
      `/api/cep/v1/${cep}`,
      `/api/cep/v2/${cep}`,
      `/v1/${cep}`,
      `/v1/${cep}.json`,
      `/ws/${names.join("/")}/json/`,
    ]));
  }],
  history: [
    4,
    80,
    (subjects, random) => get(`/cep/${someCep(subjects, random)}/historico`),
  ],
  places: [4, 60, (subjects, random) => {
    const { uf, codigo_ibge: ibge } = random.pick(subjects.records);
    return get(random.pick([
      "/estados",
      "/debug/count",
      "/debug/stats",
      `/debug/list?prefix=${someCep(subjects, random).slice(0, 4)}`,
      `/estados/${uf}/municipios`,
      `/municipios/${ibge}`,
      `/municipios/${ibge}/distritos`,
      `/municipios/${ibge}/bairros`,
    ]));
  }],
  match: [8, 100, ({ records }, random) => {
    const { logradouro, bairro, cidade, uf, cep } = random.pick(records);
    const numero = `${1 + random.int(2000)}`;
    const address = random.pick([
      { endereco: `${logradouro}, ${numero} - ${bairro}, ${cidade}/${uf}` },
      { endereco: `${logradouro} ${numero} ${cidade} ${uf} ${cep}` },
      { logradouro, numero, cidade, uf },
      { logradouro, bairro, cidade, uf, cep },
    ]);
    return post("/enderecos", JSON.stringify(address));
  }],
  // Sent by clients of their own; the answer exceeds the buffers of a connection.
  "slow reader": [0, 1, stream(20_000)],
} satisfies Readonly<Record<string, KindRow>>;

/** Kind of traffic. */
export type Kind = keyof typeof KINDS;

const ROWS = Object.entries(KINDS) as [Kind, KindRow][];

/** Kinds of requests, each as often as its share says. */
export const MIX: readonly Kind[] = ROWS.flatMap(([kind, [share]]) =>
  Array<Kind>(share).fill(kind)
);

/** Makes the requests of each kind. */
export function makeRequests(
  subjects: Subjects,
  random: Random,
): ReadonlyMap<Kind, readonly SoakRequest[]> {
  return new Map(ROWS.map(([kind, [, length, make]]) => [
    kind,
    Array.from({ length }, () => ({ kind, ...make(subjects, random) })),
  ]));
}

function someCep({ records, replaced }: Subjects, random: Random): string {
  const chance = random.int(100);
  if (chance < 10 && replaced.length > 0) return random.pick(replaced);
  if (chance < 15) return `${10_000_000 + random.int(90_000_000)}`;
  return random.pick(records).cep;
}

function someForm(subjects: Subjects, random: Random): string {
  const cep = someCep(subjects, random);
  return random.pick([
    cep,
    `${cep.slice(0, 5)}-${cep.slice(5)}`,
    `${cep.slice(0, 2)}.${cep.slice(2, 5)}-${cep.slice(5)}`,
  ]);
}

function someCeps(subjects: Subjects, random: Random, length: number) {
  return Array.from(
    { length },
    () => random.chance(2) ? "x" : someForm(subjects, random),
  );
}

/** Returns words of a record as users type them. */
function wordsOf(record: Address, random: Random): string {
  const { logradouro, bairro, cidade, cep } = record;
  const street = (logradouro || cidade).toLowerCase();
  const dropped = random.int(street.length);
  return random.pick([
    street,
    `${street} ${cidade}`,
    `${street}, ${bairro}`,
    `${cidade} ${street.slice(0, -2)}`,
    street.slice(0, dropped) + street.slice(dropped + 1),
    cep.slice(0, 1 + random.int(8)),
  ]);
}
