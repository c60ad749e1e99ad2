/**
 * Growth of the time for a request with its length: an expression that
 * backtracks, or a loop in a loop, would make it grow with the square.
 */
import { assert } from "@std/assert";
import process from "node:process";
import { createHandler, openStore } from "../../../cep/mod.ts";
import { seedSample } from "../_seeding.ts";

const store = await openStore({ path: ":memory:" });
await seedSample(store);
const handler = createHandler({
  store,
  config: {
    rateLimitMax: 1e9,
    corsOrigins: ["https://*.loja.com.br"],
    trustedProxies: ["127.0.0.1"],
  },
});

/** Requests by the place of a hostile text in them. */
const PLACES: Readonly<Record<string, (text: string) => Request>> = {
  "the path": (text) => get(`/${encodeURIComponent(text)}`),
  "a CEP": (text) => get(`/cep/${encodeURIComponent(text)}`),
  "a municipality": (text) => get(`/municipios/${encodeURIComponent(text)}`),
  "a CEP of ViaCEP": (text) => get(`/ws/${encodeURIComponent(text)}/json`),
  "a street of ViaCEP": (text) => {
    const part = encodeURIComponent(text.slice(0, text.length / 2) || "a");
    return get(`/ws/SP/${part}/${part}/json`);
  },
  "callback": (text) => get(`/ws/01310100/json?${query({ callback: text })}`),
  "prefix": (text) => get(`/debug/list?${query({ prefix: text })}`),
  "distrito": (text) =>
    get(`/municipios/3550308/bairros?${query({ distrito: text })}`),
  ...Object.fromEntries(
    ["q", "uf", "cidade", "bairro", "numero", "limite", "cursor"].map((
      name,
    ) => [
      name,
      (text: string) => get(`/busca?${query({ q: "paulista", [name]: text })}`),
    ]),
  ),
  ...Object.fromEntries(
    ["endereco", "logradouro", "numero", "bairro", "cidade", "uf", "cep"]
      .map((name) => [
        `${name} of an address`,
        (text: string) => post("/enderecos", JSON.stringify({ [name]: text })),
      ]),
  ),
  "an item of a batch": (text) => post("/ceps", JSON.stringify([text])),
  "a line of a stream": (text) =>
    post("/ceps", `${text}\n01310100\n`, "application/x-ndjson"),
  "a body that is not JSON": (text) => post("/ceps", text),
  "a content type": (text) => post("/ceps", "[]", text),
  ...Object.fromEntries(
    [
      "accept-encoding",
      "if-none-match",
      "origin",
      "x-forwarded-for",
      "x-request-id",
      "content-encoding",
    ].map((name) => [
      name,
      (text: string) => get("/debug/list", { [name]: printable(text) }),
    ]),
  ),
};

/** Texts that are repeated, and the end that makes a match fail. */
const REPEATED: readonly (readonly [string, string])[] = [
  [" ", "x"],
  ["\t", "\0-"],
  ["0", "."],
  ["0", "x"],
  ["-", "x"],
  [".", "x"],
  [",", "x"],
  ["/", "\0"],
  ["a", "\0"],
  ["a ", "\0"],
  ["0.", "x"],
  ["km1.", "x"],
  ["LM", "x"],
  ["+A", "x"],
  ["gzip;q=0.5,", "x"],
  ['W/"a", ', "x"],
  ['"', "x"],
  ["[", "x"],
  ["%", "x"],
  ["é", "x"],
  ["a.", "com"],
  ["1.1.1.1,", "x"],
  ["rua ", "x"],
  ["n ", "x"],
  ["a, ", "x"],
];

/** Lengths of the texts. */
const [SHORT, LONG] = [4000, 32_000];

/** Milliseconds that need no explanation: noise of the machine. */
const NOISE = 40;

/** Milliseconds by which the processor time of a thread may be too low. */
const TICK = 10;

for (const [place, request] of Object.entries(PLACES)) {
  Deno.test(`the time for ${place} grows in proportion to its length`, async () => {
    for (const [part, end] of REPEATED) {
      const of = (length: number) =>
        part.repeat(length / part.length).concat(end);
      const name = JSON.stringify(part + end);
      let [short, long] = [0, 0];
      // A busy machine is only slower: the best of some attempts counts.
      for (let attempt = 0; attempt < 4; attempt++) {
        short = await timeOf(request, of(SHORT));
        long = await timeOf(request, of(LONG));
        if (isProportional(short, long)) break;
      }
      assert(isProportional(short, long), `${name}: ${short} ms, ${long} ms`);
    }
  });
}

/** True unless the longer text took more than its share, twice over. */
function isProportional(short: number, long: number): boolean {
  return long < NOISE || long < 2 * short * LONG / SHORT;
}

async function timeOf(
  request: (text: string) => Request,
  text: string,
): Promise<number> {
  const it = request(text);
  const start = performance.now();
  const usage = process.threadCpuUsage();
  const response = await handler(it, {
    remoteAddr: { transport: "tcp", hostname: "127.0.0.1" },
  });
  await response.arrayBuffer();
  const time = performance.now() - start;
  const { user, system } = process.threadCpuUsage(usage);
  assert(response.status < 500);
  // A busy machine makes this thread wait, which is not its work.
  return Math.min(time, (user + system) / 1000 + TICK);
}

function query(values: Readonly<Record<string, string>>): string {
  return new URLSearchParams(values).toString();
}

/** Returns a text that a header may contain. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "_").trim();
}

function get(target: string, headers: Record<string, string> = {}): Request {
  return new Request(`http://localhost${target}`, { headers });
}

function post(
  path: string,
  body: string,
  type = "application/json",
): Request {
  const headers = { "content-type": printable(type) };
  return new Request(`http://localhost${path}`, {
    method: "POST",
    headers,
    body,
  });
}
