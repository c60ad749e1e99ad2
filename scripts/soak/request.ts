import type { Random } from "../generate_dne/random.ts";
import type { OracleRecord } from "./oracle.ts";

/** Kind of traffic. */
export type Kind =
  | "lookup"
  | "search"
  | "pages"
  | "batch"
  | "stream"
  | "compatible"
  | "history"
  | "places"
  | "match"
  | "bad"
  | "slow reader";

/** Request, or the first one of a list in pages. */
export interface SoakRequest {
  readonly kind: Kind;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Share of the traffic and number of different requests of each kind. */
export const KINDS: Readonly<
  Record<Kind, { readonly share: number; readonly requests: number }>
> = {
  lookup: { share: 40, requests: 400 },
  search: { share: 15, requests: 200 },
  pages: { share: 3, requests: 20 },
  batch: { share: 6, requests: 40 },
  stream: { share: 3, requests: 12 },
  compatible: { share: 12, requests: 150 },
  history: { share: 4, requests: 80 },
  places: { share: 4, requests: 60 },
  match: { share: 8, requests: 100 },
  bad: { share: 5, requests: 0 },
  // Sent by clients of their own.
  "slow reader": { share: 0, requests: 1 },
};

/** Records that requests are made of. */
export interface Subjects {
  /** Records that some release has, half of them changed by a release. */
  readonly records: readonly OracleRecord[];
  /** CEPs that a release has removed or replaced. */
  readonly replaced: readonly string[];
}

/** Lines of a stream whose answers exceed the buffers of a connection. */
const LONG_STREAM = 20_000;

/** Makes the requests of each kind. */
export function makeRequests(
  subjects: Subjects,
  random: Random,
): ReadonlyMap<Kind, readonly SoakRequest[]> {
  const kinds = Object.keys(KINDS) as Kind[];
  return new Map(kinds.map((kind) => {
    const { requests } = KINDS[kind];
    const all = kind === "bad"
      ? BAD
      : Array.from({ length: requests }, () => MAKERS[kind](subjects, random));
    return [kind, all.map((it) => ({ kind, ...it }))];
  }));
}

type Made = Omit<SoakRequest, "kind">;

const get = (path: string, headers: Record<string, string> = {}): Made => ({
  method: "GET",
  path,
  headers,
});

const post = (path: string, body: string, type = "application/json"): Made => ({
  method: "POST",
  path,
  headers: { "content-type": type },
  body,
});

type Maker = (subjects: Subjects, random: Random) => Made;

const MAKERS: Readonly<Record<Exclude<Kind, "bad">, Maker>> = {
  lookup: (subjects, random) => get(`/cep/${someForm(subjects, random)}`),
  search(subjects, random) {
    const record = random.pick(subjects.records);
    const query = new URLSearchParams({ q: wordsOf(record, random) });
    if (random.chance(30)) query.set("uf", record["uf"]!);
    if (random.chance(20)) query.set("cidade", record["cidade"]!);
    if (random.chance(20)) query.set("numero", `${1 + random.int(2000)}`);
    if (random.chance(50)) query.set("limite", `${1 + random.int(50)}`);
    return get(`/busca?${query}`);
  },
  pages(subjects, random) {
    const { uf = "", cep = "", codigo_ibge: ibge } = random.pick(
      subjects.records,
    );
    return get(random.pick([
      `/busca?q=rua&uf=${uf}&limite=7`,
      `/busca?q=${cep.slice(0, 3)}&limite=40`,
      `/estados/${uf}/municipios?limite=5`,
      `/municipios/${ibge}/bairros?limite=3`,
    ]));
  },
  batch(subjects, random) {
    const ceps = someCeps(subjects, random, 1 + random.int(200));
    return post("/ceps", JSON.stringify(ceps));
  },
  stream(subjects, random) {
    const ceps = someCeps(subjects, random, 1 + random.int(3000));
    return post("/ceps", ceps.join("\n"), "application/x-ndjson");
  },
  "slow reader"(subjects, random) {
    const ceps = someCeps(subjects, random, LONG_STREAM);
    return post("/ceps", ceps.join("\n"), "application/x-ndjson");
  },
  compatible(subjects, random) {
    const cep = someCep(subjects, random);
    const { uf, cidade = "", logradouro = "" } = random.pick(subjects.records);
    const street = (logradouro || cidade).split(" ").at(-1)!;
    return get(random.pick([
      `/ws/${cep}/json/`,
      `/ws/${cep}/xml/`,
      `/ws/${cep}/json/?callback=show`,
      `/api/cep/v1/${cep}`,
      `/api/cep/v2/${cep}`,
      `/v1/${cep}`,
      `/v1/${cep}.json`,
      ["", "ws", uf!, cidade, street, "json", ""].map(encodeURIComponent)
        .join("/"),
    ]));
  },
  history: (subjects, random) =>
    get(`/cep/${someCep(subjects, random)}/historico`),
  places(subjects, random) {
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
  },
  match(subjects, random) {
    const record = random.pick(subjects.records);
    const { logradouro, bairro, cidade, uf, cep } = record;
    const number = `${1 + random.int(2000)}`;
    const address = random.pick([
      { endereco: `${logradouro}, ${number} - ${bairro}, ${cidade}/${uf}` },
      { endereco: `${logradouro} ${number} ${cidade} ${uf} ${cep}` },
      { logradouro, numero: number, cidade, uf },
      { logradouro, bairro, cidade, uf, cep },
    ]);
    return post("/enderecos", JSON.stringify(address));
  },
};

const LONG = "9".repeat(3000);

/** Requests that are refused. */
const BAD: readonly Made[] = [
  get("/cep"),
  get("/cep/"),
  get("/cep/0131010"),
  get("/cep/013101000"),
  get("/cep/abcdefgh"),
  get("/cep/%00%ff"),
  get("/cep/constructor"),
  get("/cep/__proto__"),
  get(`/cep/${LONG}`),
  get("/unknown"),
  get("//cep//01310100"),
  get("/cep/../../etc/passwd"),
  get("/busca"),
  get("/busca?q="),
  get("/busca?q=a&limite=0"),
  get("/busca?q=a&limite=1e9"),
  get("/busca?q=a&uf=XX"),
  get("/busca?q=a&cursor=AAAA"),
  get(`/busca?q=${LONG}`),
  get("/debug/list?prefix=x"),
  get("/estados/XX/municipios"),
  get("/municipios/0"),
  get("/ws/1/json/"),
  { ...get("/cep/01310100"), method: "DELETE" },
  { ...get("/ceps"), method: "GET" },
  post("/ceps", "["),
  post("/ceps", "{}"),
  post("/ceps", "[]", "text/plain"),
  post("/ceps", JSON.stringify(Array(1001).fill("01310100"))),
  post("/ceps", `["${LONG.repeat(30)}"]`),
  post("/enderecos", "{}"),
  post("/enderecos", `{"endereco": "${LONG}"}`),
  post("/enderecos", '{"toString": "x"}'),
];

function someCep({ records, replaced }: Subjects, random: Random): string {
  const chance = random.int(100);
  if (chance < 10 && replaced.length > 0) return random.pick(replaced);
  if (chance < 15) return `${10_000_000 + random.int(90_000_000)}`;
  return random.pick(records)["cep"]!;
}

function someForm(subjects: Subjects, random: Random): string {
  const cep = someCep(subjects, random);
  return random.pick([
    cep,
    `${cep.slice(0, 5)}-${cep.slice(5)}`,
    `${cep.slice(0, 2)}.${cep.slice(2, 5)}-${cep.slice(5)}`,
  ]);
}

function someCeps(subjects: Subjects, random: Random, count: number): string[] {
  return Array.from(
    { length: count },
    () => random.chance(2) ? "x" : someForm(subjects, random),
  );
}

/** Returns words of a record as users type them. */
function wordsOf(record: OracleRecord, random: Random): string {
  const { logradouro = "", bairro = "", cidade = "", cep = "" } = record;
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
